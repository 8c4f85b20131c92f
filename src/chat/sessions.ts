import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import { inBatches } from '../platform/database/batches.ts';
import { ApiError } from '../platform/errors.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import { rowIn } from '../platform/input/keyset.ts';
import { createListing } from '../platform/input/listing.ts';
import type { Platform } from '../platform/platform.ts';

import { extractiveModel, NewSession, PageRequest, SessionChange } from './input.ts';
import { type SessionRecord, type SessionShape, sessionNotFound } from './session.ts';
import { createSessionTools, type SessionToolDependencies, toolsNeedModel } from './session-tools.ts';
import * as statements from './statements.ts';

export interface SessionDependencies extends SessionToolDependencies, Pick<Platform, 'database' | 'clock'> {
  /** The models that a session may have; the first is the default. */
  readonly models: readonly string[];
}

/** Per profile. */
const sessionsMax = 1_000;

/** The conversations of a profile. Source: docs/specification/chat.md#sessions. */
export function createSessions(deps: SessionDependencies) {
  const { database, clock, models } = deps;
  const { prisma } = database;
  const sessionTools = createSessionTools(deps);

  /** Which sessions the caller may see, for relations that lead to them: those of its profile. */
  function visible(caller: Caller): Prisma.ChatSessionWhereInput {
    return { profileUuid: authorize(caller, 'chat:read').profileUuid };
  }

  /**
   * Creates a session of the caller's profile.
   *
   * @param input.model One of `models`; the default model if left out.
   * @param input.temperature 0 to 2; 0.2 if left out.
   * @param input.maxTokens Tokens of an answer, 1 to 32 000; 1 024 if left out.
   * @param input.tools Tools of the caller's MCP servers that answers may call, at most 20; none if left out.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for another profile; `CONFLICT` over 1 000 sessions of the profile.
   * @see docs/specification/chat.md#sessions
   */
  async function create(
    caller: Caller,
    input: z.input<typeof NewSession>,
    query: SessionShape = {},
  ): Promise<SessionRecord> {
    const { profileUuid } = authorize(caller, 'chat:write');
    const { profileUuid: asked, title, tools, ...rest } = parse(NewSession, input, mistakesOf);
    if ((asked ?? null) !== null && asked?.toLowerCase() !== profileUuid)
      throw new ApiError('NOT_FOUND', 'Profile not found');
    const model = modelOf(rest);
    const listed = await sessionTools.known(caller, tools ?? [], model);
    const now = clock.now();
    const data = {
      ...rest,
      uuid: randomUUID(),
      profileUuid,
      model,
      title: title ?? null,
      tools: listed.map((tool) => ({ ...tool })),
      createdAt: now,
      updatedAt: now,
    };
    return database.transaction(async (tx) => {
      await tx.query(statements.alone(profileUuid));
      if ((await tx.prisma.chatSession.count({ where: { profileUuid } })) >= sessionsMax)
        throw new ApiError('CONFLICT', `A profile can have at most ${sessionsMax} chat sessions`);
      return tx.prisma.chatSession.create({ ...query, data });
    });
  }

  /** The models that a session may have; the first is the default. */
  function modelsFor(caller: Caller): readonly string[] {
    authorize(caller, 'chat:read');
    return models;
  }

  const modelOf = ({ model }: { model?: string | null | undefined }): string => model ?? (models[0] as string);

  /** The errors in fields of a new session that its schema cannot express: the model must be configured, and call tools if there are any. */
  function mistakesOf(input: {
    model?: string | null | undefined;
    tools?: readonly unknown[] | null | undefined;
  }): Record<string, string | undefined> {
    const model = modelOf(input);
    const isUnknown = !models.includes(model);
    const needsModel = !isUnknown && model === extractiveModel && (input.tools?.length ?? 0) > 0;
    return {
      model: isUnknown ? `model must be one of: ${models.join(', ')}` : undefined,
      tools: needsModel ? toolsNeedModel : undefined,
    };
  }

  /** A session of the caller's. @throws {ApiError} `NOT_FOUND` for any other. */
  async function find(caller: Caller, uuid: string, query: SessionShape = {}): Promise<SessionRecord> {
    return rowIn(prisma.chatSession, uuid, visible(caller), query, sessionNotFound);
  }

  /** The caller's sessions, the newest first. */
  const { connection, count, page } = createListing<'sessions', SessionRecord, SessionShape>({
    table: prisma.chatSession,
    action: 'chat:read',
    direction: 'desc',
    filter: ({ profileUuid }) => ({ profileUuid }),
    rows: 'sessions',
    pages: PageRequest,
  });

  /**
   * Changes the title or the tools of a session. An answer in progress keeps its tools.
   *
   * @throws {ApiError} `NOT_FOUND` for a session of another profile; `VALIDATION_ERROR`.
   */
  async function update(
    caller: Caller,
    uuid: string,
    input: z.input<typeof SessionChange>,
    query: SessionShape = {},
  ): Promise<SessionRecord> {
    const { profileUuid } = authorize(caller, 'chat:write');
    const { title, tools } = parse(SessionChange, input);
    const where = { uuid: requireUuid(uuid, sessionNotFound), profileUuid };
    const session = await prisma.chatSession.findFirst({ where, select: { model: true } });
    if (session === null) throw sessionNotFound();
    const listed = tools ? await sessionTools.known(caller, tools, session.model) : null;
    const data = {
      ...((title ?? null) !== null && { title: title as string }),
      ...(listed && { tools: listed.map((tool) => ({ ...tool })) }),
      updatedAt: clock.now(),
    };
    return database.transaction(async (tx) => {
      const { count: changed } = await tx.prisma.chatSession.updateMany({ where, data });
      if (changed === 0) throw sessionNotFound();
      return tx.prisma.chatSession.findUniqueOrThrow({ ...query, where });
    });
  }

  /**
   * Deletes a session with its messages; an answer in progress ends. @throws {ApiError} `NOT_FOUND` for a session of
   * another profile.
   */
  async function remove(caller: Caller, uuid: string): Promise<string> {
    const { profileUuid } = authorize(caller, 'chat:write');
    const [row] = await database.query<{ uuid: string }>(
      statements.removeSession(requireUuid(uuid, sessionNotFound), profileUuid),
    );
    if (!row) throw sessionNotFound();
    return row.uuid;
  }

  /** Removes all sessions of a profile that was deleted, some at a time: their messages go with them. */
  async function removeContents(profileUuid: string): Promise<void> {
    await inBatches(database, 50, (rows) => statements.removeSessions(profileUuid, rows));
  }

  return { visible, modelsFor, create, mistakesOf, find, connection, count, page, update, remove, removeContents };
}
