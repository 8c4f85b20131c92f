import type { Statement } from '../database/database.ts';

export interface OutboxRow {
  seq: string;
  uuid: string;
  profile_uuid: string;
  type: string;
  data: string;
  occurred_at: Date;
}

/** The pause after the n-th failure is 2^n seconds, at most this. */
const pauseSecondsMax = 300;
/** After so many failures, a quarter of an hour in all, an event is set aside. */
const failuresMax = 10;

const now = 'coalesce($1::timestamptz, statement_timestamp())';
const isDue = `set_aside_at IS NULL AND due_at <= ${now}`;

/** Whether anything is due. */
export const peek = (pinned: Date | null): Statement => ({
  name: 'outbox_peek',
  text: `SELECT FROM outbox_events WHERE ${isDue} LIMIT 1`,
  values: [pinned],
});

/** No request waits for a relay. */
const relayTimeoutMs = 9_000;
/** Its commit is not waited for until it is on the disk: what a power cut takes back is in the outbox again, and nowhere else. */
const mode = `mode AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/** Walks from one profile with due events to the next: the cost is that of the profiles, however long the queue of each. */
const walk = (name: string, range: string, most: string) => `${name} AS (
      (SELECT profile_uuid, 1 AS n FROM outbox_events WHERE ${isDue} AND ${range} ORDER BY profile_uuid LIMIT 1)
      UNION ALL
      SELECT next.profile_uuid, n + 1 FROM ${name} CROSS JOIN LATERAL (
        SELECT profile_uuid FROM outbox_events WHERE ${isDue} AND profile_uuid > ${name}.profile_uuid AND ${range}
        ORDER BY profile_uuid LIMIT 1) next
      WHERE n < ${most})`;

/**
 * Takes due events of several profiles, of each the oldest and as many as of the others. Where the bytes do not suffice, the first
 * events of all profiles come before the second ones. One event is taken whatever its size.
 *
 * @param limits.after The profiles behind this one come first, and then those before.
 */
export const take = (
  pinned: Date | null,
  limits: { after: string; rows: number; bytes: number; profiles: number },
): Statement => ({
  name: 'outbox_take',
  query_timeout: relayTimeoutMs,
  text: `WITH RECURSIVE ${mode},
    ${walk('behind', 'profile_uuid > $2', '$5::int')},
    ${walk('before', 'profile_uuid <= $2 AND (SELECT count(*) FROM behind) < $5', '$5 - (SELECT count(*) FROM behind)')},
    turns AS (SELECT profile_uuid, n FROM behind UNION ALL SELECT profile_uuid, n + $5 FROM before),
    held AS (
      SELECT e.seq, e.bytes, n FROM turns CROSS JOIN LATERAL (
        SELECT seq, octet_length(data) AS bytes FROM outbox_events
        WHERE profile_uuid = turns.profile_uuid AND ${isDue}
        ORDER BY seq LIMIT (SELECT greatest(1, $3 / count(*)) FROM turns) FOR UPDATE SKIP LOCKED) e),
    ranked AS (SELECT seq, bytes, n, row_number() OVER (PARTITION BY n ORDER BY seq) AS rank FROM held),
    summed AS (SELECT seq, sum(bytes) OVER (ORDER BY rank, n) - bytes AS bytes_before FROM ranked)
    DELETE FROM outbox_events USING mode
    WHERE seq = ANY (ARRAY(SELECT seq FROM summed WHERE bytes_before < $4)) RETURNING outbox_events.*`,
  values: [pinned, limits.after, limits.rows, limits.bytes, limits.profiles],
});

/** Takes these events, as far as they are still there. */
export const takeThese = (rows: readonly OutboxRow[]): Statement => ({
  name: 'outbox_take_these',
  query_timeout: relayTimeoutMs,
  text: `WITH ${mode}
    DELETE FROM outbox_events USING mode
    WHERE seq = ANY (ARRAY(SELECT seq FROM outbox_events WHERE seq = ANY ($1::bigint[]) ORDER BY seq FOR UPDATE SKIP LOCKED))
    RETURNING outbox_events.*`,
  values: [rows.map(({ seq }) => seq)],
});

/** Lets an event wait after a failure, or sets it aside after the last. */
export const postpone = (pinned: Date | null, seq: string): Statement => ({
  name: 'outbox_postpone',
  text: `UPDATE outbox_events SET failures = failures + 1,
      due_at = ${now} + make_interval(secs => least(power(2, failures + 1), $2)),
      set_aside_at = CASE WHEN failures + 1 >= $3 THEN ${now} END
    WHERE seq = $4 RETURNING failures, set_aside_at IS NOT NULL AS is_set_aside`,
  values: [pinned, pauseSecondsMax, failuresMax, seq],
});
