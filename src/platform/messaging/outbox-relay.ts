import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import type { Events } from './events.ts';
import { type OutboxEvent, outboxChannel } from './outbox.ts';
import { type OutboxRow, peek, postpone, take, takeThese } from './outbox-statements.ts';
import { subscribeToSignals } from './signals.ts';

/** A part of the product that is given every event. */
export interface OutboxReader {
  readonly name: string;
  /**
   * Takes events over, as part of the transaction that takes them out of the outbox: each exactly once. No network here.
   *
   * @returns What to do after the commit.
   */
  read(tx: Database, batch: readonly OutboxEvent[]): Promise<() => void>;
}

export interface OutboxRelay {
  /** Hands over all that is due. @returns How many events it was. */
  relay(): Promise<number>;
  /** Runs when it is woken, and every second. @returns A function that stops it and waits for running work. */
  start(): Promise<() => Promise<void>>;
}

const everyMs = 1_000;
/** Events of one transaction, at most; their data in bytes, above which it takes no further event; and the profiles that they are of. */
const batchRowsMax = 500;
const batchBytes = 4_000_000;
const batchProfiles = 64;
/** A batch that took longer is followed by one half as large: the next profile's events wait for it. */
const batchMs = 250;
const firstProfile = '00000000-0000-0000-0000-000000000000';

/**
 * Hands events to the readers. Profiles with due events take turns, each with the same share of a batch, and those of a profile are
 * taken in the order in which they were written. Any number of relays may run: each event is in the hands of one, and back in the
 * outbox the moment that one dies.
 *
 * A batch that fails while the database answers is handed over in halves, down to the event that fails alone. That one waits, longer
 * each time, and is set aside in the end. It holds up no other.
 */
export function createOutboxRelay(deps: {
  database: Database;
  clock: Clock;
  events: Pick<Events, 'subscribe'>;
  log: Logger;
  readers: readonly OutboxReader[];
}): OutboxRelay {
  const { database, clock, events, log, readers } = deps;
  /** The profile whose turn was the last. */
  let lastProfile = firstProfile;
  let batchRows = batchRowsMax;

  /** @param onTaken Receives the events before the readers do. */
  async function handOver(
    taking: ReturnType<typeof take>,
    onTaken: (given: OutboxRow[]) => void = () => {},
  ): Promise<number> {
    const { taken, after } = await database.transaction(async (tx) => {
      const given = (await tx.query<OutboxRow>(taking)).sort(bySeq);
      onTaken(given);
      const batch = given.map(eventOf);
      const after: (() => void)[] = [];
      if (batch.length > 0) for (const reader of readers) after.push(await reader.read(tx, batch));
      return { taken: batch.length, after };
    });
    for (const each of after) each();
    return taken;
  }

  /** Hands over in halves what failed together. @returns How many events were handed over. */
  async function handOverHalves(rows: readonly OutboxRow[], error: unknown): Promise<number> {
    // Not the events' fault: the next look is in a second.
    if (await isAway()) throw error;
    const [first] = rows;
    if (first === undefined) throw error;
    if (rows.length === 1) {
      await giveBack(first, error);
      return 0;
    }
    const middle = Math.ceil(rows.length / 2);
    let total = 0;
    for (const half of [rows.slice(0, middle), rows.slice(middle)])
      total += await handOver(takeThese(half)).catch((cause: unknown) => handOverHalves(half, cause));
    return total;
  }

  const isAway = () =>
    database.ping().then(
      () => false,
      () => true,
    );

  /** Lets an event wait that cannot be handed over, or sets it aside. */
  async function giveBack({ seq, uuid: event, type }: OutboxRow, error: unknown): Promise<void> {
    const [row] = await database.query<{ failures: number; is_set_aside: boolean }>(postpone(clock.pinned(), seq));
    if (row?.is_set_aside)
      log.error({ event, type, error }, 'an event of the outbox was set aside: it could not be handed over');
    else if (row?.failures === 1)
      log.warn({ event, type, error }, 'an event of the outbox could not be handed over; it is tried again');
  }

  async function handOverBatch(): Promise<{ rows: number; handedOver: number }> {
    const limits = { after: lastProfile, rows: batchRows, bytes: batchBytes, profiles: batchProfiles };
    let given: OutboxRow[] = [];
    const begun = performance.now();
    let handedOver: number;
    try {
      handedOver = await handOver(take(clock.pinned(), limits), (rows) => {
        given = rows;
      });
      batchRows =
        performance.now() - begun > batchMs ? Math.ceil(batchRows / 2) : Math.min(batchRowsMax, batchRows * 2);
    } catch (error) {
      batchRows = Math.ceil(batchRows / 2);
      handedOver = await handOverHalves(given.toSorted(byProfile), error);
    }
    lastProfile = lastOf(given, lastProfile);
    return { rows: given.length, handedOver };
  }

  async function relay(): Promise<number> {
    // Most runs find nothing: one statement shows it, a transaction takes three.
    const [any] = await database.query(peek(clock.pinned()));
    if (!any) return 0;
    for (let total = 0; ; ) {
      const { rows, handedOver } = await handOverBatch();
      if (rows === 0) return total;
      total += handedOver;
    }
  }

  async function start(): Promise<() => Promise<void>> {
    let isStopping = false;
    let isWanted = false;
    let running: Promise<void> | null = null;
    const look = () => {
      isWanted = true;
      running ??= (async () => {
        while (isWanted && !isStopping) {
          isWanted = false;
          await relay();
        }
      })()
        .catch((error: unknown) => database.report(error, 'the outbox could not be read'))
        .finally(() => {
          running = null;
          // Requests since the last run.
          if (isWanted && !isStopping) look();
        });
    };
    const unsubscribe = await subscribeToSignals(
      { events, report: database.report },
      { channel: outboxChannel, of: 'the outbox' },
      look,
    );
    const timer = setInterval(look, everyMs).unref();
    look();
    return async () => {
      isStopping = true;
      clearInterval(timer);
      await unsubscribe();
      await running;
    };
  }

  return { relay, start };
}

const bySeq = (a: OutboxRow, b: OutboxRow) => Number(BigInt(a.seq) - BigInt(b.seq));

/** Halves then hold different profiles: what one of them wrote is found apart from the others. */
const byProfile = (a: OutboxRow, b: OutboxRow) =>
  a.profile_uuid === b.profile_uuid ? bySeq(a, b) : a.profile_uuid < b.profile_uuid ? -1 : 1;

/** Whose turn was the last of a batch that began after a profile: the profiles behind that one come first, then those before. */
function lastOf(rows: readonly OutboxRow[], after: string): string {
  const profiles = rows.map((row) => row.profile_uuid);
  const before = profiles.filter((profile) => profile <= after);
  return (before.length > 0 ? before : profiles).toSorted().at(-1) ?? after;
}

const eventOf = (row: OutboxRow): OutboxEvent => ({
  id: row.uuid,
  profileUuid: row.profile_uuid,
  type: row.type,
  data: JSON.parse(row.data),
  occurredAt: row.occurred_at,
});
