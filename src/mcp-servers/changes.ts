import type { z } from 'zod';
import type { McpToolChange } from '../../prisma/generated/client/client.ts';
import type { Caller } from '../platform/caller.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import { type Connection, ConnectionRequest, connectionIn } from '../platform/input/keyset.ts';
import type { Platform } from '../platform/platform.ts';
import { seerOf, serverNotFound, visibleTo } from './server.ts';

/** A change as others than this area see it. */
export type ToolChangeRecord = McpToolChange;

const keptDays = 90;

/** Changes of servers' tools between two discoveries. */
export function createChanges({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  const { prisma } = database;

  /**
   * The changes of a server after a cursor, the newest first; the last 100 of 90 days are kept.
   *
   * @throws {ApiError} `NOT_FOUND` for a server that the caller may not see.
   */
  async function connection(
    caller: Caller,
    serverUuid: string,
    input: z.input<typeof ConnectionRequest>,
  ): Promise<Connection<McpToolChange>> {
    const seen = visibleTo(seerOf(caller));
    const uuid = requireUuid(serverUuid, serverNotFound);
    const request = parse(ConnectionRequest, input);
    if ((await prisma.mcpServer.count({ where: { AND: [{ uuid }, seen] } })) === 0) throw serverNotFound();
    return connectionIn(prisma.mcpToolChange, request, 'desc', { serverUuid: uuid });
  }

  async function count(caller: Caller, serverUuid: string): Promise<number> {
    const seen = visibleTo(seerOf(caller));
    return prisma.mcpToolChange.count({ where: { serverUuid: requireUuid(serverUuid, serverNotFound), server: seen } });
  }

  /** Deletes changes that are older than 90 days. @returns The number of deleted rows. */
  async function purge(): Promise<number> {
    const before = new Date(clock.now().getTime() - keptDays * 86_400_000);
    return (await prisma.mcpToolChange.deleteMany({ where: { createdAt: { lt: before } } })).count;
  }

  return { connection, count, purge };
}
