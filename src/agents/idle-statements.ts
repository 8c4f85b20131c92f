import type { Statement } from '../platform/database/database.ts';
import { nowOf } from './now.ts';

/** Seconds between two notes of an agent's activity: at most one write a minute. */
const noteSeconds = 60;
/** Milliseconds for which a process does not ask again whether an activity is to be noted. */
export const askMs = 15_000;
/** Seconds in which activity may go unnoted, so that an agent is never suspended too early. */
const slackSeconds = noteSeconds + askMs / 1_000;

/**
 * When an agent is suspended that is active at an instant: its `idle_after_seconds` later, and 75 seconds more. Null for an agent that
 * is never suspended by itself.
 *
 * @param now An SQL expression.
 */
export const idleAtText = (now: string): string =>
  `(${now} + make_interval(secs => idle_after_seconds + ${slackSeconds}))`;

/** Whether the latest note of activity is older than a minute. Null, as false, for an agent that is never suspended by itself. */
export const isNoteDue = (now: string): string => `idle_at < ${idleAtText(now)} - interval '${noteSeconds} seconds'`;

/** Notes an activity. Passed over while a transaction holds the agent: it may be the caller's own. */
export const noteActivity = (pinned: Date | null, agentUuid: string): Statement => ({
  name: 'agents_note_activity',
  text: `UPDATE agents SET idle_at = ${idleAtText(nowOf('$2'))} WHERE uuid = (
    SELECT uuid FROM agents WHERE uuid = $1 AND ${isNoteDue(nowOf('$2'))} FOR NO KEY UPDATE SKIP LOCKED)`,
  values: [agentUuid, pinned],
});

/** Notes that agents have handled requests, with their latest totals. */
export const noteRequests = (
  pinned: Date | null,
  reports: readonly { readonly agentUuid: string; readonly requestsHandled: number }[],
): Statement => ({
  name: 'agents_note_requests',
  text: `WITH given AS (
      SELECT agent_uuid, max(requests_handled) AS requests FROM unnest($1::uuid[], $2::bigint[]) AS g (agent_uuid, requests_handled)
      GROUP BY agent_uuid),
    free AS (
      SELECT uuid FROM agents WHERE uuid = ANY($1::uuid[]) AND idle_at IS NOT NULL ORDER BY uuid FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE agents a SET idle_at = ${idleAtText(nowOf('$3'))}, idle_requests = given.requests
    FROM free JOIN given ON given.agent_uuid = free.uuid WHERE a.uuid = free.uuid AND a.uuid = ANY($1::uuid[])`,
  values: [reports.map(({ agentUuid }) => agentUuid), reports.map(({ requestsHandled }) => requestsHandled), pinned],
});

export interface IdleRow {
  idle_at: Date;
  uuid: string;
}

/** Agents whose time without activity is over, the longest ago first, after one that was looked at. */
export const idle = (pinned: Date | null, after: IdleRow | null, rows: number): Statement => ({
  name: after ? 'agents_idle_after' : 'agents_idle',
  text: `SELECT idle_at, uuid FROM agents WHERE idle_at <= (SELECT ${nowOf('$1')})
    ${after ? 'AND (idle_at, uuid) > ($3::timestamptz, $4::uuid)' : ''} ORDER BY idle_at, uuid LIMIT $2`,
  values: [pinned, rows, ...(after ? [after.idle_at, after.uuid] : [])],
});

/** Whether the time of a held agent is still over. */
export const stillIdle = (pinned: Date | null, uuid: string): Statement => ({
  name: 'agents_still_idle',
  text: `SELECT idle_after_seconds FROM agents WHERE uuid = $1 AND idle_at <= ${nowOf('$2')}`,
  values: [uuid, pinned],
});
