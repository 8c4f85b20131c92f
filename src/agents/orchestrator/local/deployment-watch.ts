import { setTimeout as delay } from 'node:timers/promises';
import type { DeploymentStatus, StatusListener } from '../orchestrator.ts';

/**
 * Reports changes to a listener by polling until the signal is aborted.
 *
 * @param read The status of every deployment that has a folder; null for one that ended unexpectedly.
 * @param pollMs Milliseconds between two polls.
 */
export async function watchStatuses(
  read: () => Promise<ReadonlyMap<string, DeploymentStatus | null>>,
  pollMs: number,
  listener: StatusListener,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Map<string, string>();
  let isReachable: boolean | null = null;

  function emit(deployment: string, status: DeploymentStatus | null): void {
    const text = JSON.stringify(status);
    if (seen.get(deployment) === text) return;
    seen.set(deployment, text);
    listener.onStatus(deployment, status);
  }

  while (!signal.aborted) {
    const found = await read().catch(() => null);
    if (signal.aborted) return;
    if (isReachable !== (found !== null)) {
      isReachable = found !== null;
      listener.onReachable(isReachable);
    }
    if (found !== null) {
      for (const [deployment, status] of found) emit(deployment, status);
      for (const deployment of [...seen.keys()]) {
        if (found.has(deployment)) continue;
        emit(deployment, null);
        seen.delete(deployment);
      }
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
