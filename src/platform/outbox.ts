import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Database, Statement } from './database/database.ts';
import { isRefusal } from './errors.ts';
import type { Events } from './events.ts';
import { heedHints } from './hints.ts';
import type { Logger } from './logger.ts';

/** Something that happened and must be told. */
export interface OutboxEvent {
  readonly id: string;
  readonly profileUuid: string;
  readonly type: string;
  readonly data: object;
  readonly occurredAt: Date;
}

/**
 * What must arrive: written in the transaction of what caused it, and kept until every reader has it. What may be lost goes
 * over src/platform/events.ts instead.
 */
export interface Outbox<Payloads> {
  /**
   * @param tx The transaction of the cause. With its commit the event is there, whatever breaks afterwards.
   * @returns The event's id.
   */
  write<Type extends keyof Payloads & string>(
    tx: Pick<Database, 'query'>,
    event: { readonly profileUuid: string; readonly type: Type; readonly data: Payloads[Type] },
  ): Promise<string>;
  /** The same for any number of events of one type, in one statement. They are told in the order of the list. */
  writeAll<Type extends keyof Payloads & string>(
    tx: Pick<Database, 'query'>,
    type: Type,
    events: readonly { readonly profileUuid: string; readonly data: Payloads[Type] }[],
  ): Promise<void>;
  /** To be called after the commit: the relays look at once, in every process. Without it they look within a second. */
  wake(): void;
}

/** Where it is said that something was written. */
const wakeChannel = 'outbox';

export function createOutbox<Payloads extends Record<string, object>>({
  clock,
  events,
}: {
  clock: Clock;
  events: Pick<Events, 'publish'>;
}): Outbox<Payloads> {
  return {
    async write(tx, { profileUuid, type, data }) {
      const id = randomUUID();
      await tx.query({
        name: 'outbox_write',
        // Due by the clock that the relays ask: a machine that is an hour ahead would hold its events back for an hour.
        text: `INSERT INTO outbox_events (uuid, profile_uuid, type, data, occurred_at, due_at)
          VALUES ($1, $2, $3, $4, $5, date_trunc('milliseconds', coalesce($6::timestamptz, statement_timestamp())))`,
        values: [id, profileUuid, type, JSON.stringify(data), clock.now(), clock.pinned()],
      });
      return id;
    },
    async writeAll(tx, type, events) {
      if (events.length === 0) return;
      await tx.query({
        name: 'outbox_write_all',
        text: `INSERT INTO outbox_events (uuid, profile_uuid, type, data, occurred_at, due_at)
          SELECT uuid, profile_uuid, $1, data, $5, date_trunc('milliseconds', coalesce($6::timestamptz, statement_timestamp()))
          FROM unnest($2::uuid[], $3::uuid[], $4::text[]) WITH ORDINALITY AS t (uuid, profile_uuid, data, place) ORDER BY place`,
        values: [
          type,
          events.map(() => randomUUID()),
          events.map(({ profileUuid }) => profileUuid),
          events.map(({ data }) => JSON.stringify(data)),
          clock.now(),
          clock.pinned(),
        ],
      });
    },
    wake: () => events.publish(wakeChannel, null),
  };
}

/** Somebody who must hear of everything. */
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
  /** Does so whenever it is woken, and every second. @returns Takes nothing more, and waits for what is under way. */
  start(): Promise<() => Promise<void>>;
}

const everyMs = 1_000;
/** Events of one transaction. */
const batchRows = 500;
/** The pause after the n-th failure is 2^n seconds, at most this. */
const pauseSecondsMax = 300;

interface OutboxRow {
  seq: string;
  uuid: string;
  profile_uuid: string;
  type: string;
  data: string;
  occurred_at: Date;
}

/**
 * Hands what was written to the readers, in the order it was written. Any number of relays may run: each event is in the hands
 * of one, and back in the outbox the moment that one dies. One that a reader cannot take holds up no other.
 */
