import type { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import { type Connection, type Page, rowIn } from '../platform/input/keyset.ts';
import { ConnectionRequest, cursorOf, PageRequest } from './input.ts';
import { type MessageRecord, type MessageShape, messageNotFound, sessionNotFound } from './session.ts';

/** The messages of a profile as they are read. */
export function createMessageLists({ database }: { readonly database: Pick<Database, 'prisma'> }) {
  const { prisma } = database;

  /** Which messages the caller may see, for relations that lead to them: those of its profile. */
  function visible(caller: Caller): Prisma.ChatMessageWhereInput {
    return { profileUuid: authorize(caller, 'chat:read').profileUuid };
  }

  /** The answer that another takes the place of, for the answer of a mutation. */
  async function findReplaced(caller: Caller, uuid: string, query: MessageShape = {}): Promise<MessageRecord> {
    const { profileUuid } = authorize(caller, 'chat:write');
    return rowIn(prisma.chatMessage, uuid, { profileUuid }, query, messageNotFound);
  }

  /** A message of the caller's. @throws {ApiError} `NOT_FOUND` for any other. */
  async function find(caller: Caller, uuid: string, query: MessageShape = {}): Promise<MessageRecord> {
    return rowIn(prisma.chatMessage, uuid, visible(caller), query, messageNotFound);
  }

  /** The messages of one of the caller's sessions after a cursor, the oldest first. @throws {ApiError} `NOT_FOUND` for another's session. */
  async function connection(
    caller: Caller,
    sessionId: string,
    input: z.input<typeof ConnectionRequest>,
    query: MessageShape = {},
  ): Promise<Connection<MessageRecord>> {
    const listed = await listOf(caller, sessionId);
    const { first, after } = parse(ConnectionRequest, input);
    const rows = await prisma.chatMessage.findMany({
      ...query,
      where: { AND: [listed, { ordinal: { gt: after } }] },
      orderBy: { ordinal: 'asc' },
      take: first + 1,
    });
    const edges = rows.slice(0, first).map((node) => ({ cursor: cursorOf(node), node }));
    return { edges, hasNextPage: rows.length > first };
  }

  /** How many messages a session has. */
  async function count(caller: Caller, sessionId: string): Promise<number> {
    return prisma.chatMessage.count({
      where: { ...visible(caller), sessionUuid: requireUuid(sessionId, sessionNotFound) },
    });
  }

  /** The same list by offset. @param input.limit 1 to 100, 20 if left out. */
  async function page(
    caller: Caller,
    sessionId: string,
    input: z.input<typeof PageRequest>,
    query: MessageShape = {},
  ): Promise<Page<'messages', MessageRecord>> {
    const where = await listOf(caller, sessionId);
    const { limit, offset } = parse(PageRequest, input);
    const [messages, total] = await Promise.all([
      prisma.chatMessage.findMany({ ...query, where, orderBy: { ordinal: 'asc' }, take: limit, skip: offset }),
      prisma.chatMessage.count({ where }),
    ]);
    return { messages, total };
  }

  async function listOf(caller: Caller, sessionId: string): Promise<Prisma.ChatMessageWhereInput> {
    const { profileUuid } = authorize(caller, 'chat:read');
    const sessionUuid = requireUuid(sessionId, sessionNotFound);
    if ((await prisma.chatSession.count({ where: { uuid: sessionUuid, profileUuid } })) === 0) throw sessionNotFound();
    return { sessionUuid, profileUuid };
  }

  return { visible, findReplaced, find, connection, count, page };
}
