import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { idleAtText } from './idle-statements.ts';
import { nowOf } from './now.ts';
import type { HeldAgent, Suspension } from './transitions.ts';
import { alignUsage } from './usage-intervals.ts';

/** Columns of an agent that a change writes. */
export interface DesiredColumns {
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

/** Writes the desired state of a held agent, for the reconciler. */
export function createDesiredState(clock: Clock) {
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

  return { restartIdleTime, write, scaleToZero };
}
