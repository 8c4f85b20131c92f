import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { invalid, isUuid, parse } from '../platform/input/input.ts';
import type { Connection } from '../platform/input/keyset.ts';
import type { Platform } from '../platform/platform.ts';
import { ConnectionRequest, cursorOf, Filter, foundMax, PageRequest } from './input.ts';
import type { Notification } from './notification.ts';
import * as statements from './statements.ts';

export interface NotificationPage {
  readonly notifications: Notification[];
  /** Of the list that was asked for, all pages together. */
  readonly total: number;
  /** Of the profile, whatever was asked for; of the same instant. */
  readonly unreadCount: number;
  readonly limit: number;
  readonly offset: number;
}

/** The caller's notifications: pages, counts and single ones. Source: docs/specification/notifications.md. */
export function createReads({ database }: Pick<Platform, 'database'>) {
  /**
   * A page of the caller's notifications by offset, the newest first, with how many there are and how many are unread, all of
   * one instant.
   *
   * @param input.limit 1 to 100, 20 if left out.
   * @param input.unread Only those that are unread.
   * @throws {ApiError} `VALIDATION_ERROR` out of these bounds.
   * @see docs/specification/notifications.md#list
   */
  async function page(caller: Caller, input: z.input<typeof PageRequest>): Promise<NotificationPage> {
    const { profileUuid } = authorize(caller, 'notifications:read');
    const { unread, limit, offset } = parse(PageRequest, input);
    const rows = await database.query<statements.PageRow>(statements.page(profileUuid, unread === true, limit, offset));
    const notifications = rows.filter(isNotification).map(statements.notificationOf);
    return { notifications, total: rows[0]?.total ?? 0, unreadCount: rows[0]?.unread_count ?? 0, limit, offset };
  }

  /** A page of the caller's notifications after a cursor, the newest first: 0 to 100, 20 if left out. */
  async function connection(
    caller: Caller,
    input: z.input<typeof ConnectionRequest>,
  ): Promise<Connection<Notification>> {
    const { profileUuid } = authorize(caller, 'notifications:read');
    const { unread, first, after } = parse(ConnectionRequest, input);
    const rows = await database.query<statements.NotificationRow>(
      statements.before(profileUuid, unread === true, after, first + 1),
    );
    const found = rows.slice(0, first).map(statements.notificationOf);
    return { edges: found.map((node) => ({ cursor: cursorOf(node), node })), hasNextPage: rows.length > first };
  }

  /** How many notifications the caller has, all or the unread ones. */
  async function count(caller: Caller, input: z.input<typeof Filter>): Promise<number> {
    const { profileUuid } = authorize(caller, 'notifications:read');
    const { unread } = parse(Filter, input);
    const [row] = await database.query<{ count: number }>(statements.count(profileUuid, unread === true));
    return row?.count ?? 0;
  }

  /** @returns A notification of the caller's per id in the same order; null for ids that do not exist or belong to another user. */
  async function find(caller: Caller, uuids: readonly string[]): Promise<(Notification | null)[]> {
    const { profileUuid } = authorize(caller, 'notifications:read');
    const asked = [...new Set(uuids.filter(isUuid))];
    if (asked.length === 0) return uuids.map(() => null);
    if (uuids.length > foundMax) throw invalid({ ids: `at most ${foundMax} at once` });
    const rows = await database.read<statements.NotificationRow>(statements.find(profileUuid, asked));
    const byUuid = new Map(rows.map((row) => [row.uuid, statements.notificationOf(row)]));
    return uuids.map((uuid) => byUuid.get(uuid.toLowerCase()) ?? null);
  }

  return { page, connection, count, find };
}

const isNotification = (row: statements.PageRow): row is Extract<statements.PageRow, statements.NotificationRow> =>
  row.uuid !== null;
