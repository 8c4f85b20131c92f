import type { Statement } from '../platform/database/database.ts';
import type { Aged } from '../platform/keyset.ts';
import type { OutboxEvent } from '../platform/outbox.ts';
import { claimSeconds } from './schedule.ts';

/** The present as the statements see it: the database's clock, or where a test stands. `$1` is the pinned instant. */
/** The instant of a statement, or that which is pinned. */
export const now = `(SELECT date_trunc('milliseconds', coalesce($1::timestamptz, statement_timestamp())) AS now)`;

/**
 * The same for what a worker writes: its commit is not waited for until it is on the disk. Nobody was promised anything by it,
 * and what a power cut takes back is done again: a claim that is forgotten, an outcome that is not known.
 */
const workersNow = `(SELECT date_trunc('milliseconds', coalesce($1::timestamptz, statement_timestamp())) AS now,
      set_config('synchronous_commit', 'off', true) AS mode)`;

/**
 * Writes down who must be told what: a pending delivery for each webhook that asked for the event. One whose webhook has failed
 * is written down as failed, so that it can be replayed. A webhook that is being deleted is waited for: a delivery of it could
 * not be written.
 */
export const fanOut = (pinned: Date | null, events: readonly (OutboxEvent & { dataText: string })[]): Statement => ({
  name: 'webhooks_fan_out',
  text: `WITH clock AS ${now},
    w AS (
      SELECT uuid, profile_uuid, events, active FROM webhooks
      WHERE profile_uuid = ANY ($3::uuid[]) AND (active OR failed_at IS NOT NULL) ORDER BY uuid FOR KEY SHARE),
    written AS (
      INSERT INTO webhook_deliveries
        (uuid, webhook_uuid, event_uuid, event, data, event_at, attempt, status, due_at, error, created_at, updated_at)
      SELECT gen_random_uuid(), w.uuid, e.uuid, e.type, e.data, e.occurred_at, 1,
        CASE WHEN w.active THEN 'pending' ELSE 'failed' END, now,
        CASE WHEN w.active THEN NULL ELSE 'The webhook had failed; nothing was sent' END, now, now
      FROM clock, unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
          WITH ORDINALITY AS e (uuid, profile_uuid, type, data, occurred_at, place)
        JOIN w ON w.profile_uuid = e.profile_uuid AND e.type = ANY (w.events)
      ORDER BY place
      RETURNING webhook_uuid, status)
    SELECT DISTINCT webhook_uuid AS uuid FROM written WHERE status = 'pending'`,
  values: [
    pinned,
    events.map(({ id }) => id),
    events.map(({ profileUuid }) => profileUuid),
    events.map(({ type }) => type),
    events.map(({ dataText }) => dataText),
    events.map(({ occurredAt }) => occurredAt),
  ],
});

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
    SELECT heads.webhook_uuid AS uuid FROM heads JOIN webhooks w ON w.uuid = heads.webhook_uuid
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
  is_test: boolean;
  /** Somebody had it before and was not heard of again: whether the receiver got it is unknown. */
  was_lost: boolean;
  event: string;
  data: string;
  event_at: Date;
  url: string;
  secret: string;
  /** Null unless it still counts. */
  previous_secret: string | null;
}

const claimedColumns = `d.uuid, d.webhook_uuid, d.event_uuid, w.profile_uuid, d.attempt, d.is_test, d.event, d.data, d.event_at,
      w.url, w.secret, CASE WHEN w.previous_secret_until > now THEN w.previous_secret END AS previous_secret`;

