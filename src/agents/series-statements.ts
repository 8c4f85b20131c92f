import type { Statement } from '../platform/database/database.ts';

/** The statements that add up metric reports, all of one transaction. */

/** So that one runs at a time: a bucket that two add up would be left as the one sees it that began first. */
export const alone = (): Statement => ({
  name: 'agent_series_alone',
  text: 'SELECT pg_try_advisory_xact_lock($1) AS taken',
  values: [7_269],
});

export interface TouchRow {
  agent_uuid: string;
  minute: Date;
}

/** Takes notes of minutes that have new reports. The reports of each were committed with it, so the next statement sees them. */
export const takeTouches = (rows: number): Statement => ({
  name: 'agent_series_take',
  query_timeout: 9_000,
  text: `DELETE FROM agent_metric_touches WHERE ctid = ANY(ARRAY(SELECT ctid FROM agent_metric_touches LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING agent_uuid, minute`,
  values: [rows],
});

/** Days before and after an instant that are searched for reports, so that few partitions are read. */
const neighbourDays = 2;

/** A report may say 1e308, and the sum of two such figures has no form. */
const memoryMbMax = 1e15;

/** A sum of whole numbers as every client can show it. */
const shownSum = (sum: string) => `least(coalesce(${sum}, 0), ${Number.MAX_SAFE_INTEGER})::bigint`;

/**
 * Aggregates whole minutes from their reports, and the minute of each next report, whose count of requests begins where
 * this one ends. Repeating it changes nothing. A minute without reports keeps its value: reports are kept for a shorter
 * time.
 *
 * Requests are counted by an agent from its start: a figure lower than the previous one starts again at 0. The first
 * report of an agent does not show when its requests were handled, and counts none.
 */
export const addUpMinutes = (touches: readonly TouchRow[]): Statement => ({
  name: 'agent_series_minutes',
  query_timeout: 9_000,
  text: `WITH touched AS (SELECT DISTINCT * FROM unnest($1::uuid[], $2::timestamptz[]) AS t (agent_uuid, minute)),
    minutes AS MATERIALIZED (
      SELECT agent_uuid, minute FROM touched
      UNION
      SELECT t.agent_uuid, date_trunc('minute', following.at, 'UTC') FROM touched t CROSS JOIN LATERAL (
        SELECT m.at FROM agent_metrics m
        WHERE m.agent_uuid = t.agent_uuid AND m.at >= t.minute + interval '1 minute' AND m.at < t.minute + interval '${neighbourDays} days'
        ORDER BY m.at, m.id LIMIT 1) following)
    INSERT INTO agent_metric_buckets AS b (agent_uuid, seconds, at, samples, cpu_percent_average, cpu_percent_max, memory_mb_average,
      memory_mb_max, requests_handled)
    SELECT n.agent_uuid, 60, n.minute, sums.*
    FROM minutes n
      LEFT JOIN LATERAL (
        SELECT m.requests_handled FROM agent_metrics m
        WHERE m.agent_uuid = n.agent_uuid AND m.at < n.minute AND m.at >= n.minute - interval '${neighbourDays} days'
        ORDER BY m.at DESC, m.id DESC LIMIT 1) before ON true
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS samples, avg(cpu_percent), max(cpu_percent), avg(memory_mb), max(memory_mb),
          ${shownSum('sum(CASE WHEN requests_handled < previous THEN requests_handled ELSE requests_handled - previous END)')}
        FROM (
          SELECT m.cpu_percent, least(m.memory_mb, ${memoryMbMax}) AS memory_mb, m.requests_handled,
            lag(m.requests_handled, 1, before.requests_handled) OVER (ORDER BY m.at, m.id) AS previous
          FROM agent_metrics m
          WHERE m.agent_uuid = n.agent_uuid AND m.at >= n.minute AND m.at < n.minute + interval '1 minute') reports) sums
    WHERE sums.samples > 0
    ON CONFLICT (agent_uuid, seconds, at) DO UPDATE SET samples = excluded.samples,
      cpu_percent_average = excluded.cpu_percent_average, cpu_percent_max = excluded.cpu_percent_max,
      memory_mb_average = excluded.memory_mb_average, memory_mb_max = excluded.memory_mb_max, requests_handled = excluded.requests_handled
    RETURNING agent_uuid, at AS minute`,
  values: [touches.map(({ agent_uuid }) => agent_uuid), touches.map(({ minute }) => minute)],
});

/** Adds up the hours of minutes. */
export const addUpHours = (minutes: readonly TouchRow[]): Statement => ({
  name: 'agent_series_hours',
  query_timeout: 9_000,
  text: `WITH hours AS MATERIALIZED (
      SELECT DISTINCT agent_uuid, date_trunc('hour', minute, 'UTC') AS hour FROM unnest($1::uuid[], $2::timestamptz[]) AS t (agent_uuid, minute))
    INSERT INTO agent_metric_buckets AS b (agent_uuid, seconds, at, samples, cpu_percent_average, cpu_percent_max, memory_mb_average,
      memory_mb_max, requests_handled)
    SELECT h.agent_uuid, 3600, h.hour, sums.* FROM hours h CROSS JOIN LATERAL (
      SELECT sum(samples)::int AS samples, sum(cpu_percent_average * samples) / sum(samples), max(cpu_percent_max),
        sum(memory_mb_average * samples) / sum(samples), max(memory_mb_max), ${shownSum('sum(requests_handled)')}
      FROM agent_metric_buckets m
      WHERE m.agent_uuid = h.agent_uuid AND m.seconds = 60 AND m.at >= h.hour AND m.at < h.hour + interval '1 hour') sums
    WHERE sums.samples > 0
    ON CONFLICT (agent_uuid, seconds, at) DO UPDATE SET samples = excluded.samples,
      cpu_percent_average = excluded.cpu_percent_average, cpu_percent_max = excluded.cpu_percent_max,
      memory_mb_average = excluded.memory_mb_average, memory_mb_max = excluded.memory_mb_max, requests_handled = excluded.requests_handled`,
  values: [minutes.map(({ agent_uuid }) => agent_uuid), minutes.map(({ minute }) => minute)],
});

export interface BucketRow {
  at: Date;
  samples: number;
  cpu_percent_average: number;
  cpu_percent_max: number;
  memory_mb_average: number;
  memory_mb_max: number;
  requests_handled: string;
}

/** The buckets of an agent from an instant up to another, the oldest first. */
export const buckets = (agentUuid: string, seconds: number, from: Date, to: Date, rows: number): Statement => ({
  name: 'agent_series_buckets',
  text: `SELECT at, samples, cpu_percent_average, cpu_percent_max, memory_mb_average, memory_mb_max, requests_handled
    FROM agent_metric_buckets WHERE agent_uuid = $1 AND seconds = $2 AND at >= $3 AND at < $4 ORDER BY at LIMIT $5`,
  values: [agentUuid, seconds, from, to, rows],
});
