import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { integerBetween, parse, requireUuid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { type AnswerPlaceDependencies, createAnswerPlaces } from './answer-places.ts';
import type { AnswerOrder, createAnswering } from './answering.ts';
import { channelOf } from './follow.ts';
import { NewMessage } from './input.ts';
import { createMessageLists } from './message-lists.ts';
import { type MessageRecord, type MessageShape, messageNotFound, sessionNotFound } from './session.ts';
import * as statements from './statements.ts';

export interface MessageDependencies extends AnswerPlaceDependencies, Pick<Platform, 'database' | 'events'> {
  readonly answering: ReturnType<typeof createAnswering>;
}
/** How long a request waits for an answer: less than proxies wait for the first byte of a response. */
const waitSecondsMax = 45;
const titleMax = 80;

const Wait = integerBetween('waitSeconds', 0, waitSecondsMax)
  .nullish()
  .transform((seconds) => seconds ?? 0);

/** Questions and their answers. Source: docs/specification/chat.md#messages. */
export function createMessages({ database, clock, events, answering, checkUsage }: MessageDependencies) {
  const { prisma } = database;
  const { hold, place } = createAnswerPlaces({ clock, checkUsage });

  /**
   * Asks a question in one of the caller's sessions. The question and the place of its answer are stored before anything else happens,
   * also outside of a unit of work, so that what a model answers is never lost.
   *
   * @param input.message 1 to 4 000 characters.
   * @param input.includeContext Whether documents are looked up; true if left out.
   * @param waitSeconds How long to wait for the answer, 0 to 45; 0 if left out.
   * @returns The answer as far as it has come.
   * @throws {ApiError} `NOT_FOUND` for another's session; `VALIDATION_ERROR`; `CONFLICT` while an answer of the session is under way, and
   *   over 2 000 messages of the session.
   * @see docs/specification/chat.md#messages
   */
  async function send(
    caller: Caller,
    input: z.input<typeof NewMessage>,
    waitSeconds?: number | null,
    query: MessageShape = {},
  ): Promise<MessageRecord> {
    const { profileUuid } = authorize(caller, 'chat:write');
    const { sessionId, message, includeContext } = parse(NewMessage, input);
    const wait = parse(Wait, waitSeconds);
    const sessionUuid = requireUuid(sessionId, sessionNotFound);
    const order = await database.outsideUnit(() =>
      database.transaction(async (tx) => {
        const session = await hold(tx, sessionUuid, profileUuid);
        const [questionUuid, now] = [randomUUID(), clock.now()];
        const questionOrdinal = session.last_ordinal + 1;
        const shared = { sessionUuid, profileUuid, includeContext, createdAt: now };
        const question = { ...shared, uuid: questionUuid, ordinal: questionOrdinal, role: 'user', content: message };
        await tx.prisma.chatMessage.create({ data: { ...question, status: 'complete', finishedAt: now } });
        await tx.query(statements.countMessages(sessionUuid, titleOf(message), 2, now));
        return place(tx, caller, session, {
          ...shared,
          questionUuid,
          questionOrdinal,
          question: message,
          ordinal: questionOrdinal + 1,
          replacesUuid: null,
        });
      }),
    );
    return answered(order, wait, query);
  }

  /**
   * Answers a question again whose last answer failed or was aborted.
   *
   * @param uuid The answer.
   * @returns The new answer as far as it has come.
   * @throws {ApiError} `NOT_FOUND` for another's message and for a question; `CONFLICT` for an answer that is complete or under way, that
   *   was tried again already, or as `send`.
   */
  async function retry(
    caller: Caller,
    uuid: string,
    waitSeconds?: number | null,
    query: MessageShape = {},
  ): Promise<MessageRecord> {
    return again(caller, uuid, waitSeconds, query, ({ status }) => {
      if (status !== 'failed' && status !== 'aborted')
        throw new ApiError('CONFLICT', 'Only an answer that failed or was aborted can be tried again');
    });
  }

  /**
   * Answers a question again whose answer cites words that have changed since.
   *
   * @param uuid The answer.
   * @returns The new answer as far as it has come; its `replacesUuid` is the old one.
   * @throws {ApiError} as `retry`; `CONFLICT` for an answer that cites nothing that has changed.
   */
  async function renew(
    caller: Caller,
    uuid: string,
    waitSeconds?: number | null,
    query: MessageShape = {},
  ): Promise<MessageRecord> {
    return again(caller, uuid, waitSeconds, query, ({ staleAt }) => {
      if (staleAt === null) throw new ApiError('CONFLICT', 'The citations of this answer have not changed');
    });
  }

  /**
   * Writes another answer to the question of an answer. @param check Throws for an answer that must not be written
   * again.
   */
  async function again(
    caller: Caller,
    uuid: string,
    waitSeconds: number | null | undefined,
    query: MessageShape,
    check: (answer: MessageRecord) => void,
  ): Promise<MessageRecord> {
    const { profileUuid } = authorize(caller, 'chat:write');
    const wait = parse(Wait, waitSeconds);
    const where = { uuid: requireUuid(uuid, messageNotFound), profileUuid, role: 'assistant' };
    const order = await database.outsideUnit(() =>
      database.transaction(async (tx) => {
        const known = await tx.prisma.chatMessage.findFirst({ where });
        if (known === null) throw messageNotFound();
        const session = await hold(tx, known.sessionUuid, profileUuid);
        // Read again under the lock: it may have been answered since.
        const old = await tx.prisma.chatMessage.findFirstOrThrow({ where });
        check(old);
        const { sessionUuid, questionUuid, includeContext } = old;
        if ((await tx.prisma.chatMessage.count({ where: { sessionUuid, replacesUuid: old.uuid } })) > 0)
          throw new ApiError('CONFLICT', 'Another answer has already replaced this one');
        const question = await tx.prisma.chatMessage.findUniqueOrThrow({ where: { uuid: questionUuid as string } });
        await tx.query(statements.countMessages(sessionUuid, '', 1, clock.now()));
        return place(tx, caller, session, {
          sessionUuid,
          profileUuid,
          includeContext,
          createdAt: clock.now(),
          questionUuid: question.uuid,
          questionOrdinal: question.ordinal,
          question: question.content,
          ordinal: session.last_ordinal + 1,
          replacesUuid: old.uuid,
        });
      }),
    );
    return answered(order, wait, query);
  }

  /** Begins an answer, and waits for it. */
  async function answered(order: AnswerOrder, waitSeconds: number, query: MessageShape): Promise<MessageRecord> {
    answering.begin(order);
    events.publish(channelOf(order.sessionUuid), null);
    if (waitSeconds > 0) await answering.settled(order.messageUuid, waitSeconds * 1_000);
    const message = await database.outsideUnit(() =>
      prisma.chatMessage.findUnique({ ...query, where: { uuid: order.messageUuid } }),
    );
    // Its session was deleted since.
    if (message === null) throw sessionNotFound();
    return message;
  }

  /**
   * Stops an answer: its text so far is kept and counted. An answer that has ended stays as it is.
   *
   * @returns The answer, aborted or about to be.
   * @throws {ApiError} `NOT_FOUND` for a message of another profile and for a question.
   */
  async function abort(caller: Caller, uuid: string, query: MessageShape = {}): Promise<MessageRecord> {
    const { profileUuid } = authorize(caller, 'chat:write');
    const where = { uuid: requireUuid(uuid, messageNotFound), profileUuid, role: 'assistant' };
    await database.query(statements.requestAbort(where.uuid, profileUuid, clock.now()));
    answering.abort(where.uuid);
    await answering.settled(where.uuid, 2_000);
    const message = await prisma.chatMessage.findFirst({ ...query, where });
    if (message === null) throw messageNotFound();
    return message;
  }

  return { send, retry, renew, abort, ...createMessageLists({ database }) };
}

/** The beginning of a message as one line. */
function titleOf(message: string): string {
  const line = message.replace(/\p{Cc}+/gu, ' ').trim();
  const title =
    line.length > titleMax
      ? `${line
          .slice(0, titleMax - 1)
          .toWellFormed()
          .replace('\ufffd', '')}…`
      : line;
  return title === '' ? 'Chat' : title;
}
