import type { Statement } from '../platform/database/database.ts';
import type { OutboxEvent } from '../platform/messaging/outbox.ts';
import { claimSeconds, lossesTogetherMax } from './schedule.ts';

/** The instant of a statement by the database's clock, or the pinned one, `$1`. */
export const now = `(SELECT date_trunc('milliseconds', coalesce($1::timestamptz, statement_timestamp())) AS now)`;

/**
 * The same for writes of a worker: its commit does not wait for the disk. No client was promised anything, and lost
 * writes are repeated after a power cut: a forgotten claim, an unknown outcome.
 */
const workersNow = `(SELECT date_trunc('milliseconds', coalesce($1::timestamptz, statement_timestamp())) AS now,
      set_config('synchronous_commit', 'off', true) AS mode)`;

/** A webhook, and the profile whose share of the dispatcher its deliveries use. */
export interface WebhookRow {
  uuid: string;
  profile_uuid: string;
}

/**
 * Writes a pending delivery for each webhook that subscribed to an event, and the data of each such event once. A delivery of a webhook
 * that has failed is written as failed, so that it can be replayed. A webhook that is being deleted is waited for: a delivery of it
 * could not be written.
 */
export const fanOut = (pinned: Date | null, events: readonly (OutboxEvent & { dataText: string })[]): Statement => ({
  name: 'webhooks_fan_out',
  text: `WITH clock AS ${now},
    w AS (
      SELECT uuid, profile_uuid, events, active FROM webhooks
      WHERE profile_uuid = ANY ($3::uuid[]) AND (active OR failed_at IS NOT NULL) ORDER BY uuid FOR KEY SHARE),
    kept AS (
      INSERT INTO webhook_events (uuid, data, event_at, created_at)
      SELECT e.uuid, e.data, e.occurred_at, now
      FROM clock, unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
        AS e (uuid, profile_uuid, type, data, occurred_at)
      WHERE EXISTS (SELECT FROM w WHERE w.profile_uuid = e.profile_uuid AND e.type = ANY (w.events))),
    written AS (
      INSERT INTO webhook_deliveries
        (uuid, webhook_uuid, event_uuid, event, attempt, status, due_at, error, created_at, updated_at)
      SELECT gen_random_uuid(), w.uuid, e.uuid, e.type, 1, CASE WHEN w.active THEN 'pending' ELSE 'failed' END, now,
        CASE WHEN w.active THEN NULL ELSE 'The webhook had failed; nothing was sent' END, now, now
      FROM clock, unnest($2::uuid[], $3::uuid[], $4::text[]) WITH ORDINALITY AS e (uuid, profile_uuid, type, place)
        JOIN w ON w.profile_uuid = e.profile_uuid AND e.type = ANY (w.events)
      ORDER BY place
      RETURNING webhook_uuid, status)
    SELECT uuid, profile_uuid FROM w WHERE uuid IN (SELECT webhook_uuid FROM written WHERE status = 'pending')`,
  values: [
    pinned,
    events.map(({ id }) => id),
    events.map(({ profileUuid }) => profileUuid),
    events.map(({ type }) => type),
    events.map(({ dataText }) => dataText),
    events.map(({ occurredAt }) => occurredAt),
  ],
});

export interface DueRow extends WebhookRow {
  /** Whether deliveries are due that are sent apart from the others; the same in each row. */
  any_apart: boolean;
}

/**
 * The webhooks that have something due. It walks from one webhook's first pending delivery to the next webhook's: the cost
 * is that of the webhooks that wait, however long the queue of each.
 */
export const due = (pinned: Date | null): Statement => ({
  name: 'webhooks_due',
  text: `WITH RECURSIVE heads AS (
      (SELECT webhook_uuid, due_at FROM webhook_deliveries WHERE status = 'pending' ORDER BY webhook_uuid, due_at LIMIT 1)
      UNION ALL
      SELECT next.webhook_uuid, next.due_at FROM heads CROSS JOIN LATERAL (
        SELECT webhook_uuid, due_at FROM webhook_deliveries
        WHERE status = 'pending' AND webhook_uuid > heads.webhook_uuid ORDER BY webhook_uuid, due_at LIMIT 1) next)
    SELECT w.uuid, w.profile_uuid, EXISTS (
        SELECT FROM webhook_deliveries WHERE status = 'pending' AND losses >= ${lossesTogetherMax} AND due_at <= coalesce($1::timestamptz, statement_timestamp())) AS any_apart
    FROM heads JOIN webhooks w ON w.uuid = heads.webhook_uuid
    WHERE w.active AND heads.due_at <= coalesce($1::timestamptz, statement_timestamp())`,
  values: [pinned],
});

