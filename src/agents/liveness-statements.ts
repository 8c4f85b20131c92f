import type { Statement } from '../platform/database/database.ts';
import type { HeartbeatMode } from '../platform/settings/heartbeat-intervals.ts';
import type { AgentState } from './lifecycle.ts';
import { nowOf } from './now.ts';
import { isWatched } from './telemetry-statements.ts';

/** The statements of the scan for missed heartbeats, which run in this order. */

export interface DueRow {
  agent_uuid: string;
  deadline: Date;
}

/** Agents whose deadline has passed, the longest ago first, after one that was looked at. Locks nothing. */
export const due = (pinned: Date | null, after: DueRow | null, rows: number): Statement => ({
  name: after ? 'agent_liveness_due_after' : 'agent_liveness_due',
  text: `SELECT agent_uuid, deadline FROM agent_liveness
    WHERE deadline <= (SELECT ${nowOf('$1')}) ${after ? 'AND (deadline, agent_uuid) > ($3::timestamptz, $4::uuid)' : ''}
    ORDER BY deadline, agent_uuid LIMIT $2`,
  values: [pinned, rows, ...(after ? [after.deadline, after.agent_uuid] : [])],
});

export interface LateRow {
  uuid: string;
  profile_uuid: string;
  name: string;
  state: AgentState;
  is_watched: boolean;
  mode: HeartbeatMode;
  last_heartbeat_at: Date | null;
  now: Date;
}

/**
 * Those of the agents that are still due, locked. Rows that are locked by others are passed over: a heartbeat that arrives, a
 * transition, or another scan.
 */
export const lock = (pinned: Date | null, agentUuids: readonly string[]): Statement => ({
  name: 'agent_liveness_lock',
  text: `SELECT a.uuid, a.profile_uuid, a.name, a.state, ${isWatched} AS is_watched, l.mode, l.last_heartbeat_at, clock.now
    FROM (SELECT ${nowOf('$1')} AS now) clock, agent_liveness l JOIN agents a ON a.uuid = l.agent_uuid
    WHERE l.agent_uuid = ANY($2::uuid[]) AND l.deadline <= clock.now
    FOR NO KEY UPDATE OF l SKIP LOCKED FOR SHARE OF a SKIP LOCKED`,
  values: [pinned, agentUuids],
});

/** Leaves each agent as it stands. The second condition keeps the planner from reading all agents. */
export const settle = (
  agents: readonly { row: { uuid: string }; deadline: Date | null; unhealthySince: Date | null }[],
): Statement => ({
  name: 'agent_liveness_settle',
  text: `UPDATE agent_liveness l SET deadline = s.deadline, unhealthy_since = s.unhealthy_since
    FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS s (agent_uuid, deadline, unhealthy_since)
    WHERE l.agent_uuid = s.agent_uuid AND l.agent_uuid = ANY($1::uuid[])`,
  values: [
    agents.map(({ row }) => row.uuid),
    agents.map(({ deadline }) => deadline),
    agents.map(({ unhealthySince }) => unhealthySince),
  ],
});

/** How many agents are unhealthy. */
export const unhealthy = (): Statement => ({
  name: 'agent_liveness_unhealthy',
  text: 'SELECT count(*)::int AS count FROM agent_liveness WHERE unhealthy_since IS NOT NULL',
});
