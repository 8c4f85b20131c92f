import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Statement } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse, requireUuid } from '../platform/input/input.ts';
import type { Connection } from '../platform/input/keyset.ts';
import type { Mail } from '../platform/mail/mail.ts';
import type { Events } from '../platform/messaging/events.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import { queuesChannel } from '../platform/messaging/queue.ts';
import { channelOf, createFeed, type Signal } from './feed.ts';
import {
  Completion,
  ConnectionRequest,
  cursorOf,
  Filter,
  foundMax,
  NewNotification,
  Notice,
  PageRequest,
  replayedMax,
} from './input.ts';
import type { Notification } from './notification.ts';
import * as statements from './statements.ts';

export interface NotificationsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly outbox: Outbox<EventPayloads>;
  readonly mail: Pick<Mail, 'isOn' | 'post'>;
  /** Days that a notification is kept once it was read; an unread one is kept twice as long. */
  readonly retentionDays: number;
}

export interface NotificationPage {
  readonly notifications: Notification[];
  /** Of the list that was asked for, all pages together. */
  readonly total: number;
  /** Of the profile, whatever was asked for; of the same instant. */
  readonly unreadCount: number;
  readonly limit: number;
  readonly offset: number;
}

/** Rows of one statement of the purge. */
const purgedRows = 1_000;

export type Notifications = ReturnType<typeof createNotifications>;