/** An attempt that is to be made now. */
export interface ClaimedRow {
  uuid: string;
  webhook_uuid: string;
  event_uuid: string;
  profile_uuid: string;
  attempt: number;
  /** How many workers stopped before they recorded the outcome of this attempt, the one of `was_lost` excluded. */
  losses: number;
  is_test: boolean;
  /** The claim of another worker ended without an outcome: the receiver may have got it or not. */
  was_lost: boolean;
  event: string;
  data: string;
  event_at: Date;
  url: string;
  secret: string;
  /** Null unless it still counts. */
  previous_secret: string | null;
}

/** The rows of one claim as PostgreSQL returns them: an event's data is in the first of the rows that have it. */
export type ClaimedWithSharedData = Omit<ClaimedRow, 'data'> & { data: string | null };

export const claimedColumns = `d.uuid, d.webhook_uuid, d.event_uuid, w.profile_uuid, d.attempt, d.losses, d.is_test, d.event, w.url,
      w.secret, CASE WHEN w.previous_secret_until > now THEN w.previous_secret END AS previous_secret`;

/** Claims what `picked` names. Without LATERAL the plan could read all events; without the CASE each row would carry a copy. */
const claimPicked = `taken AS (
      UPDATE webhook_deliveries d SET claim = $2, claimed_until = now + interval '${claimSeconds} seconds', updated_at = now
      FROM clock, picked, webhooks w
      WHERE d.uuid = picked.uuid AND w.uuid = d.webhook_uuid
      RETURNING ${claimedColumns}, picked.was_lost)
    SELECT t.*, e.event_at, CASE WHEN t.place = 1 THEN e.data END AS data
    FROM (SELECT taken.*, row_number() OVER (PARTITION BY event_uuid) AS place FROM taken) t LEFT JOIN LATERAL (
      SELECT event_at, data FROM webhook_events WHERE uuid = t.event_uuid OFFSET 0) e ON true`;

const isFree = 'q.due_at <= clock.now AND (q.claimed_until IS NULL OR q.claimed_until <= clock.now)';

/**
 * Takes due deliveries, of each webhook at most as many as there is room for; no other worker takes them while the claim lasts.
 *
 * @param claim A new uuid: an outcome counts only with the claim.
 */
export const claim = (
  pinned: Date | null,
  claim: string,
  rooms: readonly (readonly [webhookUuid: string, room: number])[],
): Statement => ({
  name: 'webhooks_claim',
  text: `WITH clock AS MATERIALIZED ${workersNow},
    picked AS (
      SELECT first.uuid, first.claim IS NOT NULL AS was_lost
      FROM clock, unnest($3::uuid[], $4::int[]) AS wanted (webhook_uuid, room)
        JOIN webhooks w ON w.uuid = wanted.webhook_uuid AND w.active
        CROSS JOIN LATERAL (
          SELECT q.uuid, q.claim FROM webhook_deliveries q
          WHERE q.status = 'pending' AND q.losses < ${lossesTogetherMax} AND q.webhook_uuid = wanted.webhook_uuid AND ${isFree}
          ORDER BY q.due_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) first),
    ${claimPicked}`,
  values: [pinned, claim, rooms.map(([uuid]) => uuid), rooms.map(([, room]) => room)],
});

/** Takes the one delivery that has been due for the longest of those that are sent apart from the others. */
export const claimApart = (pinned: Date | null, claim: string): Statement => ({
  name: 'webhooks_claim_apart',
  text: `WITH clock AS MATERIALIZED ${workersNow},
    picked AS (
      SELECT q.uuid, q.claim IS NOT NULL AS was_lost
      FROM clock, webhook_deliveries q JOIN webhooks w ON w.uuid = q.webhook_uuid AND w.active
      WHERE q.status = 'pending' AND q.losses >= ${lossesTogetherMax} AND ${isFree}
      ORDER BY q.due_at LIMIT 1 FOR UPDATE OF q SKIP LOCKED),
    ${claimPicked}`,
  values: [pinned, claim],
});

/** How an attempt went. */
export interface Outcome {
  readonly uuid: string;
  readonly claim: string;
  /**
   * `postponed`: nothing was sent, for a reason of the platform, and the delivery waits again. `lost`: a worker stopped
   * before it recorded the outcome; the delivery is recorded as failed, and the next one repeats it under the same
   * number.
   */
  readonly status: 'succeeded' | 'failed' | 'postponed' | 'lost';
  readonly responseStatus: number | null;
  readonly responseMs: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  /** Null if there is no other attempt. */
  readonly retrySeconds: number | null;
}

