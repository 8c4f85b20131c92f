import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../../../prisma/generated/client/client.ts';

/** Prisma's client over one pool. */
export interface OpenPrisma {
  readonly client: PrismaClient;
  /** Ends its transactions. The pool stays open. */
  close(): Promise<void>;
}

export type PrismaOver = (pool: Pool) => OpenPrisma;

/** Makes a client: it reads the whole schema, which takes 50 ms of CPU, and compiles each query once. */
export const openPrisma: PrismaOver = (pool) => {
  const client = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' });
  return { client, close: () => client.$disconnect() };
};