export function createOutboxRelay(deps: {
  database: Database;
  clock: Clock;
  events: Pick<Events, 'subscribe'>;
  log: Logger;
  readers: readonly OutboxReader[];
}): OutboxRelay {
  const { database, clock, events, log, readers } = deps;

  /** @returns How many there were. @param onTaken Is told which, before the readers have them. */
  async function handOver(rows: number, onTaken: (given: readonly OutboxRow[]) => void = () => {}): Promise<number> {
    const { taken, after } = await database.transaction(async (tx) => {
      const given = await tx.query<OutboxRow>(take(clock.pinned(), rows));
      onTaken(given);
      const batch = given.sort((a, b) => Number(BigInt(a.seq) - BigInt(b.seq))).map(eventOf);
      const after: (() => void)[] = [];
      if (batch.length > 0) for (const reader of readers) after.push(await reader.read(tx, batch));
      return { taken: batch.length, after };
    });
    for (const each of after) each();
    return taken;
  }

  /** Finds the event that cannot be taken: one by one, and that one waits. */
  async function handOverOneByOne(cause: unknown): Promise<void> {
    log.error({ error: cause }, 'a batch of the outbox failed; its events are handed over one by one');
    for (let each = 0; each < batchRows; each++) {
      let row: OutboxRow | undefined;
      try {
        const taken = await handOver(1, ([only]) => {
          row = only;
        });
        if (taken === 0) return;
      } catch (error) {
        if (isAway(error) || row === undefined) throw error;
        await database.query(postpone(clock.pinned(), row.seq));
        log.error({ event: row.uuid, type: row.type, error }, 'an event of the outbox could not be handed over');
      }
    }
  }

  async function relay(): Promise<number> {
    // Most looks find nothing: one statement tells, where a transaction takes three.
    const [any] = await database.query(peek(clock.pinned()));
    if (!any) return 0;
    for (let total = 0; ; ) {
      let taken: number;
      try {
        taken = await handOver(batchRows);
      } catch (error) {
        // Not the event's fault: the next look is in a second.
        if (isAway(error)) throw error;
        await handOverOneByOne(error);
        continue;
      }
      total += taken;
      if (taken < batchRows) return total;
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
        .catch((error: unknown) => log.warn({ error }, 'the outbox could not be read'))
        .finally(() => {
          running = null;
          // What was wanted after the last look.
          if (isWanted && !isStopping) look();
        });
    };
    const deaf = await heedHints({ events, log }, { channel: wakeChannel, of: 'the outbox' }, look);
    const timer = setInterval(look, everyMs).unref();
    look();
    return async () => {
      isStopping = true;
      clearInterval(timer);
      await deaf();
      await running;
    };
  }

  return { relay, start };
}

/** How long the oldest event has been waiting; 0 when there is none. */
export async function oldestEventSeconds({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const [row] = await database.query<{ seconds: number }>({
    name: 'outbox_oldest',
    text: `SELECT greatest(0, extract(epoch FROM coalesce($1::timestamptz, statement_timestamp()) - occurred_at))::float8 AS seconds
      FROM outbox_events ORDER BY seq LIMIT 1`,
    values: [clock.pinned()],
  });
  return row?.seconds ?? 0;
}

const eventOf = (row: OutboxRow): OutboxEvent => ({
  id: row.uuid,
  profileUuid: row.profile_uuid,
  type: row.type,
  data: JSON.parse(row.data),
  occurredAt: row.occurred_at,
});

const due = (
  rows: string,
) => `SELECT seq FROM outbox_events WHERE due_at <= coalesce($1::timestamptz, statement_timestamp())
  ORDER BY seq LIMIT ${rows} FOR UPDATE SKIP LOCKED`;

/** Whether anything is due. */
const peek = (pinned: Date | null): Statement => ({
  name: 'outbox_peek',
  text: 'SELECT FROM outbox_events WHERE due_at <= coalesce($1::timestamptz, statement_timestamp()) LIMIT 1',
  values: [pinned],
});

/** Takes the oldest that are due. */
const take = (pinned: Date | null, rows: number): Statement => ({
  name: 'outbox_take',
  // Nobody waits for a relay.
  query_timeout: 9_000,
  // Nor for its commit to be on the disk: what a power cut takes back is in the outbox again, and nowhere else.
  text: `WITH mode AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    DELETE FROM outbox_events USING mode WHERE seq = ANY (ARRAY(${due('$2')})) RETURNING outbox_events.*`,
  values: [pinned, rows],
});

const isAway = (error: unknown) => isRefusal(error) && error.code === 'UNAVAILABLE';

/** Lets one wait. */
const postpone = (pinned: Date | null, seq: string) => ({
  name: 'outbox_postpone',
  text: `UPDATE outbox_events SET failures = failures + 1,
      due_at = coalesce($1::timestamptz, statement_timestamp()) + make_interval(secs => least(power(2, failures + 1), $2))
    WHERE seq = $3`,
  values: [pinned, pauseSecondsMax, seq],
});
