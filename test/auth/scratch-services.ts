import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { createAuth } from '../../src/auth/index.ts';
import { createDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logger.ts';

export async function createTestServices() {
  const base = 'postgres://postgres@127.0.0.1:54999';
  const name = `t${randomBytes(5).toString('hex')}`;
  const admin = new pg.Client(`${base}/postgres`);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const client = new pg.Client(`${base}/${name}`);
  await client.connect();
  const dir = '/work/main/prisma/migrations';
  for (const d of readdirSync(dir).sort())
    if (!d.includes('.')) await client.query(readFileSync(`${dir}/${d}/migration.sql`, 'utf8'));
  await client.end();
  const statements: string[] = [];
  const log = createLogger('warn');
  const database = createDatabase({ url: `${base}/${name}`, log, onStatement: (t) => statements.push(t) });
  let at = new Date('2027-01-01T00:00:00Z');
  const clock = {
    now: () => at,
    pinned: () => at as Date | null,
    advance: (ms: number) => {
      at = new Date(at.getTime() + ms);
    },
    set: (d: Date) => {
      at = d;
    },
  };
  return { database, clock, statements, log, services: { auth: createAuth({ database, clock, log }) } };
}