/** What a profile's people should know. Source: docs/specification/notifications.md. */
export function createNotifications({
  database,
  clock,
  events,
  outbox,
  mail,
  retentionDays,
}: NotificationsDependencies) {
  const feed = createFeed({ database, events });

  /**
   * Creates a notification of type CUSTOM for the caller's own profile.
   *
   * @param input.title One line of at most 255 characters.
   * @param input.message 1 to 5 000 characters of plain text.
   * @param input.severity INFO by default.
   * @param input.metadata A JSON object of at most 16 kB.
   * @param input.sendEmail Whether to send an email to the user of the profile too; false by default.
   * @returns Also whether an email was queued: false without mail.
   * @throws {ApiError} `FORBIDDEN` without `notifications:write`; `VALIDATION_ERROR`.
   * @see docs/specification/notifications.md#create
   */
  async function create(
    caller: Caller,
    input: z.input<typeof NewNotification>,
  ): Promise<{ notification: Notification; emailSent: boolean }> {
    const { profileUuid } = authorize(caller, 'notifications:write');
    const { sendEmail, ...given } = parse(NewNotification, input);
    const emailSent = sendEmail === true && mail.isOn;
    const notification = await database.transaction(async (tx) => {
      const severity = given.severity ?? 'INFO';
      const written = await write(tx, profileUuid, { ...given, severity, type: 'CUSTOM' });
      if (emailSent) await postEmail(tx, profileUuid, written);
      return written;
    });
    announce(profileUuid);
    if (emailSent) events.publish(queuesChannel, 'mail');
    return { notification, emailSent };
  }

  /**
   * The same for another area, as part of its transaction. Until its commit no other notification of the profile can be
   * created; a transaction that notifies several profiles does so in the order of their uuids.
   *
   * @param notice.severity None if left out.
   * @returns A function to call after the commit, which signals subscribers at once; without it they receive the
   * notification within seconds.
   * @throws {ApiError} `VALIDATION_ERROR` as for `create`.
   */
  async function notify(
    tx: Pick<Database, 'query'>,
    profileUuid: string,
    notice: z.input<typeof Notice>,
  ): Promise<() => void> {
    await write(tx, profileUuid, parse(Notice, notice));
    return () => announce(profileUuid);
  }

  /** The same for several profiles, each once, in two statements. */
  async function notifyAll(
    tx: Pick<Database, 'query'>,
    notices: ReadonlyMap<string, z.input<typeof Notice>>,
  ): Promise<() => void> {
    if (notices.size === 0) return () => {};
    const rows = [...notices].map(([profile, notice]) => ({ profile, ...rowOf(parse(Notice, notice)) }));
    await tx.query(statements.createAll(clock.pinned(), rows));
    const payloads = rows.map(({ profile, uuid, type }) => ({
      profileUuid: profile,
      data: { notification_id: uuid, type },
    }));
    await outbox.writeAll(tx, 'notification.created', payloads);
    return () => {
      for (const profileUuid of notices.keys()) announce(profileUuid);
    };
  }

  async function write(
    tx: Pick<Database, 'query'>,
    profileUuid: string,
    notice: z.output<typeof Notice>,
  ): Promise<Notification> {
    const [row] = await tx.query<statements.NotificationRow>(
      statements.create(profileUuid, clock.pinned(), rowOf(notice)),
    );
    const notification = statements.notificationOf(row as statements.NotificationRow);
    const data = { notification_id: notification.uuid, type: notice.type };
    await outbox.write(tx, { profileUuid, type: 'notification.created', data });
    return notification;
  }

  async function postEmail(tx: Pick<Database, 'query'>, profileUuid: string, notification: Notification) {
    const [user] = await tx.query<{ email: string }>(statements.recipient(profileUuid));
    if (!user) throw new Error('the profile has no user');
    const { title, type, message } = notification;
    await mail.post(tx, { to: user.email, subject: title || type, text: message });
  }

  function announce(profileUuid: string): void {
    outbox.wake();
    publishSignal(profileUuid, 'created');
  }

  const publishSignal = (profileUuid: string, what: Signal) => events.publish(channelOf(profileUuid), what);

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
    if (uuids.length > foundMax)
      throw new ApiError('VALIDATION_ERROR', 'Validation error', { details: { ids: `at most ${foundMax} at once` } });
    const rows = await database.read<statements.NotificationRow>(statements.find(profileUuid, asked));
    const byUuid = new Map(rows.map((row) => [row.uuid, statements.notificationOf(row)]));
    return uuids.map((uuid) => byUuid.get(uuid.toLowerCase()) ?? null);
  }

  /**
   * Marks one of the caller's notifications as read. One that is read already keeps its time.
   *
   * @throws {ApiError} `NOT_FOUND`, also for a malformed id and for another user's.
   * @see docs/specification/notifications.md#read
   */
  async function markRead(caller: Caller, uuid: string): Promise<Notification> {
    const { profileUuid } = authorize(caller, 'notifications:write');
    const statement = statements.markRead(profileUuid, clock.pinned(), requireUuid(uuid, notFound));
    const marked = found(await database.query<statements.NotificationRow>(statement));
    publishSignal(profileUuid, 'changed');
    return statements.notificationOf(marked);
  }

  /** @returns How many of the caller's notifications were unread until now. */
  async function markAllRead(caller: Caller): Promise<number> {
    const { profileUuid } = authorize(caller, 'notifications:write');
    const [row] = await database.query<{ count: number }>(statements.markAllRead(profileUuid, clock.pinned()));
    if (row?.count) publishSignal(profileUuid, 'changed');
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
    const statement = statements.setCompleted(
      profileUuid,
      clock.pinned(),
      requireUuid(uuid, notFound),
      completed ?? null,
    );
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
    const removed = found(
      await database.query<{ uuid: string }>(statements.remove(profileUuid, requireUuid(uuid, notFound))),
    );
    publishSignal(profileUuid, 'changed');
    return removed.uuid;
  }

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
        statements.placeOf(profileUuid, requireUuid(sinceId, notFound), replayedMax + 1),
      ),
    );
    if (place.missed > replayedMax)
      throw new ApiError('VALIDATION_ERROR', 'Validation error', {
        details: {
          sinceId: `more than ${replayedMax} notifications came after it: list them, and subscribe from the newest one`,
        },
      });
    return await feed.added(profileUuid, Number(place.seq));
  }

  /** How many of the caller's notifications are unread: at once, then after each change. */
  async function unreadCountChanged(caller: Caller): Promise<AsyncGenerator<number, void, void>> {
    const { profileUuid } = authorize(caller, 'notifications:read');
    return await feed.unreadCounts(profileUuid);
  }

  /**
   * Removes notifications after the retention, a thousand rows a statement: those that were read after `retentionDays` from their
   * creation, unread ones after twice as many.
   *
   * @returns How many were removed.
   */
  async function purge(): Promise<number> {
    const read = await purgeBatches(() => statements.purgeRead(clock.pinned(), retentionDays, purgedRows));
    return read + (await purgeBatches(() => statements.purgeUnread(clock.pinned(), 2 * retentionDays, purgedRows)));
  }

  async function purgeBatches(batch: () => Statement): Promise<number> {
    for (let purged = 0; ; ) {
      const rows = await database.query<{ profile_uuid: string; was_unread: boolean }>(batch());
      const recounted = rows.filter((row) => row.was_unread).map((row) => row.profile_uuid);
      for (const profileUuid of new Set(recounted)) publishSignal(profileUuid, 'changed');
      purged += rows.length;
      if (rows.length < purgedRows) return purged;
    }
  }

  /** Removes all notifications of a profile that was deleted, a thousand rows a statement. */
  async function removeContents(profileUuid: string): Promise<void> {
    for (const batchRows = 1_000; ; ) {
      const rows = await database.query(statements.removeContents(profileUuid, batchRows));
      if (rows.length < batchRows) return;
    }
  }

  return {
    create,
    notify,
    notifyAll,
    page,
    connection,
    count,
    find,
    markRead,
    markAllRead,
    setCompleted,
    remove,
    added,
    unreadCountChanged,
    removeContents,
    purge,
  };
}

/** A new notification as it is stored. */
const rowOf = ({ type, title, message, severity, metadata }: z.output<typeof Notice>): statements.NewRow => ({
  uuid: randomUUID(),
  type,
  title: title ?? null,
  message,
  severity: severity ?? null,
  metadata: metadata ?? {},
});

const notFound = () => new ApiError('NOT_FOUND', 'Notification not found');

function found<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw notFound();
  return row;
}

const isNotification = (row: statements.PageRow): row is Extract<statements.PageRow, statements.NotificationRow> =>
  row.uuid !== null;
