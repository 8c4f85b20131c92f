import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { integerBetween, parse, requireUuid } from '../platform/input/input.ts';
import type { Events } from '../platform/messaging/events.ts';
import { over } from '../platform/messaging/watches.ts';
import { messageNotFound, sessionNotFound } from './session.ts';
import * as statements from './statements.ts';

/** The channel that signals new parts of a session. */
export const channelOf = (sessionUuid: string) => `chat:${sessionUuid}`;

/** Something that happens to an answer, in order. */
export interface ChatStep {
  readonly messageUuid: string;
  /** The number of the part in its answer, from 1. The end has the number after the last part. */
  readonly number: number;
  readonly kind: 'TEXT' | 'TOOL' | 'END';
  /** Text to append, or the call of a tool as JSON; empty at the end, when the whole message can be read. */
  readonly text: string;
}

/** A signal can be lost with a connection to Redis; the stored text cannot. */
const lookEveryMs = 5_000;
/** Rows of one look. */
const rowsMax = 200;

const After = integerBetween('after', 0, 2_147_483_647).nullish();

/** Follows answers as they are written, in whichever process that happens. */
export function createFollow({ database, events }: { database: Database; events: Pick<Events, 'subscribe'> }) {
  /**
   * The answers of a session: the stored part of the answer in progress, then each step as it happens, then further
   * answers.
   *
   * @throws {ApiError} `NOT_FOUND` for a session of another profile.
   */
  async function inSession(caller: Caller, sessionId: string): Promise<AsyncGenerator<ChatStep, void, void>> {
    const { profileUuid } = authorize(caller, 'chat:read');
    return follow(profileUuid, requireUuid(sessionId, sessionNotFound), null, 0);
  }

  async function follow(
    profileUuid: string,
    sessionUuid: string,
    messageUuid: string | null,
    after: number,
  ): Promise<AsyncGenerator<ChatStep, void, void>> {
    // Subscribe first: later text is signalled, earlier text is read.
    const signals = await events.subscribe<null>(channelOf(sessionUuid));
    try {
      const place = await placeOf(profileUuid, sessionUuid, messageUuid);
      return steps(signals, sessionUuid, messageUuid, { ordinal: place, number: messageUuid === null ? 0 : after });
    } catch (error) {
      await signals.return();
      throw error;
    }
  }

  /**
   * One answer by itself: all that is stored of it, then each step as it happens. Its end is the last step.
   *
   * @param after The number of the last step that was received; 0 if left out.
   * @throws {ApiError} `NOT_FOUND` for another's message and for a question; `VALIDATION_ERROR`.
   */
  async function answer(
    caller: Caller,
    messageId: string,
    after?: number | null,
  ): Promise<AsyncGenerator<ChatStep, void, void>> {
    const { profileUuid } = authorize(caller, 'chat:read');
    const where = { uuid: requireUuid(messageId, messageNotFound), profileUuid, role: 'assistant' };
    const found = await database.prisma.chatMessage.findFirst({ where, select: { sessionUuid: true } });
    if (found === null) throw messageNotFound();
    return follow(profileUuid, found.sessionUuid, where.uuid, parse(After, after) ?? 0);
  }

  /** Where to begin: at the answer that is asked for, else at the one under way, else behind the last. */
  async function placeOf(profileUuid: string, sessionUuid: string, messageUuid: string | null): Promise<number> {
    const session = await database.prisma.chatSession.findFirst({
      where: { uuid: sessionUuid, profileUuid },
      select: { lastOrdinal: true },
    });
    if (session === null) throw sessionNotFound();
    const underWay = { in: ['pending', 'streaming'] };
    const message = await database.prisma.chatMessage.findFirst({
      where: {
        sessionUuid,
        role: 'assistant',
        ...(messageUuid === null ? { status: underWay } : { uuid: messageUuid }),
      },
      select: { ordinal: true },
    });
    if (message === null && messageUuid !== null) throw messageNotFound();
    return message?.ordinal ?? session.lastOrdinal + 1;
  }

  function steps(
    signals: AsyncGenerator<null, void, void>,
    sessionUuid: string,
    onlyUuid: string | null,
    place: { ordinal: number; number: number },
  ): AsyncGenerator<ChatStep, void, void> {
    let { ordinal, number } = place;
    let ready: ChatStep[] = [];
    let isEnded = false;
    let areSignalsOver = false;
    let signal: Promise<unknown> | null = null;

    async function look(): Promise<boolean> {
      const rows = await database.read<statements.PartRow>(
        statements.partsAfter(sessionUuid, ordinal, number, onlyUuid, rowsMax),
      );
      for (const [index, row] of rows.entries()) {
        if (row.ordinal > ordinal) [ordinal, number] = [row.ordinal, 0];
        if (row.number !== null && row.number > number) {
          number = row.number;
          const kind = row.kind === 'tool' ? 'TOOL' : 'TEXT';
          ready.push({ messageUuid: row.message_uuid, number, kind, text: row.text ?? '' });
        }
        const next = rows[index + 1];
        const isLastOfMessage = next ? next.ordinal !== row.ordinal : rows.length < rowsMax;
        if (!isLastOfMessage || row.status === 'pending' || row.status === 'streaming') continue;
        ready.push({ messageUuid: row.message_uuid, number: number + 1, kind: 'END', text: '' });
        if (onlyUuid !== null) isEnded = true;
        [ordinal, number] = [row.ordinal + 1, 0];
      }
      return rows.length === rowsMax;
    }

    return over(signals, async (isOver) => {
      while (!isOver()) {
        const step = ready.shift();
        if (step) return step;
        if (isEnded) return null;
        ready = [];
        const isMore = await look();
        if (ready.length > 0 || isEnded || isMore) continue;
        signal ??= signals.next().then(({ done }) => {
          signal = null;
          areSignalsOver = done === true;
        });
        await firstOf(signal, lookEveryMs);
        if (areSignalsOver) return null;
      }
      return null;
    });
  }

  return { inSession, answer };
}

/** Waits for a promise, but not longer than some milliseconds. */
async function firstOf(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
    timer.unref();
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
