import type { Statement } from '../platform/database/database.ts';
import { type HeartbeatMode, heartbeatIntervalText } from '../platform/settings/heartbeat-intervals.ts';
import { isNoteDue } from './idle-statements.ts';
import { type AgentState, agentStates, isEnded } from './lifecycle.ts';
import { nowOf } from './now.ts';

/**
 * The statements of heartbeats and metric reports. `pinned` is the instant to go by, null for the database's own clock. Instants are
 * whole milliseconds, as they are stored.
 */

const watchedStates = agentStates.filter((state) => state !== 'NEW' && !isEnded(state));

/** Whether an agent must send heartbeats: it is deployed, not suspended, and has not ended. `a` is its row. */
export const isWatched = `(a.state IN (${watchedStates.map((state) => `'${state}'`).join(', ')}) AND a.replicas > 0)`;

/**
 * The agent of a given heartbeat or report, if it is in the profile. OFFSET keeps the planner from a join, for which it
 * would read all agents, so that the cost of a batch would grow with the number of agents.
 */
const agentOfGiven = `SELECT a.state, ${isWatched} AS is_watched, a.idle_at, a.idle_after_seconds, a.idle_requests FROM agents a
            WHERE a.uuid = g.agent_uuid AND a.profile_uuid = g.profile_uuid OFFSET 0`;

/** The agent that a heartbeat or a report belongs to. */
export interface AgentKey {
  readonly uuid: string;
  readonly profileUuid: string;
}

export interface NewHeartbeat {
  readonly agent: AgentKey;
  readonly mode: HeartbeatMode;
  readonly uptimeSeconds: number;
}

/** A heartbeat that was stored. One of an agent that is not in the profile has no row. */
export interface StoredHeartbeatRow {
  /** Its place among those given, from 1. */
  place: number;
  id: string;
  at: Date;
  state: AgentState;
  is_unhealthy: boolean;
}

/**
 * Stores heartbeats, and notes the latest of each agent. The rows of `agent_liveness` are locked in the order of the agents, so that
 * two processes never wait for each other. `deadline` has an index: it stays unless it is later than the agent's real deadline, or
 * less than half of the interval is left, so that most heartbeats change no index.
 */
export const recordHeartbeats = (pinned: Date | null, heartbeats: readonly NewHeartbeat[]): Statement => ({
  name: 'agent_heartbeats_record',
  text: `WITH clock AS MATERIALIZED (SELECT ${nowOf('$5')} AS now),
    known AS MATERIALIZED (
      SELECT found.*, nextval('agent_heartbeats_id_seq') AS id FROM (
        SELECT g.place, g.agent_uuid, g.mode, g.uptime_seconds, a.state, a.is_watched, clock.now
        FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[]) WITH ORDINALITY
            AS g (agent_uuid, profile_uuid, mode, uptime_seconds, place)
          CROSS JOIN LATERAL (${agentOfGiven}) a
          CROSS JOIN clock
        ORDER BY g.place) found),
    stored AS (
      INSERT INTO agent_heartbeats (id, agent_uuid, mode, uptime_seconds, at)
      SELECT id, agent_uuid, mode, uptime_seconds, now FROM known),
    latest AS (SELECT DISTINCT ON (agent_uuid) * FROM known ORDER BY agent_uuid, place DESC),
    noted AS (
      INSERT INTO agent_liveness AS l (agent_uuid, mode, last_heartbeat_at, deadline)
      SELECT agent_uuid, mode, now, CASE WHEN is_watched THEN now + ${heartbeatIntervalText('mode')} END
      FROM latest ORDER BY agent_uuid
      ON CONFLICT (agent_uuid) DO UPDATE SET
        mode = excluded.mode,
        last_heartbeat_at = greatest(l.last_heartbeat_at, excluded.last_heartbeat_at),
        deadline = CASE
          WHEN l.unhealthy_since IS NOT NULL THEN NULL
          WHEN l.deadline <= excluded.deadline
            AND l.deadline >= excluded.last_heartbeat_at + ${heartbeatIntervalText('excluded.mode')} / 2 THEN l.deadline
          ELSE excluded.deadline END
      RETURNING agent_uuid, unhealthy_since IS NOT NULL AS is_unhealthy)
    SELECT k.place::int, k.id, k.now AS at, k.state, noted.is_unhealthy FROM known k JOIN noted USING (agent_uuid)`,
  values: [
    heartbeats.map(({ agent }) => agent.uuid),
    heartbeats.map(({ agent }) => agent.profileUuid),
    heartbeats.map(({ mode }) => mode),
    heartbeats.map(({ uptimeSeconds }) => uptimeSeconds),
    pinned,
  ],
});

