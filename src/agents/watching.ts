import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { DeploymentStatus, Orchestrator } from './orchestrator/orchestrator.ts';

/** Milliseconds before a status that could not be stored is tried again, by the number of failures. */
const retryMs = (failures: number): number => Math.min(10_000, 250 * 2 ** failures);
/** Before the next watch after one that ended by itself. */
const rewatchMs = 1_000;

/** Stores every status that the orchestrator reports. */
export function createWatching({
  database,
  log,
  orchestrator,
  observe,
  onReachable,
}: {
  readonly database: Pick<Database, 'report'>;
  readonly log: Logger;
  readonly orchestrator: Pick<Orchestrator, 'watch'>;
  readonly observe: (deployment: string, status: DeploymentStatus | null) => Promise<void>;
  readonly onReachable: (isReachable: boolean) => void;
}) {
  /** Watches until the signal is aborted. A watch that ends is followed by another. */
  return async function watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await watchOnce(signal).catch((error: unknown) => log.error({ error }, 'a watch of deployments has ended'));
      await delay(rewatchMs, undefined, { signal }).catch(() => undefined);
    }
  };

  /**
   * Statuses of one deployment are stored in their order; those that a newer one has overtaken are skipped. One that the database does
   * not take is tried again until it does or a newer one comes: the orchestrator reports it only once.
   */
  async function watchOnce(signal: AbortSignal): Promise<void> {
    const latest = new Map<string, DeploymentStatus | null>();
    const storing = new Map<string, Promise<void>>();
    const store = async (deployment: string) => {
      for (let failures = 0; !signal.aborted; ) {
        const status = latest.get(deployment);
        if (status === undefined) return;
        try {
          await observe(deployment, status);
          failures = 0;
          if (latest.get(deployment) === status) latest.delete(deployment);
        } catch (error) {
          database.report(error, 'the status of a deployment could not be stored', { deployment });
          await delay(retryMs(failures++), undefined, { signal }).catch(() => undefined);
        }
      }
    };
    await orchestrator.watch(
      {
        onStatus(deployment, status) {
          latest.set(deployment, status);
          if (!storing.has(deployment))
            storing.set(
              deployment,
              store(deployment).finally(() => storing.delete(deployment)),
            );
        },
        onReachable,
      },
      signal,
    );
    await Promise.all(storing.values());
  }
}
