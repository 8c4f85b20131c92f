import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation } from '../platform/database/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Events } from '../platform/messaging/events.ts';
import { subscribeToSignals } from '../platform/messaging/signals.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { type DueRow, deploymentOf } from './deployment.ts';
import { createDrains } from './drains.ts';
import type { History } from './history.ts';
import { isEnded } from './lifecycle.ts';
import { createObservation } from './observation.ts';
import { type Orchestrator, OrchestratorError } from './orchestrator/orchestrator.ts';
import * as statements from './reconcile-statements.ts';
import { reconcileChannel, type Settlements } from './settlement.ts';
import { storable } from './storable.ts';
import { createSweep } from './sweep.ts';
import type { HeldAgent, Transitions } from './transitions.ts';
import { alignUsage } from './usage-intervals.ts';
import { createWatching } from './watching.ts';

export interface ReconcilerDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Pick<Events, 'subscribe'>;
  readonly log: Logger;
  readonly secrets: Pick<Secrets, 'open'>;
  readonly orchestrator: Orchestrator;
  readonly history: History;
  readonly transitions: Transitions;
  readonly settlements: Pick<Settlements, 'announce'>;
  readonly endDrained: (uuid: string) => Promise<void>;
  /** Suspends idle agents. */
  readonly suspendIdle: () => Promise<unknown>;
  /** The address at which agents reach the platform. */
  readonly platformUrl: string;
}

const everyMs = 500;
/** Between two renewals of the lease, which lasts 10 seconds; each is a write. A process that does not lead asks for it more often. */
const renewMs = { leader: 3_000, others: 1_000 } as const;
/**
 * Agents that are dealt with at once; an agent whose calls hang holds one of these places. Those that have failed before hold at most half
 * of them, so that very many of those delay no other agent.
 */
const places = { all: 16, repeated: 8 } as const;
/** One call to the orchestrator. */
const callMs = 10_000;
/** Between two searches for deployments without an agent. */
const sweepMs = 30_000;
/** Between two searches for idle agents. */
const idleMs = 5_000;

/** Seconds until the next attempt after so many failures: 1, 2, 4 … 300, and up to a quarter more, so that agents spread. */
const backOffSeconds = (failures: number, random = Math.random()): number =>
  Math.min(300, 2 ** Math.min(failures, 9)) * (1 + random / 4);

/**
 * Brings the orchestrator to what the database says, in one process at a time. It compares states and never replays what happened,
 * so it goes on from wherever a process stopped. Each agent is dealt with by itself: one that fails waits longer each time, and
 * delays no other.
 */
export function createReconciler(deps: ReconcilerDependencies) {
  const { database, clock, events, log, orchestrator, history, transitions, settlements, endDrained, suspendIdle } =
    deps;
  const holder = randomUUID();
  const observe = createObservation({ ...deps, holder });
  const sweep = createSweep(deps);
  const inProgress = new Map<string, { readonly done: Promise<void>; readonly isRepeated: boolean }>();
  let isReachable = true;
  const watch = createWatching({
    ...deps,
    observe,
    onReachable(now) {
      if (now !== isReachable) log.warn({ isReachable: now }, 'the reachability of the orchestrator changed');
      isReachable = now;
    },
  });

  /** Takes or keeps the lead. @returns Whether this process leads. */
  async function lead(): Promise<boolean> {
    const rows = await database.query(statements.lead(clock.pinned(), holder, isReachable));
    return rows.length > 0;
  }

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

  /** Two profiles may have agents of one name, but only one of them is reached by it. */
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

  /**
   * A sweep runs in the background: it may wait for the orchestrator, and the lease must be renewed in the meantime.
   */
  const sweepBeside = (signal: AbortSignal): Promise<void> =>
    sweep(AbortSignal.any([signal, AbortSignal.timeout(callMs)])).then(
      () => undefined,
      (error: unknown) => {
        if (signal.aborted) return;
        if (error instanceof OrchestratorError) log.warn({ error }, 'the orchestrator could not be searched');
        else database.report(error, 'deployments without an agent could not be searched');
      },
    );

  const suspendBeside = (): Promise<void> =>
    suspendIdle().then(
      () => undefined,
      (error: unknown) => database.report(error, 'idle agents could not be queried'),
    );

  /** Deals with everything that is due now, to the end. For tests; `start` does the same on a timer. */
  async function settle(signal: AbortSignal = new AbortController().signal): Promise<void> {
    while (!signal.aborted && (await begin(signal)) > 0) await Promise.all(underWay());
  }

  /**
   * Leads whenever no other process does, until it is stopped. @returns A function that stops it and waits for running
   * work.
   */
  async function start(): Promise<() => Promise<void>> {
    if (orchestrator.kind === 'off') return createDrains(deps).start();
    const stopping = new AbortController();
    let wake: () => void = () => {};
    const unsubscribe = await subscribeToSignals(
      { events, report: database.report },
      { channel: reconcileChannel, of: 'the reconciler' },
      () => wake(),
    );
    const working = (async () => {
      let watching: Promise<void> | null = null;
      let leading: AbortController | null = null;
      let sweptAt = Number.NEGATIVE_INFINITY;
      let sweeping: Promise<void> | null = null;
      let idleLookAt = Number.NEGATIVE_INFINITY;
      let suspending: Promise<void> | null = null;
      let renewAt = Number.NEGATIVE_INFINITY;
      let stored = isReachable;
      let isLeader = false;
      while (!stopping.signal.aborted) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        try {
          if (performance.now() >= renewAt || stored !== isReachable) {
            stored = isReachable;
            isLeader = await lead();
            renewAt = performance.now() + (isLeader ? renewMs.leader : renewMs.others);
          }
          if (isLeader) {
            if (leading === null) {
              leading = new AbortController();
              watching = watch(AbortSignal.any([stopping.signal, leading.signal]));
              log.info({ orchestrator: orchestrator.kind }, 'this process reconciles agents');
            }
            await begin(leading.signal);
            if (performance.now() - sweptAt >= sweepMs && isReachable) {
              sweptAt = performance.now();
              sweeping = sweepBeside(leading.signal);
            }
            if (suspending === null && performance.now() - idleLookAt >= idleMs) {
              idleLookAt = performance.now();
              suspending = suspendBeside().finally(() => {
                suspending = null;
              });
            }
          } else if (leading !== null) {
            leading.abort();
            leading = null;
          }
        } catch (error) {
          database.report(error, 'agents could not be reconciled');
        }
        const isWoken = woken.then(() => true);
        await Promise.race([isWoken, delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)]);
      }
      leading?.abort();
      await Promise.all([watching, sweeping, suspending, ...underWay()]);
      await database.query(statements.giveUpLead(holder)).catch(() => undefined);
    })();
    return async () => {
      stopping.abort();
      await unsubscribe();
      await working;
      await orchestrator.close();
    };
  }

  return { start, settle, sweep, observe, lead };
}