export interface NewReport {
  readonly agent: AgentKey;
  readonly cpuPercent: number;
  readonly memoryMb: number;
  readonly requestsHandled: number;
  /** JSON; null for none. */
  readonly customMetrics: string | null;
  readonly customBytes: number;
}

/** A report that was stored; as with heartbeats. */
export interface StoredReportRow {
  place: number;
  id: string;
  at: Date;
  /** Whether an agent that may be idle has handled requests since they were last noted. */
  has_handled: boolean;
}

/** Stores metric reports, and notes which minutes of the series are out of date. */
export const recordReports = (pinned: Date | null, reports: readonly NewReport[]): Statement => ({
  name: 'agent_metrics_record',
  text: `WITH clock AS MATERIALIZED (SELECT ${nowOf('$8')} AS now),
    known AS MATERIALIZED (
      SELECT found.*, nextval('agent_metrics_id_seq') AS id FROM (
        SELECT g.*, clock.now, ${isNoteDue('clock.now')} AND a.idle_requests IS DISTINCT FROM g.requests_handled AS has_handled
        FROM unnest($1::uuid[], $2::uuid[], $3::float8[], $4::float8[], $5::bigint[], $6::text[], $7::int[]) WITH ORDINALITY
            AS g (agent_uuid, profile_uuid, cpu_percent, memory_mb, requests_handled, custom_metrics, custom_bytes, place)
          CROSS JOIN LATERAL (${agentOfGiven}) a
          CROSS JOIN clock
        ORDER BY g.place) found),
    stored AS (
      INSERT INTO agent_metrics (id, agent_uuid, cpu_percent, memory_mb, requests_handled, custom_metrics, custom_bytes, at)
      SELECT id, agent_uuid, cpu_percent, memory_mb, requests_handled, custom_metrics::json, custom_bytes, now FROM known),
    touched AS (
      INSERT INTO agent_metric_touches (agent_uuid, minute)
      SELECT DISTINCT agent_uuid, date_trunc('minute', now, 'UTC') FROM known)
    SELECT place::int, id, now AS at, has_handled FROM known`,
  values: [
    reports.map(({ agent }) => agent.uuid),
    reports.map(({ agent }) => agent.profileUuid),
    reports.map(({ cpuPercent }) => cpuPercent),
    reports.map(({ memoryMb }) => memoryMb),
    reports.map(({ requestsHandled }) => requestsHandled),
    reports.map(({ customMetrics }) => customMetrics),
    reports.map(({ customBytes }) => customBytes),
    pinned,
  ],
});

/** Where a page of telemetry ended. */
export interface TelemetryPlace {
  readonly at: Date;
  readonly id: string;
}

export interface HeartbeatRow {
  id: string;
  mode: HeartbeatMode;
  uptime_seconds: number;
  at: Date;
}

/** The latest heartbeats of an agent, or those before a place. */
export const heartbeats = (agentUuid: string, limit: number, before: TelemetryPlace | null): Statement => ({
  name: before ? 'agent_heartbeats_before' : 'agent_heartbeats_latest',
  text: `SELECT id, mode, uptime_seconds, at FROM agent_heartbeats
    WHERE agent_uuid = $1 ${before ? 'AND (at, id) < ($3::timestamptz, $4::bigint)' : ''} ORDER BY at DESC, id DESC LIMIT $2`,
  values: [agentUuid, limit, ...(before ? [before.at, before.id] : [])],
});