/**
 * Takes due deliveries, of each webhook at most as many as there is room for; nobody else takes them while the claim lasts.
 *
 * @param claim A new uuid: what is reported later counts only for who holds the claim.
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
          WHERE q.status = 'pending' AND q.webhook_uuid = wanted.webhook_uuid AND q.due_at <= clock.now
            AND (q.claimed_until IS NULL OR q.claimed_until <= clock.now)
          ORDER BY q.due_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) first)
    UPDATE webhook_deliveries d SET claim = $2, claimed_until = now + interval '${claimSeconds} seconds', updated_at = now
    FROM clock, picked, webhooks w
    WHERE d.uuid = picked.uuid AND w.uuid = d.webhook_uuid
    RETURNING ${claimedColumns}, picked.was_lost`,
  values: [pinned, claim, rooms.map(([uuid]) => uuid), rooms.map(([, room]) => room)],
});

/** How an attempt went. */
export interface Outcome {
  readonly uuid: string;
  readonly claim: string;
  /** What was postponed was not sent for a reason of ours: the same attempt is made later. */
  readonly status: 'succeeded' | 'failed' | 'postponed';
  readonly responseStatus: number | null;
  readonly responseMs: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  /** Null when there is no other attempt. */
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
 * Writes down how attempts went, and the next attempt of those that have one: younger than its predecessor, so that lists by
 * age have them in order. What was postponed waits again, as the attempt that it was. What has lost its claim is passed over. The webhooks are locked before their deliveries, in the
 * order in which whoever deletes one locks them.
 */
export const record = (pinned: Date | null, outcomes: readonly Outcome[]): Statement => ({
  name: 'webhooks_record',
  text: `WITH clock AS MATERIALIZED ${workersNow},
    given AS (
      SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::text[], $8::text[], $9::int[])
        AS g (uuid, claim, status, response_status, response_ms, response_body, error, retry_seconds)),
    held AS (
      SELECT w.uuid FROM webhooks w
      WHERE w.uuid IN (SELECT d.webhook_uuid FROM webhook_deliveries d JOIN given g ON g.uuid = d.uuid)
      ORDER BY w.uuid FOR KEY SHARE),
    postponed AS (
      UPDATE webhook_deliveries d SET claim = NULL, claimed_until = NULL, due_at = now + make_interval(secs => g.retry_seconds),
        updated_at = now
      FROM given g, clock, (SELECT count(*) FROM held) first
      WHERE g.status = 'postponed' AND d.uuid = g.uuid AND d.claim = g.claim AND d.status = 'pending'),
    closed AS (
      UPDATE webhook_deliveries d SET status = g.status, claim = NULL, claimed_until = NULL, response_status = g.response_status,
        response_ms = g.response_ms, response_body = g.response_body, error = g.error, updated_at = now,
        next_retry_at = now + make_interval(secs => g.retry_seconds - coalesce(g.response_ms, 0) / 1000.0)
      FROM given g, clock, (SELECT count(*) FROM held) first
      WHERE g.status <> 'postponed' AND d.uuid = g.uuid AND d.claim = g.claim AND d.status = 'pending'
      RETURNING d.*),
    retried AS (
      INSERT INTO webhook_deliveries
        (uuid, webhook_uuid, event_uuid, event, data, event_at, attempt, status, due_at, created_at, updated_at)
      SELECT gen_random_uuid(), webhook_uuid, event_uuid, event, data, event_at, attempt + 1, 'pending', next_retry_at,
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

/** A delivery that its owner asked for, claimed at once by who asked. */
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
    d AS (
      INSERT INTO webhook_deliveries (uuid, webhook_uuid, event_uuid, event, data, event_at, attempt, status, due_at, claim,
        claimed_until, is_test, created_at, updated_at)
      SELECT $3, $2, $5, $6, $7, now, 1, 'pending', now, $4, now + interval '${claimSeconds} seconds', true, now, now
      FROM clock RETURNING *)
    SELECT ${claimedColumns}, false AS was_lost FROM clock, d JOIN webhooks w ON w.uuid = d.webhook_uuid`,
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

/** The places of a page of each webhook's deliveries, the newest first, and of one more: whether anything follows. */
export const pages = (
  profileUuid: string,
  webhookUuids: readonly string[],
  status: string | null,
  { first, after }: { first: number; after: Aged | null },
): Statement => ({
  name: 'webhooks_pages',
  text: `SELECT page.uuid, w.uuid AS webhook_uuid
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT d.uuid, d.created_at FROM webhook_deliveries d
      WHERE d.webhook_uuid = w.uuid AND ($3::text IS NULL OR d.status = $3)
        AND d.created_at <= coalesce($4::timestamptz, 'infinity') AND ($4 IS NULL OR (d.created_at, d.uuid) < ($4, $5::uuid))
      ORDER BY d.created_at DESC, d.uuid DESC LIMIT $6) page
    WHERE w.uuid = ANY ($1::uuid[]) AND w.profile_uuid = $2
    ORDER BY page.created_at DESC, page.uuid DESC`,
  values: [webhookUuids, profileUuid, status, after?.createdAt ?? null, after?.uuid ?? null, first + 1],
});

export const counts = (profileUuid: string, webhookUuids: readonly string[], status: string | null): Statement => ({
  name: 'webhooks_counts',
  text: `SELECT w.uuid, count(*)::int AS count FROM webhooks w JOIN webhook_deliveries d ON d.webhook_uuid = w.uuid
    WHERE w.uuid = ANY ($1::uuid[]) AND w.profile_uuid = $2 AND ($3::text IS NULL OR d.status = $3) GROUP BY w.uuid`,
  values: [webhookUuids, profileUuid, status],
});

/** A new delivery of an event that was told before, due at once. A test call stays one: its failure says nothing of the webhook. */
export const replayOne = (pinned: Date | null, deliveryUuid: string, uuid: string): Statement => ({
  name: 'webhooks_replay_one',
  text: `INSERT INTO webhook_deliveries
      (uuid, webhook_uuid, event_uuid, event, data, event_at, attempt, status, due_at, is_test, created_at, updated_at)
    SELECT $3, webhook_uuid, event_uuid, event, data, event_at, 1, 'pending', now, is_test, now, now
    FROM webhook_deliveries, ${now} clock WHERE uuid = $2`,
  values: [pinned, deliveryUuid, uuid],
});

/** Takes a webhook for the rest of a transaction; deliveries of what happens meanwhile are written all the same. */
export const holdWebhook = (webhookUuid: string): Statement => ({
  name: 'webhooks_hold',
  text: 'SELECT 1 FROM webhooks WHERE uuid = $1 FOR NO KEY UPDATE',
  values: [webhookUuid],
});

/**
 * A new delivery of each event that failed for good since an instant and has neither succeeded nor is under way: the oldest
 * first, at most so many.
 */
export const replayFailed = (pinned: Date | null, webhookUuid: string, since: Date, most: number): Statement => ({
  name: 'webhooks_replay_failed',
  text: `WITH clock AS ${now},
    since AS (SELECT * FROM webhook_deliveries WHERE webhook_uuid = $2 AND created_at >= $3 AND NOT is_test),
    failed AS (
      SELECT DISTINCT ON (event_uuid) event_uuid, event, data, event_at, created_at FROM since
      WHERE status = 'failed' AND next_retry_at IS NULL
        AND event_uuid NOT IN (SELECT event_uuid FROM since WHERE status IN ('pending', 'succeeded'))
      ORDER BY event_uuid, created_at),
    written AS (
      INSERT INTO webhook_deliveries
        (uuid, webhook_uuid, event_uuid, event, data, event_at, attempt, status, due_at, created_at, updated_at)
      SELECT gen_random_uuid(), $2, event_uuid, event, data, event_at, 1, 'pending', now, now, now
      FROM (SELECT * FROM failed ORDER BY created_at LIMIT $4) f, clock
      RETURNING 1)
    SELECT count(*)::int AS count FROM written`,
  values: [pinned, webhookUuid, since, most],
});
