import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Events } from '../platform/messaging/events.ts';
import { subscribeToSignals } from '../platform/messaging/signals.ts';
import { type AttemptDependencies, callMs, createAttempts } from './attempts.ts';
import { createDrains } from './drains.ts';
import { createObservation } from './observation.ts';
import { OrchestratorError } from './orchestrator/orchestrator.ts';
import * as statements from './reconcile-statements.ts';
import { reconcileChannel } from './settlement.ts';
import { createSweep } from './sweep.ts';
import { createWatching } from './watching.ts';

export interface ReconcilerDependencies extends AttemptDependencies {
  readonly events: Pick<Events, 'subscribe'>;
  /** Suspends idle agents. */
  readonly suspendIdle: () => Promise<unknown>;
}

const everyMs = 500;
/** Between two renewals of the lease, which lasts 10 seconds; each is a write. A process that does not lead asks for it more often. */
const renewMs = { leader: 3_000, others: 1_000 } as const;
/** Between two searches for deployments without an agent. */
const sweepMs = 30_000;
/** Between two searches for idle agents. */
const idleMs = 5_000;

/**
 * Brings the orchestrator to what the database says, in one process at a time. It compares states and never replays what happened,
 * so it goes on from wherever a process stopped. Each agent is dealt with by itself: one that fails waits longer each time, and
 * delays no other.
 */
export function createReconciler(deps: ReconcilerDependencies) {
  const { database, clock, events, log, orchestrator, suspendIdle } = deps;
  const { begin, underWay } = createAttempts(deps);
  const holder = randomUUID();
  const observe = createObservation({ ...deps, holder });
  const sweep = createSweep(deps);
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