/*
 * The statements for several agents take their parameters from subqueries, whose values the planner cannot see. It would prefer a plan for
 * each limit otherwise, and planning over the partitions of a month takes longer than the statement.
 */

/** The latest heartbeats of several agents. */
export const heartbeatsOfAll = (agentUuids: readonly string[], limit: number): Statement => ({
  name: 'agent_heartbeats_of_all',
  text: `SELECT a.uuid AS agent_uuid, h.id, h.mode, h.uptime_seconds, h.at
    FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS a (uuid, place)
    CROSS JOIN LATERAL (SELECT * FROM agent_heartbeats WHERE agent_uuid = a.uuid
      ORDER BY at DESC, id DESC LIMIT (SELECT $2::bigint)) h
    ORDER BY a.place, h.at DESC, h.id DESC`,
  values: [agentUuids, limit],
});

export interface ReportRow {
  id: string;
  cpu_percent: number;
  memory_mb: number;
  requests_handled: string;
  custom_metrics: Record<string, unknown> | null;
  at: Date;
}

/** The same for metric reports. A page also ends at `bytesMax` bytes of custom metrics, but holds one report at least. */
export const reports = (
  agentUuid: string,
  limit: number,
  bytesMax: number,
  before: TelemetryPlace | null,
): Statement => ({
  name: before ? 'agent_metrics_before' : 'agent_metrics_latest',
  text: `SELECT id, cpu_percent, memory_mb, requests_handled, custom_metrics, at FROM (
      SELECT *, sum(custom_bytes) OVER page AS bytes, row_number() OVER page AS place FROM (
        SELECT * FROM agent_metrics
        WHERE agent_uuid = $1 ${before ? 'AND (at, id) < ($4::timestamptz, $5::bigint)' : ''} ORDER BY at DESC, id DESC LIMIT $2) latest
      WINDOW page AS (ORDER BY at DESC, id DESC)) summed
    WHERE bytes <= $3 OR place = 1 ORDER BY at DESC, id DESC`,
  values: [agentUuid, limit, bytesMax, ...(before ? [before.at, before.id] : [])],
});

/**
 * The latest metric reports of several agents. Reports after `bytesMax` bytes of custom metrics are left out; `bytes` counts all.
 */
export const reportsOfAll = (agentUuids: readonly string[], limit: number, bytesMax: number): Statement => ({
  name: 'agent_metrics_of_all',
  text: `SELECT agent_uuid, id, cpu_percent, memory_mb, requests_handled, at, bytes::int,
      CASE WHEN bytes <= $3 THEN custom_metrics END AS custom_metrics
    FROM (SELECT r.*, a.place, sum(r.custom_bytes) OVER () AS bytes
      FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS a (uuid, place)
      CROSS JOIN LATERAL (SELECT * FROM agent_metrics WHERE agent_uuid = a.uuid
        ORDER BY at DESC, id DESC LIMIT (SELECT $2::bigint)) r) latest
    ORDER BY place, at DESC, id DESC`,
  values: [agentUuids, limit, bytesMax],
});

/** Deletes at most `rows` rows of a table of telemetry that belong to agents of a profile. */
const removeOf =
  (table: string, key: string) =>
  (profileUuid: string, rows: number): Statement => ({
    name: `${table}_remove`,
    query_timeout: 9_000,
    text: `DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key} FROM ${table} WHERE agent_uuid = ANY(ARRAY(SELECT uuid FROM agents WHERE profile_uuid = $1)) LIMIT $2)
    RETURNING 1`,
    values: [profileUuid, rows],
  });

export const removals = [
  removeOf('agent_heartbeats', 'agent_uuid, at, id'),
  removeOf('agent_metrics', 'agent_uuid, at, id'),
  removeOf('agent_metric_buckets', 'agent_uuid, seconds, at'),
];