export interface RecordedRow {
  uuid: string;
  webhook_uuid: string;
  profile_uuid: string;
  event_uuid: string;
  event: string;
  attempt: number;
  is_test: boolean;
  status: 'succeeded' | 'failed';
  response_status: number | null;
  response_ms: number | null;
  response_body: string | null;
  error: string | null;
  created_at: Date;
  next_retry_at: Date | null;
}

/**
 * Records the outcomes of attempts, and writes their next attempts: later than the predecessor, so that lists by age
 * have them in order. A postponed attempt waits again. An outcome without its claim changes nothing. Webhooks are
 * locked before their deliveries, in the order in which a deletion locks them.
 */
export const record = (pinned: Date | null, outcomes: readonly Outcome[]): Statement => ({
  name: 'webhooks_record',
  text: `WITH clock AS MATERIALIZED ${workersNow},
    given AS (
      SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::text[], $8::text[], $9::int[])
        AS g (uuid, claim, status, response_status, response_ms, response_body, error, retry_seconds)),
    held AS (
      SELECT w.uuid FROM webhooks w
      WHERE w.uuid = ANY (ARRAY(SELECT DISTINCT webhook_uuid FROM webhook_deliveries WHERE uuid = ANY ($2::uuid[])))
      ORDER BY w.uuid FOR KEY SHARE),
    postponed AS (
      UPDATE webhook_deliveries d SET claim = NULL, claimed_until = NULL, due_at = now + make_interval(secs => g.retry_seconds),
        updated_at = now
      FROM given g, clock, (SELECT count(*) FROM held) first
      WHERE g.status = 'postponed' AND d.uuid = g.uuid AND d.claim = g.claim AND d.status = 'pending'),
    closed AS (
      UPDATE webhook_deliveries d SET status = CASE g.status WHEN 'lost' THEN 'failed' ELSE g.status END, claim = NULL,
        claimed_until = NULL, response_status = g.response_status, response_ms = g.response_ms, response_body = g.response_body,
        error = g.error, updated_at = now,
        next_retry_at = now + make_interval(secs => g.retry_seconds - coalesce(g.response_ms, 0) / 1000.0)
      FROM given g, clock, (SELECT count(*) FROM held) first
      WHERE g.status <> 'postponed' AND d.uuid = g.uuid AND d.claim = g.claim AND d.status = 'pending'
      RETURNING d.*, g.status = 'lost' AS was_lost),
    repeated AS (
      UPDATE webhook_deliveries SET next_retry_at = NULL
      WHERE uuid = ANY (ARRAY(SELECT retry_of FROM closed WHERE retry_of IS NOT NULL))),
    retried AS (
      INSERT INTO webhook_deliveries
        (uuid, webhook_uuid, event_uuid, event, attempt, losses, retry_of, status, due_at, created_at, updated_at)
      SELECT gen_random_uuid(), webhook_uuid, event_uuid, event, CASE WHEN was_lost THEN attempt ELSE attempt + 1 END,
        CASE WHEN was_lost THEN losses + 1 ELSE 0 END, uuid, 'pending', next_retry_at,
        greatest(now, created_at + interval '1 millisecond'), now
      FROM closed, clock WHERE next_retry_at IS NOT NULL)
    SELECT c.uuid, c.webhook_uuid, w.profile_uuid, c.event_uuid, c.event, c.attempt, c.is_test, c.status, c.response_status,
      c.response_ms, c.response_body, c.error, c.created_at, c.next_retry_at
    FROM closed c JOIN webhooks w ON w.uuid = c.webhook_uuid`,
  values: [
    pinned,
    outcomes.map(({ uuid }) => uuid),
    outcomes.map(({ claim }) => claim),
    outcomes.map(({ status }) => status),
    outcomes.map(({ responseStatus }) => responseStatus),
    outcomes.map(({ responseMs }) => responseMs),
    outcomes.map(({ responseBody }) => responseBody),
    outcomes.map(({ error }) => error),
    outcomes.map(({ retrySeconds }) => retrySeconds),
  ],
});

export interface FailedWebhookRow {
  uuid: string;
  profile_uuid: string;
  url: string;
}

/** Marks webhooks as failed that are not yet, in an order that two processes share. */
export const fail = (pinned: Date | null, uuids: readonly string[]): Statement => ({
  name: 'webhooks_fail',
  text: `UPDATE webhooks SET active = false, failed_at = now, updated_at = now FROM ${now} clock
    WHERE uuid = ANY (ARRAY(SELECT uuid FROM webhooks WHERE uuid = ANY ($2::uuid[]) AND active ORDER BY uuid FOR NO KEY UPDATE))
    RETURNING uuid, profile_uuid, url`,
  values: [pinned, uuids],
});
