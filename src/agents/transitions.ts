import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { agentNotFound } from './agent.ts';
import type { EventSubject, History, Trigger } from './history.ts';
import { idleAtText } from './idle-statements.ts';
import { type AgentState, eventOfState, isEnded, transitions } from './lifecycle.ts';
import type { AgentResources } from './orchestrator/policy.ts';
import { alignUsage } from './usage-intervals.ts';

/** An agent that a transaction has locked. */
export interface HeldAgent extends EventSubject {
  readonly state: AgentState;
  readonly replicas: number;
  /** Why it is suspended; null while it is not. */
  readonly suspendedFor: Suspension | null;
  readonly revision: number;
  readonly appliedRevision: number;
  readonly resources: AgentResources;
}

/** Who suspended an agent: the platform, because it was idle, or its owner. */
export type Suspension = 'IDLE' | 'OWNER';

interface HeldRow {
  uuid: string;
  profile_uuid: string;
  name: string;
  state: AgentState;
  replicas: number;
  suspended_for: Suspension | null;
  revision: number;
  applied_revision: number;
}

type HeldAgentRow = HeldRow & AgentResources;

export interface TransitionOptions {
  readonly trigger: Trigger;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** For DRAINING: seconds until the agent is terminated. */
  readonly drainSeconds?: number;
}

export type Transitions = ReturnType<typeof createTransitions>;

/** Changes the state of agents: a conditional update, a lifecycle event and an outbox event in the caller's transaction. */
export function createTransitions({ clock, history }: { clock: Clock; history: History }) {
  /**
   * Locks an agent until the end of the transaction.
   *
   * @param profileUuid The profile that must own it; null for the platform itself.
   * @throws {ApiError} `NOT_FOUND`.
   */
  async function hold(tx: Pick<Database, 'query'>, uuid: string, profileUuid: string | null): Promise<HeldAgent> {
    const [row] = await tx.query<HeldAgentRow>({
      name: 'agents_hold',
      text: `SELECT uuid, profile_uuid, name, state, replicas, suspended_for, revision, applied_revision,
          cpu_request, memory_request, cpu_limit, memory_limit FROM agents
        WHERE uuid = $1 AND ($2::uuid IS NULL OR profile_uuid = $2) FOR NO KEY UPDATE`,
      values: [uuid, profileUuid],
    });
    if (!row) throw agentNotFound();
    return {
      uuid: row.uuid,
      profileUuid: row.profile_uuid,
      name: row.name,
      state: row.state,
      replicas: row.replicas,
      suspendedFor: row.suspended_for,
      revision: row.revision,
      appliedRevision: row.applied_revision,
      resources: {
        cpu_request: row.cpu_request,
        memory_request: row.memory_request,
        cpu_limit: row.cpu_limit,
        memory_limit: row.memory_limit,
      },
    };
  }

  /**
   * Moves a held agent to another state.
   *
   * @returns Publishes the event; to be called after the commit.
   * @throws {ApiError} `CONFLICT` for a transition that the lifecycle does not have.
   */
  async function move(
    tx: Pick<Database, 'query'>,
    agent: HeldAgent,
    to: Exclude<AgentState, 'NEW'>,
    { trigger, metadata, drainSeconds = 0 }: TransitionOptions,
  ): Promise<() => void> {
    if (!transitions[agent.state].includes(to))
      throw new ApiError('CONFLICT', `An agent in state ${agent.state} cannot become ${to}`);
    await tx.query({
      name: 'agents_move',
      text: `WITH now AS (SELECT date_trunc('milliseconds', coalesce($4::timestamptz, clock_timestamp())) AS at)
        UPDATE agents SET state = $2, updated_at = now.at,
          provisioned_at = CASE WHEN $2 = 'PROVISIONED' THEN now.at ELSE provisioned_at END,
          activated_at = CASE WHEN $2 = 'ACTIVE' THEN now.at ELSE activated_at END,
          drain_until = CASE WHEN $2 = 'DRAINING' THEN now.at + make_interval(secs => $5) END,
          terminated_at = CASE WHEN $2 IN ('TERMINATED', 'KILLED') THEN now.at ELSE terminated_at END,
          due_at = CASE WHEN $2 IN ('DRAINING', 'TERMINATED', 'KILLED') THEN now.at ELSE due_at END,
          attempts = CASE WHEN $2 IN ('DRAINING', 'TERMINATED', 'KILLED') THEN 0 ELSE attempts END,
          idle_at = CASE WHEN $2 IN ('PROVISIONED', 'ACTIVE') AND replicas > 0 THEN ${idleAtText('now.at')} END
        FROM now WHERE uuid = $1 AND state = $3`,
      values: [agent.uuid, to, agent.state, clock.pinned(), drainSeconds],
    });
    if (isEnded(to))
      await tx.query({
        name: 'agents_end_liveness',
        text: 'UPDATE agent_liveness SET deadline = NULL, unhealthy_since = NULL WHERE agent_uuid = $1',
        values: [agent.uuid],
      });
    await alignUsage(tx, clock.pinned(), { ...agent, state: to });
    return history.record(tx, eventOfState[to], trigger, [
      { agent, from: agent.state, to, ...(metadata && { metadata }) },
    ]);
  }

  return { hold, move };
}
