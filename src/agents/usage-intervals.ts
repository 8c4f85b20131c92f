import type { Database } from '../platform/database/database.ts';
import { bytesOf, millicoresOf } from '../platform/input/quantities.ts';
import type { AgentState } from './lifecycle.ts';
import { nowOf } from './now.ts';
import type { AgentResources } from './orchestrator/policy.ts';

/** The fields of an agent that decide its usage. */
export interface UsingAgent {
  readonly uuid: string;
  readonly profileUuid: string;
  readonly state: AgentState;
  readonly replicas: number;
  readonly resources: Pick<AgentResources, 'cpu_request' | 'memory_request'>;
}

/** Whether pods of an agent are desired, and the orchestrator has accepted them. */
const isUsing = ({ state, replicas }: UsingAgent): boolean =>
  replicas > 0 && (state === 'PROVISIONED' || state === 'ACTIVE' || state === 'DRAINING');

/**
 * Brings the open interval of an agent's use to what the agent is from now on: closes the one that differs, and opens one where pods
 * are desired. It changes nothing where they agree. The caller's transaction has locked the agent, so an interval begins and ends with
 * the transition that is its cause, or not at all.
 *
 * @param agent As it is after the change.
 */
export async function alignUsage(tx: Pick<Database, 'query'>, pinned: Date | null, agent: UsingAgent): Promise<void> {
  const cpu = isUsing(agent) ? Number(millicoresOf(agent.resources.cpu_request) ?? 0n) : null;
  const memory = isUsing(agent) ? String(bytesOf(agent.resources.memory_request) ?? 0n) : null;
  const [closed] = await tx.query<{ ended_at: Date }>({
    name: 'agent_usage_close',
    text: `UPDATE agent_usage SET ended_at = greatest(started_at, ${nowOf('$4')})
      WHERE agent_uuid = $1 AND ended_at IS NULL
        AND ($2::int IS NULL OR cpu_millicores <> $2 OR memory_bytes <> $3::bigint)
      RETURNING ended_at`,
    values: [agent.uuid, cpu, memory, pinned],
  });
  if (cpu === null) return;
  await tx.query({
    name: 'agent_usage_open',
    text: `INSERT INTO agent_usage (agent_uuid, profile_uuid, cpu_millicores, memory_bytes, started_at, cpu_before, memory_before)
      SELECT $1, $2, $3, $4::bigint, greatest(${nowOf('coalesce($5, $6)')}, last.ended_at), coalesce(last.cpu, 0), coalesce(last.memory, 0)
      FROM (SELECT) AS one LEFT JOIN LATERAL (
        SELECT ended_at, cpu_before + ${usedIn('ended_at', 'cpu_millicores')} AS cpu,
          memory_before + ${usedIn('ended_at', 'memory_bytes')} AS memory
        FROM agent_usage WHERE agent_uuid = $1 ORDER BY id DESC LIMIT 1) last ON true
      WHERE NOT EXISTS (SELECT FROM agent_usage WHERE agent_uuid = $1 AND ended_at IS NULL)`,
    values: [agent.uuid, agent.profileUuid, cpu, memory, closed?.ended_at ?? null, pinned],
  });
}

/** Milliseconds from one instant to another, each an SQL expression. */
export const millisecondsText = (from: string, to: string): string =>
  `round(extract(epoch FROM ${to} - ${from}) * 1000)`;

/** The usage of an interval until an instant: an amount times milliseconds. */
export const usedIn = (until: string, amount: 'cpu_millicores' | 'memory_bytes', started = 'started_at'): string =>
  `${millisecondsText(started, until)} * ${amount}`;
