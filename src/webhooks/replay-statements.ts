import type { Statement } from '../platform/database/database.ts';
import { claimSeconds } from './schedule.ts';
import { claimedColumns, now } from './statements.ts';

/** A test call and its event, claimed at once by the process that makes it. */
export const insertTest = (
  pinned: Date | null,
  values: {
    webhookUuid: string;
    deliveryUuid: string;
    claim: string;
    eventUuid: string;
    event: string;
    dataText: string;
  },
): Statement => ({
  name: 'webhooks_insert_test',
  text: `WITH clock AS ${now},
    e AS (
      INSERT INTO webhook_events (uuid, data, event_at, created_at) SELECT $5, $7, now, now FROM clock RETURNING data, event_at),
    d AS (
      INSERT INTO webhook_deliveries (uuid, webhook_uuid, event_uuid, event, attempt, status, due_at, claim, claimed_until, is_test,
        created_at, updated_at)
      SELECT $3, $2, $5, $6, 1, 'pending', now, $4, now + interval '${claimSeconds} seconds', true, now, now
      FROM clock RETURNING *)
    SELECT ${claimedColumns}, e.data, e.event_at, false AS was_lost FROM clock, e, d JOIN webhooks w ON w.uuid = d.webhook_uuid`,
  values: [
    pinned,
    values.webhookUuid,
    values.deliveryUuid,
    values.claim,
    values.eventUuid,
    values.event,
    values.dataText,
  ],
});

/**
 * A new delivery of an event that was delivered before, due at once. A test call stays one: its failure does not count against the
 * webhook. The event is locked: a purge of it goes first, and then there is nothing to repeat, or passes it over.
 */
export const replayOne = (pinned: Date | null, deliveryUuid: string, uuid: string): Statement => ({
  name: 'webhooks_replay_one',
  text: `INSERT INTO webhook_deliveries
      (uuid, webhook_uuid, event_uuid, event, attempt, status, due_at, is_test, created_at, updated_at)
    SELECT $3, d.webhook_uuid, d.event_uuid, d.event, 1, 'pending', now, d.is_test, now, now
    FROM ${now} clock, webhook_deliveries d JOIN webhook_events e ON e.uuid = d.event_uuid
    WHERE d.uuid = $2 FOR KEY SHARE OF e`,
  values: [pinned, deliveryUuid, uuid],
});

/** Locks a webhook for the rest of a transaction; deliveries of new events are still written. */
export const holdWebhook = (webhookUuid: string): Statement => ({
  name: 'webhooks_hold',
  text: 'SELECT 1 FROM webhooks WHERE uuid = $1 FOR NO KEY UPDATE',
  values: [webhookUuid],
});

/**
 * A new delivery of each event that failed for good since an instant and has neither succeeded nor is under way: the oldest
 * first, at most so many. The events are locked as by `replayOne`.
 */
export const replayFailed = (pinned: Date | null, webhookUuid: string, since: Date, most: number): Statement => ({
  name: 'webhooks_replay_failed',
  text: `WITH clock AS ${now},
    since AS (SELECT * FROM webhook_deliveries WHERE webhook_uuid = $2 AND created_at >= $3 AND NOT is_test),
    failed AS (
      SELECT DISTINCT ON (event_uuid) event_uuid, event, created_at FROM since
      WHERE status = 'failed' AND next_retry_at IS NULL
        AND event_uuid NOT IN (SELECT event_uuid FROM since WHERE status IN ('pending', 'succeeded'))
      ORDER BY event_uuid, created_at),
    written AS (
      INSERT INTO webhook_deliveries
        (uuid, webhook_uuid, event_uuid, event, attempt, status, due_at, created_at, updated_at)
      SELECT gen_random_uuid(), $2, f.event_uuid, f.event, 1, 'pending', now, now, now
      FROM clock, (SELECT * FROM failed ORDER BY created_at LIMIT $4) f JOIN webhook_events e ON e.uuid = f.event_uuid
      FOR KEY SHARE OF e
      RETURNING 1)
    SELECT count(*)::int AS count FROM written`,
  values: [pinned, webhookUuid, since, most],
});
