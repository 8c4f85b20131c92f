import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { invalid, parse, requireUuid } from '../platform/input/input.ts';
import { agentNotFound } from './agent.ts';
import type { History } from './history.ts';
import { idleAtText } from './idle-statements.ts';
import { DrainRequest, IdleRequest, Redeployment } from './input.ts';
import { type AgentEventType, isEnded } from './lifecycle.ts';
import { nowOf } from './now.ts';
import { type AgentPolicy, imageMistake, resourceMistakes } from './orchestrator/policy.ts';
import type { createQuotas } from './quotas.ts';
import type { Settlements } from './settlement.ts';
import type { HeldAgent, Suspension, Transitions } from './transitions.ts';
import { alignUsage } from './usage-intervals.ts';

export interface ChangeDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly history: History;
  readonly transitions: Transitions;
  readonly settlements: Pick<Settlements, 'wake'>;
  readonly quotas: Pick<ReturnType<typeof createQuotas>, 'guard'>;
  readonly settings: { readonly policy: AgentPolicy };
}

/** Columns of an agent that a change writes. */
interface DesiredColumns {
  readonly replicas?: number;
  readonly restartedAt?: Date;
  readonly image?: string | null | undefined;
  readonly cpuRequest?: string | null | undefined;
  readonly memoryRequest?: string | null | undefined;
  readonly cpuLimit?: string | null | undefined;
  readonly memoryLimit?: string | null | undefined;
  /** Why `replicas` is 0. */
  readonly suspendedFor?: Suspension;
}

