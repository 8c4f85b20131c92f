import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { invalid, parse, requireUuid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { agentNotFound } from './agent.ts';
import { createDesiredState, type DesiredColumns } from './desired-state.ts';
import type { History } from './history.ts';
import { DrainRequest, IdleRequest, Redeployment } from './input.ts';
import { type AgentEventType, isEnded } from './lifecycle.ts';
import { type AgentPolicy, imageMistake, resourceMistakes } from './orchestrator/policy.ts';
import type { createQuotas } from './quotas.ts';
import type { Settlements } from './settlement.ts';
import type { HeldAgent, Transitions } from './transitions.ts';

export interface ChangeDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly history: History;
  readonly transitions: Transitions;
  readonly settlements: Pick<Settlements, 'wake'>;
  readonly quotas: Pick<ReturnType<typeof createQuotas>, 'guard'>;
  readonly settings: { readonly policy: AgentPolicy };
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
  const { restartIdleTime, write, scaleToZero } = createDesiredState(clock);

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

  return { suspend, resume, wake, setIdleAfter, restart, redeploy, drain, scaleToZero };
}

/** An agent that ends, or has ended, is left as it is. */
function refuseUnchangeable({ state }: HeldAgent): void {
  if (isEnded(state) || state === 'DRAINING')
    throw new ApiError('CONFLICT', `An agent in state ${state} cannot be changed`);
}
