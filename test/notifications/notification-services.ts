import { Client } from 'pg';
import { expect } from 'vitest';
import type { Services } from '../../schema/context.ts';
import { createServices } from '../../src/main/services.ts';
import type { Notification } from '../../src/notifications/notification.ts';
import type { Caller } from '../../src/platform/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Events } from '../../src/platform/messaging/events.ts';
import { cleanUp } from '../support/cleanup.ts';
import { patienceMs, within } from '../support/deadline.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';

/** All areas over a database of their own, and what tests of notifications ask of it besides. */
export async function createNotificationServices() {
  const test = await createTestServices();
  const { services, clock, infrastructure } = test;
  const sql = new Client({ connectionString: test.url });
  await sql.connect();
  cleanUp(() => sql.end());
  return {
    ...test,
    sql,
    /** A new profile, as its key. */
    someone: async () => (await keyOf(services, await signUp(services))).caller,
    /** All services once more over the same database, by the same clock. */
    servicesWith: (events: Events, database: Database = test.database): Services =>
      createServices({ ...infrastructure, database, events }),
    /** The outbox of a profile, or the queued emails to an address, the oldest first. */
    async queued(queue: 'events' | 'mail', profileOrAddress: string): Promise<Record<string, unknown>[]> {
      const text =
        queue === 'mail'
          ? "SELECT data FROM pgboss.job WHERE name = 'mail' AND data::text LIKE $1 ORDER BY created_on"
          : `SELECT json_build_object('id', uuid, 'profileUuid', profile_uuid, 'type', type, 'data', data::json) AS data
              FROM outbox_events WHERE profile_uuid::text LIKE $1 ORDER BY seq`;
      const { rows } = await sql.query(text, [`%${profileOrAddress}%`]);
      return rows.map(({ data }) => data);
    },
    /** Notifications written by SQL, with numbers after the existing ones; subscribers are not signalled. */
    async fill(caller: Caller, count: number): Promise<void> {
      await sql.query(
        `WITH next AS (INSERT INTO notification_counters AS c VALUES ($1, $2)
            ON CONFLICT (profile_uuid) DO UPDATE SET last_seq = c.last_seq + $2 RETURNING last_seq - $2 AS seq)
          INSERT INTO notifications (uuid, profile_uuid, seq, type, message, metadata, created_at)
          SELECT gen_random_uuid(), $1, next.seq + i, 'SYSTEM', (next.seq + i)::text, '{}', $3
          FROM next, generate_series(1, $2::int) i`,
        [profileOf(caller), count, clock.now()],
      );
    },
  };
}

export const profileOf = (caller: Caller) => String(caller.principal?.profileUuid);
export const messages = (found: readonly Notification[]) => found.map(({ message }) => message);
export const make = async ({ notifications }: Services, caller: Caller, message = 'm') =>
  (await notifications.create(caller, { message })).notification;

export const apiError = (code: string, facts: object = {}) =>
  expect.objectContaining({ name: 'ApiError', code, ...facts });
export const errorAbout = (field: string) => apiError('VALIDATION_ERROR', { details: { [field]: expect.any(String) } });
export const notFound = apiError('NOT_FOUND', { message: 'Notification not found' });

/** The next so many of a stream. */
export async function take<Payload>(stream: AsyncGenerator<Payload>, count: number): Promise<Payload[]> {
  const taken: Payload[] = [];
  while (taken.length < count) {
    const next = await within(`payload ${taken.length + 1} of ${count}`, patienceMs, stream.next());
    if (next.done) throw new Error(`the stream ended after ${taken.length}`);
    taken.push(next.value);
  }
  return taken;
}
