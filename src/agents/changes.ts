import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { Refusal } from '../platform/errors.ts';
import { invalid, parse } from '../platform/input.ts';
import { agentUuidOf } from './agent.ts';
import type { History } from './history.ts';
import { DrainRequest, Redeployment } from './input.ts';
import { type AgentEventType, isEnded } from './lifecycle.ts';
import { type AgentPolicy, imageMistake, resourceMistakes } from './orchestrator/policy.ts';
import type { Settlements } from './settlement.ts';
import type { HeldAgent, Transitions } from './transitions.ts';

export interface ChangeDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly history: History;
  readonly transitions: Transitions;
  readonly settlements: Pick<Settlements, 'wake'>;
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
}

/** Changes of what runs of an agent, beyond the specification. The reconciler brings the orchestrator to what they write. */
export function createChanges({ database, clock, history, transitions, settlements, settings }: ChangeDependencies) {
  /**
   * Scales an agent to zero: nothing of it runs until it is resumed. It is not unhealthy meanwhile.
   *
   * @throws {Refusal} `NOT_FOUND`; `CONFLICT` for an agent that drains or has ended. Without effect on a suspended agent.
   */
  async function suspend(caller: Caller, uuid: string): Promise<string> {
    return change(caller, uuid, 'SUSPENDED', (agent) => (agent.replicas === 0 ? null : { replicas: 0 }));
  }

  /** Starts a suspended agent again. @throws {Refusal} like `suspend`. */
  async function resume(caller: Caller, uuid: string): Promise<string> {
    return change(caller, uuid, 'RESUMED', (agent) => (agent.replicas > 0 ? null : { replicas: 1 }));
  }

  /** Replaces the pods of an agent without a moment in which none is ready. @throws {Refusal} like `suspend`. */
  async function restart(caller: Caller, uuid: string): Promise<string> {
    return change(caller, uuid, 'RESTARTED', () => ({ restartedAt: clock.now() }));
  }

  /**
   * Deploys an agent again with another image or other resources.
   *
   * @throws {Refusal} `VALIDATION_ERROR`; otherwise like `suspend`.
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
   * @throws {Refusal} `VALIDATION_ERROR`; `NOT_FOUND`; `CONFLICT` for an agent that is not active.
   */
  async function drain(caller: Caller, uuid: string, input: z.input<typeof DrainRequest> = {}): Promise<string> {
    const { profileUuid } = authorize(caller, 'agents:write');
    const { grace_seconds: drainSeconds } = parse(DrainRequest, input);
    const agentUuid = agentUuidOf(uuid);
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
    columnsOf: (agent: HeldAgent) => DesiredColumns | null,
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const { profileUuid } = authorize(caller, 'agents:write');
    const agentUuid = agentUuidOf(uuid);
    const publish = await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, agentUuid, profileUuid);
      if (isEnded(agent.state) || agent.state === 'DRAINING')
        throw new Refusal('CONFLICT', `An agent in state ${agent.state} cannot be changed`);
      const columns = columnsOf(agent);
      if (columns === null) return () => {};
      await write(tx, agentUuid, columns);
      return history.record(tx, type, 'user', [{ agent, from: agent.state, to: agent.state, metadata }]);
    });
    publish();
    settlements.wake();
    return agentUuid;
  }

  async function write(tx: Pick<Database, 'query'>, uuid: string, columns: DesiredColumns): Promise<void> {
    await tx.query({
      name: 'agents_change',
      text: `UPDATE agents SET revision = revision + 1, updated_at = $2, due_at = coalesce($10::timestamptz, clock_timestamp()), attempts = 0,
          replicas = coalesce($3, replicas), restarted_at = coalesce($4, restarted_at), image = coalesce($5, image),
          cpu_request = coalesce($6, cpu_request), memory_request = coalesce($7, memory_request),
          cpu_limit = coalesce($8, cpu_limit), memory_limit = coalesce($9, memory_limit)
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
      ],
    });
    // A suspended agent sends no heartbeat, and a new pod needs its time: it is looked after again with the first one.
    if (columns.replicas !== undefined)
      await tx.query({
        name: 'agents_forget_deadline',
        text: 'UPDATE agent_liveness SET deadline = NULL, unhealthy_since = NULL WHERE agent_uuid = $1',
        values: [uuid],
      });
  }

  return { suspend, resume, restart, redeploy, drain };
}
