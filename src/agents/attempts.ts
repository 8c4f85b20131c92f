import { isUniqueViolation } from '../platform/database/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { type DueRow, deploymentOf } from './deployment.ts';
import type { History } from './history.ts';
import { isEnded } from './lifecycle.ts';
import { type Orchestrator, OrchestratorError } from './orchestrator/orchestrator.ts';
import * as statements from './reconcile-statements.ts';
import type { Settlements } from './settlement.ts';
import { storable } from './storable.ts';
import type { HeldAgent, Transitions } from './transitions.ts';
import { alignUsage } from './usage-intervals.ts';

/**
 * Agents that are dealt with at once; an agent whose calls hang holds one of these places. Those that have failed before hold at most half
 * of them, so that very many of those delay no other agent.
 */
const places = { all: 16, repeated: 8 } as const;

/** One call to the orchestrator. */
export const callMs = 10_000;

/** Seconds until the next attempt after so many failures: 1, 2, 4 … 300, and up to a quarter more, so that agents spread. */
const backOffSeconds = (failures: number, random = Math.random()): number =>
  Math.min(300, 2 ** Math.min(failures, 9)) * (1 + random / 4);

export interface AttemptDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly secrets: Pick<Secrets, 'open'>;
  readonly orchestrator: Orchestrator;
  readonly history: History;
  readonly transitions: Transitions;
  readonly settlements: Pick<Settlements, 'announce'>;
  readonly endDrained: (uuid: string) => Promise<void>;
  /** The address at which agents reach the platform. */
  readonly platformUrl: string;
}

/** Brings agents that are due to their desired state. Each agent is dealt with by itself: one that fails waits longer each time, and delays no other. */
export function createAttempts(deps: AttemptDependencies) {
  const { database, clock, log, orchestrator, history, transitions, settlements, endDrained } = deps;

  const inProgress = new Map<string, { readonly done: Promise<void>; readonly isRepeated: boolean }>();

  const underWay = () => [...inProgress.values()].map(({ done }) => done);

  /** Begins to deal with every agent that is due, as far as there are free places. @returns How many it began with. */
  async function begin(signal: AbortSignal): Promise<number> {
    const repeated = [...inProgress.values()].filter(({ isRepeated }) => isRepeated).length;
    const free = { all: places.all - inProgress.size, repeated: places.repeated - repeated };
    if (free.all <= 0) return 0;
    const rows = await database.query<DueRow & Record<string, unknown>>(
      statements.due(clock.pinned(), free, [...inProgress.keys()]),
    );
    for (const row of rows) {
      const done = reconcile(row, signal)
        .catch((error: unknown) => database.report(error, 'an agent could not be reconciled', { agent: row.uuid }))
        .finally(() => inProgress.delete(row.uuid));
      inProgress.set(row.uuid, { done, isRepeated: row.attempts > 0 });
    }
    return rows.length;
  }

  /** One attempt for one agent. */
  async function reconcile(row: DueRow, signal: AbortSignal): Promise<void> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(callMs)]);
    try {
      if (row.is_orphaned || isEnded(row.state)) await removeOne(row, limited);
      else if (row.state === 'DRAINING') await drainOne(row, limited);
      else await applyOne(row, limited);
    } catch (error) {
      if (signal.aborted) return;
      await recordFailure(row, error);
    } finally {
      settlements.announce(row.uuid);
    }
  }

  async function applyOne(row: DueRow, signal: AbortSignal): Promise<void> {
    if (!row.holds_host) await holdHost(row);
    await orchestrator.apply(deploymentOf(row, deps), signal);
    const publish = await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, row.uuid, null);
      await tx.query(statements.applied(row.uuid, row.revision));
      return agent.state === 'NEW' ? transitions.move(tx, agent, 'PROVISIONED', { trigger: 'system' }) : () => {};
    });
    publish();
  }

  /** Two profiles may have agents of one name, but the host leads to one of them only. */
  async function holdHost({ uuid, dns_name: host }: DueRow): Promise<void> {
    try {
      await database.query(statements.holdHost(uuid));
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new OrchestratorError('conflict', `The host ${host} belongs to another agent`);
    }
  }

  async function drainOne(row: DueRow, signal: AbortSignal): Promise<void> {
    if (row.is_drained) {
      await endDrained(row.uuid);
      return removeOne(row, signal);
    }
    await orchestrator.drain(row.orchestrator_deployment, signal);
    await database.query(statements.draining(clock.pinned(), row.uuid));
  }

  async function removeOne(row: DueRow, signal: AbortSignal): Promise<void> {
    const isGone = await orchestrator.remove(row.orchestrator_deployment, signal);
    if (!isGone) {
      await database.query(statements.awaitingRemoval(clock.pinned(), row.uuid));
      return;
    }
    await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, row.uuid, null);
      await tx.query(statements.removed(clock.pinned(), row.uuid));
      // An agent of a deleted profile goes without a transition.
      await alignUsage(tx, clock.pinned(), { ...agent, replicas: 0 });
    });
  }

  /** A reason is written into the history when it is another than before, so that retries do not fill it. */
  async function recordFailure(row: DueRow, error: unknown): Promise<void> {
    const isOurs = !(error instanceof OrchestratorError);
    if (isOurs) log.error({ agent: row.uuid, error }, 'an agent could not be reconciled');
    const message = isOurs ? 'The deployment failed' : storable(error.message);
    const reason = isOurs ? 'internal' : error.kind;
    const publish = await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, row.uuid, null);
      if (isOvertaken(row, agent)) return () => {};
      await tx.query(statements.failed(clock.pinned(), row.uuid, message, backOffSeconds(row.attempts)));
      if (message === row.last_error) return () => {};
      return history.record(tx, 'ERROR', 'system', [
        { agent, from: agent.state, to: agent.state, metadata: { reason, message } },
      ]);
    });
    publish();
  }

  /** Whether the agent was changed or ended since an attempt began. It is due for that, so the failure delays nothing. */
  const isOvertaken = (row: DueRow, { state, revision }: HeldAgent) =>
    revision !== row.revision || (state !== row.state && (isEnded(state) || state === 'DRAINING'));

  return { begin, underWay };
}
