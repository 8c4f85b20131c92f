import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { inBatches } from '../platform/database/batches.ts';
import { parse } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { publishSignal } from './feed.ts';
import { Completion } from './input.ts';
import { found, type Notification, requireId } from './notification.ts';
import * as statements from './statements.ts';

/** Rows of one statement of the purge. */
const purgedRows = 1_000;

interface ChangeDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  /** Days that a notification is kept once it was read; an unread one is kept twice as long. */
  readonly retentionDays: number;
}

/** Changes and removes stored notifications. */
export function createChanges({ database, clock, events, retentionDays }: ChangeDependencies) {
  const publishChanged = (profileUuid: string) => publishSignal(events, profileUuid, 'changed');

  /**
   * Marks one of the caller's notifications as read. One that is read already keeps its time.
   *
   * @throws {ApiError} `NOT_FOUND`, also for a malformed id and for another user's.
   * @see docs/specification/notifications.md#read
   */
  async function markRead(caller: Caller, uuid: string): Promise<Notification> {
    const { profileUuid } = authorize(caller, 'notifications:write');
    const statement = statements.markRead(profileUuid, clock.pinned(), requireId(uuid));
    const marked = found(await database.query<statements.NotificationRow>(statement));
    publishChanged(profileUuid);
    return statements.notificationOf(marked);
  }

  /** @returns How many of the caller's notifications were unread until now. */
  async function markAllRead(caller: Caller): Promise<number> {
    const { profileUuid } = authorize(caller, 'notifications:write');
    const [row] = await database.query<{ count: number }>(statements.markAllRead(profileUuid, clock.pinned()));
    if (row?.count) publishChanged(profileUuid);
    return row?.count ?? 0;
  }

  /**
   * Marks a notification as completed or not completed.
   *
   * @param input.completed Left out: the opposite of the current state.
   * @throws {ApiError} `NOT_FOUND` as for `markRead`; `VALIDATION_ERROR`.
   */
  async function setCompleted(caller: Caller, uuid: string, input: z.input<typeof Completion>): Promise<Notification> {
    const { profileUuid } = authorize(caller, 'notifications:write');
    const { completed } = parse(Completion, input);
    const statement = statements.setCompleted(profileUuid, clock.pinned(), requireId(uuid), completed ?? null);
    return statements.notificationOf(found(await database.query<statements.NotificationRow>(statement)));
  }

  /**
   * Deletes one of the caller's notifications for good.
   *
   * @returns Its id.
   * @throws {ApiError} `NOT_FOUND` as for `markRead`.
   * @see docs/specification/notifications.md#delete
   */
  async function remove(caller: Caller, uuid: string): Promise<string> {
    const { profileUuid } = authorize(caller, 'notifications:write');
    const removed = found(await database.query<{ uuid: string }>(statements.remove(profileUuid, requireId(uuid))));
    publishChanged(profileUuid);
    return removed.uuid;
  }

  /**
   * Removes notifications after the retention, a thousand rows a statement: those that were read after `retentionDays` from their
   * creation, unread ones after twice as many.
   *
   * @returns How many were removed.
   */
  async function purge(): Promise<number> {
    const recount = (rows: readonly { profile_uuid: string; was_unread: boolean }[]) => {
      const recounted = rows.filter((row) => row.was_unread).map((row) => row.profile_uuid);
      for (const profileUuid of new Set(recounted)) publishChanged(profileUuid);
    };
    const ofRead = (rows: number) => statements.purgeRead(clock.pinned(), retentionDays, rows);
    const ofUnread = (rows: number) => statements.purgeUnread(clock.pinned(), 2 * retentionDays, rows);
    const read = await inBatches(database, purgedRows, ofRead, recount);
    return read + (await inBatches(database, purgedRows, ofUnread, recount));
  }

  /** Removes all notifications of a profile that was deleted, a thousand rows a statement. */
  async function removeContents(profileUuid: string): Promise<void> {
    await inBatches(database, purgedRows, (rows) => statements.removeContents(profileUuid, rows));
  }

  return { markRead, markAllRead, setCompleted, remove, purge, removeContents };
}
