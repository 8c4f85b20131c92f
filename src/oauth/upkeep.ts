import { inBatches } from '../platform/database/batches.ts';
import { isApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { Clients } from './clients.ts';
import { leadMs, leadMsMax } from './refresh-schedule.ts';
import type { Refresher } from './refresher.ts';
import * as statements from './session-statements.ts';

/** Sessions that one tick refreshes at most, and how many of them at once. */
const dueMax = 200;
const concurrencyMax = 8;
/** Rows that one statement changes or deletes. */
const batchRows = 5_000;
/** How long a session that is over is kept, in days. */
const keptDays = 30;

/** Background work on sessions. */
export function createUpkeep(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly refresher: Refresher;
    readonly clients: Pick<Clients, 'purge'>;
  },
) {
  const { database, clock, refresher, clients } = deps;

  /**
   * Refreshes sessions two to five minutes before their access token expires, spread by their uuid, at most 200 a tick and 8 at once. One
   * that fails is left alone for its cool-down.
   *
   * @returns How many were refreshed.
   */
  async function refreshExpiring(): Promise<number> {
    const now = clock.now();
    const rows = await database.query<{ uuid: string; expires_at: Date; generation: number }>(
      statements.due(new Date(now.getTime() + leadMsMax), now, dueMax),
    );
    const queue = rows.filter(({ uuid, expires_at }) => expires_at.getTime() - now.getTime() <= leadMs(uuid));
    let refreshed = 0;
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        // One that a caller or another process has refreshed since is left alone.
        const request = { trigger: 'expiring', seen: next.generation, actorUuid: null, requestId: null } as const;
        const isDone = await refresher.refresh(next.uuid, request).then(
          () => true,
          (error: unknown) => {
            if (!isApiError(error)) throw error;
            return false;
          },
        );
        if (isDone) refreshed += 1;
      }
    };
    await Promise.all(Array.from({ length: concurrencyMax }, work));
    return refreshed;
  }

  /** Ends pending sessions whose state has expired, and active ones whose access token has expired for good. @returns How many. */
  async function expire(): Promise<number> {
    const pending = await inBatches(database, batchRows, (rows) => statements.expirePending(clock.now(), rows));
    return pending + (await inBatches(database, batchRows, (rows) => statements.expireLapsed(clock.now(), rows)));
  }

  /** Removes sessions that ended more than 30 days ago, with their used refresh tokens, and clients without use. @returns How many rows. */
  async function purge(): Promise<number> {
    const before = new Date(clock.now().getTime() - keptDays * 86_400_000);
    const sessions = await inBatches(database, batchRows, (rows) => statements.purge(before, rows));
    const tokens = await inBatches(database, batchRows, (rows) => statements.purgeUsedTokens(before, rows));
    return sessions + tokens + (await clients.purge());
  }

  async function activeTokens(): Promise<number> {
    const [row] = await database.read<{ count: number }>(statements.countActive);
    return row?.count ?? 0;
  }

  return { refreshExpiring, expire, purge, activeTokens };
}
