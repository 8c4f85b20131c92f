import { randomUUID } from 'node:crypto';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { AnswerOrder } from './answering.ts';
import { sessionNotFound } from './session.ts';
import * as statements from './statements.ts';
import type { createUsage } from './usage.ts';

/** Per session. */
const messagesMax = 2_000;

export interface AnswerPlaceDependencies extends Pick<Platform, 'clock'> {
  /** Refuses a profile whose tokens are used up. */
  readonly checkUsage: ReturnType<typeof createUsage>['check'];
}

/** The place of an answer in a session: at most one answer of a session is under way. */
export function createAnswerPlaces({ clock, checkUsage }: AnswerPlaceDependencies) {
  /** @throws {ApiError} `NOT_FOUND`; `CONFLICT` while an answer is under way, and for a session that is full. */
  async function hold(
    tx: Pick<Database, 'query'>,
    sessionUuid: string,
    profileUuid: string,
  ): Promise<statements.HeldSession> {
    const [session] = await tx.query<statements.HeldSession & Record<string, unknown>>(
      statements.holdSession(sessionUuid, profileUuid),
    );
    if (!session) throw sessionNotFound();
    if (session.is_answering)
      throw new ApiError('CONFLICT', 'The session has an answer in progress: wait for its end, or abort it');
    await checkUsage(tx, profileUuid);
    if (session.last_ordinal + 2 > messagesMax)
      throw new ApiError('CONFLICT', `A chat session can have at most ${messagesMax} messages`);
    return session;
  }

  /** Stores the place of an answer, claimed by this process. */
  async function place(
    tx: Database,
    caller: Caller,
    session: statements.HeldSession,
    answer: Omit<Prisma.ChatMessageUncheckedCreateInput, 'uuid' | 'role' | 'content' | 'status'> & {
      readonly question: string;
      readonly questionOrdinal: number;
      readonly includeContext: boolean;
    },
  ): Promise<AnswerOrder> {
    const { question, questionOrdinal, ...row } = answer;
    const [messageUuid, claim] = [randomUUID(), randomUUID()];
    const state = { role: 'assistant', content: '', status: 'pending', model: session.model, claim };
    const claimedUntil = new Date(clock.now().getTime() + statements.leaseSeconds * 1_000);
    await tx.prisma.chatMessage.create({ data: { ...row, ...state, uuid: messageUuid, claimedUntil } });
    return {
      caller,
      messageUuid,
      claim,
      sessionUuid: session.uuid,
      profileUuid: row.profileUuid,
      question,
      questionOrdinal,
      model: session.model,
      temperature: session.temperature,
      maxTokens: session.max_tokens,
      includeContext: row.includeContext,
      tools: session.tools,
    };
  }

  return { hold, place };
}
