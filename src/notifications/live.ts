import { authorize, type Caller } from '../platform/caller.ts';
import { invalid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { createFeed } from './feed.ts';
import { replayedMax } from './input.ts';
import { found, type Notification, requireId } from './notification.ts';
import * as statements from './statements.ts';

/** Live subscriptions of a profile. */
export function createLive({ database, events }: Pick<Platform, 'database' | 'events'>) {
  const feed = createFeed({ database, events });

  /**
   * The caller's new notifications, in order and each once, from when it resolves, or all after one that the caller has.
   *
   * @param input.sinceId The last one that was received: at most 1 000 may have come since.
   * @throws {ApiError} `NOT_FOUND` for an unknown or deleted `sinceId`, and for another user's; `VALIDATION_ERROR`
   *   when more have come: the list shows them.
   */
  async function added(
    caller: Caller,
    { sinceId }: { sinceId?: string | null | undefined } = {},
  ): Promise<AsyncGenerator<Notification, void, void>> {
    const { profileUuid } = authorize(caller, 'notifications:read');
    if (sinceId === null || sinceId === undefined) return await feed.added(profileUuid, null);
    const place = found(
      await database.read<{ seq: string; missed: number }>(
        statements.placeOf(profileUuid, requireId(sinceId), replayedMax + 1),
      ),
    );
    if (place.missed > replayedMax)
      throw invalid({
        sinceId: `more than ${replayedMax} notifications came after it: list them, and subscribe from the newest one`,
      });
    return await feed.added(profileUuid, Number(place.seq));
  }

  /** How many of the caller's notifications are unread: at once, then after each change. */
  async function unreadCountChanged(caller: Caller): Promise<AsyncGenerator<number, void, void>> {
    const { profileUuid } = authorize(caller, 'notifications:read');
    return await feed.unreadCounts(profileUuid);
  }

  return { added, unreadCountChanged };
}
