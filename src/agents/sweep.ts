import type { Database } from '../platform/database/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Orchestrator } from './orchestrator/orchestrator.ts';
import * as statements from './reconcile-statements.ts';

/** Finds work that was missed while no process led, or while two believed that they led. */
export function createSweep({
  database,
  clock,
  log,
  orchestrator,
}: Pick<Platform, 'clock' | 'log'> & {
  readonly database: Pick<Database, 'query'>;
  readonly orchestrator: Pick<Orchestrator, 'list' | 'remove'>;
}) {
  /**
   * Removes deployments that no agent needs, at most 100 of them, and makes agents due whose deployment is gone or has an earlier
   * revision than was applied.
   *
   * @returns How many there were of both.
   */
  return async function sweep(signal: AbortSignal): Promise<number> {
    const owned = await orchestrator.list(signal);
    const rows = await database.query<{ stray: string | null; outdated: string | null }>(
      statements.strays(owned.map(({ deployment }) => deployment)),
    );
    const outdated = rows.flatMap((row) => (row.outdated === null ? [] : [row.outdated]));
    if (outdated.length > 0) await database.query(statements.missing(clock.pinned(), outdated));
    const strays = rows.flatMap(({ stray }) => (stray === null ? [] : [stray]));
    // All at once: one that hangs keeps none of the others.
    await Promise.all(strays.map((stray) => removeStray(stray, signal)));
    return rows.length;
  };

  async function removeStray(deployment: string, signal: AbortSignal): Promise<void> {
    log.warn({ deployment }, 'a deployment without an agent is removed');
    await orchestrator.remove(deployment, signal).catch((error: unknown) => {
      // A later sweep finds it again.
      if (!signal.aborted) log.warn({ deployment, error }, 'a deployment without an agent could not be removed');
    });
  }
}