/** Changes of a running agent, beyond the specification. The reconciler applies them to the orchestrator. */
export function createChanges({
  database,
  clock,
  history,
  transitions,
  settlements,
  quotas,
  settings,
}: ChangeDependencies) {
  /**
   * Scales an agent to zero until it is resumed. A suspended agent is not unhealthy.
   *
   * @throws {ApiError} `NOT_FOUND`; `CONFLICT` for an agent that drains or has ended. No effect on a suspended agent.
   */
  async function suspend(caller: Caller, uuid: string): Promise<string> {
    return change(caller, uuid, 'SUSPENDED', (agent) =>
      agent.suspendedFor === 'OWNER' ? null : { replicas: 0, suspendedFor: 'OWNER' },
    );
  }

  /** Starts a suspended agent again. @throws {ApiError} like `suspend`. */
  async function resume(caller: Caller, uuid: string): Promise<string> {
    return change(caller, uuid, 'RESUMED', (agent) => (agent.replicas > 0 ? null : { replicas: 1 }));
  }

  /**
   * Starts an agent that was suspended because it was idle; for a proxy in front of the agent. It does not start an
   * agent that its owner suspended. For a running agent it counts as activity, which delays the suspension.
   *
   * @throws {ApiError} `CONFLICT` for an agent that its owner suspended; otherwise like `suspend`.
   */
  async function wake(caller: Caller, uuid: string): Promise<string> {
    return change(
      caller,
      uuid,
      'RESUMED',
      async (agent, tx) => {
        if (agent.suspendedFor === 'OWNER')
          throw new ApiError('CONFLICT', 'The agent was suspended by its owner; resume starts it again');
        if (agent.replicas === 0) return { replicas: 1 };
        await restartIdleTime(tx, agent.uuid);
        return null;
      },
      { reason: 'wake' },
    );
  }

  /**
   * Sets after how long without activity an agent is suspended.
   *
   * @param input.idle_after_seconds 60 to 2 592 000; null for never.
   * @throws {ApiError} `VALIDATION_ERROR`; otherwise like `suspend`.
   */
  async function setIdleAfter(caller: Caller, uuid: string, input: z.input<typeof IdleRequest>): Promise<string> {
    const { profileUuid } = authorize(caller, 'agents:write');
    const { idle_after_seconds: idleAfterSeconds } = parse(IdleRequest, input);
    const agentUuid = requireUuid(uuid, agentNotFound);
    await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, agentUuid, profileUuid);
      refuseUnchangeable(agent);
      await tx.query({
        name: 'agents_set_idle_after',
        text: 'UPDATE agents SET idle_after_seconds = $2, updated_at = $3 WHERE uuid = $1',
        values: [agentUuid, idleAfterSeconds, clock.now()],
      });
      await restartIdleTime(tx, agentUuid);
    });
    return agentUuid;
  }

  /** Replaces the pods of an agent; at least one pod is ready at any time. @throws {ApiError} like `suspend`. */
  async function restart(caller: Caller, uuid: string): Promise<string> {
    return change(caller, uuid, 'RESTARTED', () => ({ restartedAt: clock.now() }));
  }

  /**
   * Deploys an agent again with another image or other resources.
   *
   * @throws {ApiError} `VALIDATION_ERROR`; otherwise like `suspend`.
   */
  async function redeploy(caller: Caller, uuid: string, input: z.input<typeof Redeployment>): Promise<string> {
    authorize(caller, 'agents:write');
    const { image, resources } = parse(Redeployment, input);
    return change(
      caller,
      uuid,
      'REDEPLOYED',
      (agent) => {
        const wanted = { ...agent.resources };
        for (const name of Object.keys(wanted) as (keyof typeof wanted)[])
          wanted[name] = resources?.[name] ?? wanted[name];
        const mistakes = {
          ...resourceMistakes(wanted, settings.policy),
          ...imageMistakes(image),
        };
        if (Object.keys(mistakes).length > 0) throw invalid(mistakes);
        return {
          image,
          cpuRequest: wanted.cpu_request,
          memoryRequest: wanted.memory_request,
          cpuLimit: wanted.cpu_limit,
          memoryLimit: wanted.memory_limit,
        };
      },
      image ? { image } : {},
    );
  }

  /**
   * Ends an agent after a grace period in which it gets no new requests and keeps its credential.
   *
   * @param input.grace_seconds 0 to 3600, 30 if left out.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND`; `CONFLICT` for an agent that is not active.
   */
  async function drain(caller: Caller, uuid: string, input: z.input<typeof DrainRequest> = {}): Promise<string> {
    const { profileUuid } = authorize(caller, 'agents:write');
    const { grace_seconds: drainSeconds } = parse(DrainRequest, input);
    const agentUuid = requireUuid(uuid, agentNotFound);
    const publish = await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, agentUuid, profileUuid);
      return transitions.move(tx, agent, 'DRAINING', { trigger: 'user', drainSeconds });
    });
    publish();
    settlements.wake();
    return agentUuid;
  }

  function imageMistakes(image: string | null | undefined): Record<string, string> {
    const mistake = image ? imageMistake(image, settings.policy.images) : undefined;
    return mistake === undefined ? {} : { image: mistake };
  }

  /** @param columnsOf What changes; null for nothing. */
  async function change(
    caller: Caller,
    uuid: string,
    type: AgentEventType,
    columnsOf: (
      agent: HeldAgent,
      tx: Pick<Database, 'query'>,
    ) => DesiredColumns | null | Promise<DesiredColumns | null>,
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const { profileUuid } = authorize(caller, 'agents:write');
    const agentUuid = requireUuid(uuid, agentNotFound);
    const publish = await database.transaction(async (tx) => {
      const checkQuota = await quotas.guard(tx, profileUuid);
      const agent = await transitions.hold(tx, agentUuid, profileUuid);
      refuseUnchangeable(agent);
      const columns = await columnsOf(agent, tx);
      if (columns === null) return () => {};
      await write(tx, agent, columns);
      await checkQuota();
      return history.record(tx, type, 'user', [{ agent, from: agent.state, to: agent.state, metadata }]);
    });
    publish();
    settlements.wake();
    return agentUuid;
  }

  /** From a change on, an agent is active. */
  const restartIdleTime = (tx: Pick<Database, 'query'>, uuid: string) =>
    tx.query({
      name: 'agents_restart_idle_time',
      text: `UPDATE agents SET idle_at = CASE WHEN replicas > 0 AND state IN ('PROVISIONED', 'ACTIVE') THEN ${idleAtText(nowOf('$2'))} END
        WHERE uuid = $1`,
      values: [uuid, clock.pinned()],
    });

  /** Writes the desired state of a locked agent, for the reconciler. */
  async function write(tx: Pick<Database, 'query'>, agent: HeldAgent, columns: DesiredColumns): Promise<void> {
    const { uuid } = agent;
    await tx.query({
      name: 'agents_change',
      text: `UPDATE agents SET revision = revision + 1, updated_at = $2, due_at = coalesce($10::timestamptz, clock_timestamp()), attempts = 0,
          replicas = coalesce($3, replicas), restarted_at = coalesce($4, restarted_at), image = coalesce($5, image),
          cpu_request = coalesce($6, cpu_request), memory_request = coalesce($7, memory_request),
          cpu_limit = coalesce($8, cpu_limit), memory_limit = coalesce($9, memory_limit),
          suspended_for = CASE WHEN coalesce($3, replicas) = 0 THEN coalesce($11, suspended_for) END
        WHERE uuid = $1`,
      values: [
        uuid,
        clock.now(),
        columns.replicas ?? null,
        columns.restartedAt ?? null,
        columns.image ?? null,
        columns.cpuRequest ?? null,
        columns.memoryRequest ?? null,
        columns.cpuLimit ?? null,
        columns.memoryLimit ?? null,
        clock.pinned(),
        columns.suspendedFor ?? null,
      ],
    });
    await restartIdleTime(tx, uuid);
    await alignUsage(tx, clock.pinned(), {
      ...agent,
      replicas: columns.replicas ?? agent.replicas,
      resources: {
        cpu_request: columns.cpuRequest ?? agent.resources.cpu_request,
        memory_request: columns.memoryRequest ?? agent.resources.memory_request,
      },
    });
    // A suspended agent sends no heartbeat, and a new pod needs its time: it is looked after again with the first one.
    if (columns.replicas !== undefined)
      await tx.query({
        name: 'agents_forget_deadline',
        text: 'UPDATE agent_liveness SET deadline = NULL, unhealthy_since = NULL WHERE agent_uuid = $1',
        values: [uuid],
      });
  }

  /** Scales a held agent to zero because it is idle. */
  const scaleToZero = (tx: Pick<Database, 'query'>, agent: HeldAgent): Promise<void> =>
    write(tx, agent, { replicas: 0, suspendedFor: 'IDLE' });

  return { suspend, resume, wake, setIdleAfter, restart, redeploy, drain, scaleToZero };
}

/** An agent that ends, or has ended, is left as it is. */
function refuseUnchangeable({ state }: HeldAgent): void {
  if (isEnded(state) || state === 'DRAINING')
    throw new ApiError('CONFLICT', `An agent in state ${state} cannot be changed`);
}
