import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Events } from './events.ts';

/** An event that must be delivered. */
export interface OutboxEvent {
  readonly id: string;
  readonly profileUuid: string;
  readonly type: string;
  readonly data: object;
  readonly occurredAt: Date;
}

/**
 * What must arrive: written in the transaction of what caused it, and kept until every reader has it. What may be lost goes
 * over src/platform/messaging/events.ts instead.
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
  /** The same for several events of one type, in one statement. They are delivered in the order of the list. */
  writeAll<Type extends keyof Payloads & string>(
    tx: Pick<Database, 'query'>,
    type: Type,
    events: readonly { readonly profileUuid: string; readonly data: Payloads[Type] }[],
  ): Promise<void>;
  /** To be called after the commit: the relays look at once, in every process. Without it they look within a second. */
  wake(): void;
}

/** The channel that signals a write. */
export const outboxChannel = 'outbox';

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
    wake: () => events.publish(outboxChannel, null),
  };
}

/** How long the oldest event has been waiting to be taken; 0 when there is none. Events that were set aside are not counted. */
export async function oldestEventSeconds({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const [row] = await database.query<{ seconds: number }>({
    name: 'outbox_oldest',
    text: `SELECT greatest(0, extract(epoch FROM coalesce($1::timestamptz, statement_timestamp()) - occurred_at))::float8 AS seconds
      FROM outbox_events WHERE set_aside_at IS NULL ORDER BY seq LIMIT 1`,
    values: [clock.pinned()],
  });
  return row?.seconds ?? 0;
}

/** How many events were set aside because their readers had failed too often. */
export async function eventsSetAside({ database }: { database: Database }): Promise<number> {
  const [row] = await database.query<{ count: number }>({
    name: 'outbox_set_aside',
    text: 'SELECT count(*)::int AS count FROM outbox_events WHERE set_aside_at IS NOT NULL',
  });
  return row?.count ?? 0;
}
