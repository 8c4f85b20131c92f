import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { DeploymentStatus } from './orchestrator/orchestrator.ts';

/** What the orchestrator last reported of agents, as the leader stored it. Requests never wait for the orchestrator. */
export function createStatuses({ database, clock }: { database: Pick<Database, 'read'>; clock: Clock }) {
  /**
   * The status of each agent's deployment, in one statement. Agents that the caller may see.
   *
   * @returns null for an agent that is not deployed, and while no process reaches the orchestrator.
   * @see spec.md, orchestratorStatus
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

  return { of };
}
