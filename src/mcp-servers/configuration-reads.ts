import type { z } from 'zod';
import type { McpServer, Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller, maySeeSecrets } from '../platform/caller.ts';
import { maskedUrl, parse } from '../platform/input/input.ts';
import { type Connection, ConnectionRequest, connectionIn, rowIn } from '../platform/input/keyset.ts';
import type { Platform } from '../platform/platform.ts';
import {
  type McpServerRecord,
  type McpServerShape,
  profileOf,
  seerOf,
  serverNotFound,
  visibleTo,
  withoutSecrets,
} from './server.ts';

export interface ConfigurationReadDependencies extends Pick<Platform, 'database'> {
  /** Counts a server that a user opened, as a result of an earlier search. */
  readonly onOpened: (caller: Caller, serverUuid: string) => void;
}

/** The servers that a caller may see. Source: docs/specification/mcp-servers.md. */
export function createConfigurationReads({ database: { prisma }, onOpened }: ConfigurationReadDependencies) {
  /** Which servers the caller may see, for relations that lead to them: public ones, and those of the own profile. */
  function visible(caller: Caller): Prisma.McpServerWhereInput {
    return visibleTo(seerOf(caller));
  }

  /** Whether a server is of the caller's own profile. */
  function isOwn({ principal }: Caller, { profileUuid }: Pick<McpServer, 'profileUuid'>): boolean {
    return principal !== null && principal.profileUuid === profileUuid;
  }

  /** The url of a server as the caller may see it: with its query for its own profile, where secrets may be seen. */
  function shownUrl(caller: Caller, server: Pick<McpServer, 'profileUuid' | 'url'>): string | null {
    if (server.url === null) return null;
    return isOwn(caller, server) && maySeeSecrets(caller) ? server.url : maskedUrl(server.url);
  }

  /**
   * A server that is public or belongs to the caller's profile. No scope is required.
   *
   * @throws {ApiError} `NOT_FOUND` for any other, as for one that does not exist.
   * @see docs/specification/mcp-servers.md#details
   */
  async function find(caller: Caller, uuid: string, query: McpServerShape = withoutSecrets): Promise<McpServerRecord> {
    return rowIn(prisma.mcpServer, uuid, visible(caller), query, serverNotFound);
  }

  /** Like `find`, for a user who opens a server: it counts as an opened result of the user's latest search that showed it. */
  async function open(caller: Caller, uuid: string, query: McpServerShape = withoutSecrets): Promise<McpServerRecord> {
    const server = await find(caller, uuid, query);
    onOpened(caller, server.uuid);
    return server;
  }

  /** Those of some servers that are public, in no order. @throws {ApiError} `FORBIDDEN` without `mcp-servers:read`. */
  async function publicAmong(
    caller: Caller,
    uuids: readonly string[],
    query: McpServerShape = withoutSecrets,
  ): Promise<McpServerRecord[]> {
    authorize(caller, 'mcp-servers:read');
    if (uuids.length === 0) return [];
    return prisma.mcpServer.findMany({ ...query, where: { uuid: { in: [...uuids] }, isPublic: true } });
  }

  /** The same for the response of a mutation: a key that may only write can see the server that it changed. */
  async function findChanged(
    caller: Caller,
    uuid: string,
    query: McpServerShape = withoutSecrets,
  ): Promise<McpServerRecord> {
    const seen = visibleTo(authorize(caller, 'mcp-servers:write').profileUuid);
    return rowIn(prisma.mcpServer, uuid, seen, query, serverNotFound);
  }

  /**
   * Those of some servers that the caller may see, in no order and in one statement. Which scope that needs is asked where
   * the ids come from.
   *
   * @param uuids Well-formed.
   */
  async function findAll(
    caller: Caller,
    uuids: readonly string[],
    query: McpServerShape = withoutSecrets,
  ): Promise<McpServerRecord[]> {
    const where = { AND: [{ uuid: { in: [...uuids] } }, visibleTo(profileOf(caller))] };
    return uuids.length === 0 ? [] : prisma.mcpServer.findMany({ ...query, where });
  }

  /** The caller's own servers after a cursor, the newest first. */
  async function connection(
    caller: Caller,
    input: z.input<typeof ConnectionRequest>,
    query: McpServerShape = withoutSecrets,
  ): Promise<Connection<McpServerRecord>> {
    const { profileUuid } = authorize(caller, 'mcp-servers:read');
    return connectionIn(prisma.mcpServer, parse(ConnectionRequest, input), 'desc', { profileUuid }, query);
  }

  async function count(caller: Caller): Promise<number> {
    return prisma.mcpServer.count({ where: { profileUuid: authorize(caller, 'mcp-servers:read').profileUuid } });
  }

  return { visible, isOwn, shownUrl, find, open, publicAmong, findChanged, findAll, connection, count };
}
