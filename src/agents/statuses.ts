import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { HeartbeatMode } from '../platform/settings/heartbeat-intervals.ts';
import { type AgentState, isEnded } from './lifecycle.ts';
import type { DeploymentStatus } from './orchestrator/orchestrator.ts';

/** Whether the heartbeats of an agent arrive. */
export interface AgentLiveness {
  readonly mode: HeartbeatMode;
  readonly lastHeartbeatAt: Date | null;
  readonly unhealthySince: Date | null;
  readonly health: 'UNKNOWN' | 'HEALTHY' | 'UNHEALTHY';
}

const neverSeen: AgentLiveness = { mode: 'IDLE', lastHeartbeatAt: null, unhealthySince: null, health: 'UNKNOWN' };

/** The orchestrator's last report about agents, as the leader stored it. Requests never wait for the orchestrator. */
export function createStatuses({ database, clock }: { database: Pick<Database, 'read'>; clock: Clock }) {
  /**
   * The status of each agent's deployment, in one statement. Agents that the caller may see.
   *
   * @returns null for an agent that is not deployed, and while no process reaches the orchestrator.
   * @see docs/specification/agents.md#orchestrator-status
   */
  async function of(agentUuids: readonly string[]): Promise<(DeploymentStatus | null)[]> {
    const rows = await database.read<{ uuid: string; status: DeploymentStatus | null }>({
      name: 'agents_statuses',
      text: `SELECT uuid, status FROM agents WHERE uuid = ANY ($1::uuid[]) AND removed_at IS NULL AND EXISTS (
        SELECT FROM agent_orchestrator_lease WHERE is_reachable AND expires_at > coalesce($2::timestamptz, clock_timestamp()))`,
      values: [agentUuids, clock.pinned()],
    });
    const byUuid = new Map(rows.map(({ uuid, status }) => [uuid, status]));
    return agentUuids.map((uuid) => byUuid.get(uuid) ?? null);
  }

  /** The liveness of each agent, in one statement. Agents that the caller may see. */
  async function livenessOf(agentUuids: readonly string[]): Promise<AgentLiveness[]> {
    const rows = await database.read<{
      uuid: string;
      state: AgentState;
      mode: HeartbeatMode;
      last_heartbeat_at: Date | null;
      unhealthy_since: Date | null;
      is_watched: boolean;
    }>({
      name: 'agents_liveness',
      text: `SELECT a.uuid, a.state, l.mode, l.last_heartbeat_at, l.unhealthy_since, l.deadline IS NOT NULL AS is_watched
        FROM agents a JOIN agent_liveness l ON l.agent_uuid = a.uuid WHERE a.uuid = ANY ($1::uuid[])`,
      values: [agentUuids],
    });
    const byUuid = new Map(
      rows.map((row): [string, AgentLiveness] => [
        row.uuid,
        {
          mode: row.mode,
          lastHeartbeatAt: row.last_heartbeat_at,
          unhealthySince: row.unhealthy_since,
          health: row.unhealthy_since ? 'UNHEALTHY' : row.is_watched && !isEnded(row.state) ? 'HEALTHY' : 'UNKNOWN',
        },
      ]),
    );
    return agentUuids.map((uuid) => byUuid.get(uuid) ?? neverSeen);
  }

  return { of, livenessOf };
}
