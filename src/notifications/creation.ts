import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { parse } from '../platform/input/input.ts';
import type { Mail } from '../platform/mail/mail.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import { queuesChannel } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import { publishSignal } from './feed.ts';
import { NewNotification, Notice } from './input.ts';
import type { Notification } from './notification.ts';
import * as statements from './statements.ts';

export interface CreationDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly mail: Pick<Mail, 'isOn' | 'post'>;
}

/** Creates notifications, for callers and for other areas. Source: docs/specification/notifications.md#create. */
export function createCreation({ database, clock, events, outbox, mail }: CreationDependencies) {
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
    publishSignal(events, profileUuid, 'created');
  }

  return { create, notify, notifyAll };
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
