import type { QueryConfig } from 'pg';
import type { Statement } from '../platform/database/database.ts';
import type { NotificationType, Severity } from './input.ts';
import type { Notification } from './notification.ts';

/**
 * All statements of the notifications, prepared once per connection. `pinned` is the instant to write, null for the
 * database's own clock.
 *
 * The numbers (`seq`) of a profile come from its row of notification_counters, which the creation of a notification
 * locks until its commit: a lower number is visible before a higher one, so that `seq > last` misses no row.
 */

export interface NotificationRow {
  uuid: string;
  seq: string;
  type: NotificationType;
  title: string | null;
  message: string;
  severity: Severity | null;
  metadata: Record<string, unknown>;
  created_at: Date;
  read_at: Date | null;
  completed_at: Date | null;
}

/** A row as the notification that its readers see. */
export const notificationOf = (row: NotificationRow): Notification => ({
  uuid: row.uuid,
  seq: Number(row.seq),
  type: row.type,
  title: row.title,
  message: row.message,
  severity: row.severity,
  metadata: row.metadata,
  createdAt: row.created_at,
  readAt: row.read_at,
  completedAt: row.completed_at,
});

const columns =
  'n.uuid, n.seq, n.type, n.title, n.message, n.severity, n.metadata, n.created_at, n.read_at, n.completed_at';
const instant = "date_trunc('milliseconds', coalesce($2::timestamptz, clock_timestamp()))";

export interface NewRow {
  uuid: string;
  type: NotificationType;
  title: string | null;
  message: string;
  severity: Severity | null;
  metadata: Record<string, unknown>;
}

/** Takes the profile's next number, then the clock behind it, and inserts. */
export const create = (profile: string, pinned: Date | null, row: NewRow): QueryConfig => ({
  name: 'notifications_create',
  text: `WITH next AS (
      INSERT INTO notification_counters AS c (profile_uuid, last_seq) VALUES ($1, 1)
      ON CONFLICT (profile_uuid) DO UPDATE SET last_seq = c.last_seq + 1
      RETURNING last_seq)
    INSERT INTO notifications AS n (uuid, profile_uuid, seq, type, title, message, severity, metadata, created_at)
    SELECT $3, $1, next.last_seq, $4, $5, $6, $7, $8, ${instant} FROM next
    RETURNING ${columns}`,
  values: [profile, pinned, row.uuid, row.type, row.title, row.message, row.severity, JSON.stringify(row.metadata)],
});

/** The same for several profiles, each once, in the order of their uuids, in which all code locks several counters. */
export const createAll = (pinned: Date | null, rows: readonly (NewRow & { profile: string })[]): QueryConfig => ({
  name: 'notifications_create_all',
  text: `WITH given AS (
      SELECT * FROM unnest($1::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        AS t (profile_uuid, uuid, type, title, message, severity, metadata)),
    next AS (
      INSERT INTO notification_counters AS c (profile_uuid, last_seq) SELECT profile_uuid, 1 FROM given ORDER BY profile_uuid
      ON CONFLICT (profile_uuid) DO UPDATE SET last_seq = c.last_seq + 1
      RETURNING profile_uuid, last_seq)
    INSERT INTO notifications AS n (uuid, profile_uuid, seq, type, title, message, severity, metadata, created_at)
    SELECT given.uuid, profile_uuid, next.last_seq, type, title, message, severity, metadata::json, ${instant}
    FROM given JOIN next USING (profile_uuid)`,
  values: [
    rows.map(({ profile }) => profile),
    pinned,
    rows.map(({ uuid }) => uuid),
    rows.map(({ type }) => type),
    rows.map(({ title }) => title),
    rows.map(({ message }) => message),
    rows.map(({ severity }) => severity),
    rows.map(({ metadata }) => JSON.stringify(metadata)),
  ],
});

/** The recipient of emails to the profile: the user of its project. */
export const recipient = (profile: string): QueryConfig => ({
  name: 'notifications_recipient',
  text: `SELECT u.email FROM profiles p JOIN projects j ON j.uuid = p.project_uuid JOIN users u ON u.uuid = j.user_uuid
    WHERE p.uuid = $1`,
  values: [profile],
});

/** Notifications of the profile by id. */
export const find = (profile: string, uuids: readonly string[]): QueryConfig => ({
  name: 'notifications_find',
  text: `SELECT ${columns} FROM notifications n WHERE n.uuid = ANY($2::uuid[]) AND n.profile_uuid = $1`,
  values: [profile, uuids],
});

const unreadOnly = (unread: boolean) => (unread ? 'AND n.read_at IS NULL' : '');
/** The two lists are two statements: with a parameter in the place of the words neither could go by an index. */
const nameOf = (name: string, unread: boolean) => `notifications_${name}${unread ? '_unread' : ''}`;

export type PageRow = { total: number; unread_count: number } & ({ uuid: null } | NotificationRow);

/**
 * A page, how many there are, and how many of all are unread: of one snapshot, because it is one statement. One row at least,
 * so that the numbers always arrive.
 */
export const page = (profile: string, unread: boolean, limit: number, offset: number): QueryConfig => ({
  name: nameOf('page', unread),
  text: `WITH page AS (
      SELECT ${columns} FROM notifications n WHERE n.profile_uuid = $1 ${unreadOnly(unread)}
      ORDER BY n.seq DESC LIMIT $2 OFFSET $3)
    SELECT n.*, coalesce(c.${unread ? 'unread' : 'total'}, 0) AS total, coalesce(c.unread, 0) AS unread_count
    FROM (SELECT) AS one LEFT JOIN notification_counters c ON c.profile_uuid = $1 LEFT JOIN page n ON true
    ORDER BY n.seq DESC`,
  values: [profile, limit, offset],
});

/** Notifications before a place, the newest first; one more than requested shows that there are others. */
export const before = (profile: string, unread: boolean, place: number | null, rows: number): QueryConfig => ({
  name: nameOf('before', unread),
  text: `SELECT ${columns} FROM notifications n
    WHERE n.profile_uuid = $1 AND n.seq < coalesce($2, 9223372036854775807) ${unreadOnly(unread)} ORDER BY n.seq DESC LIMIT $3`,
  values: [profile, place, rows],
});

/** Notifications after a place, the oldest first. */
export const after = (profile: string, place: number, rows: number): QueryConfig => ({
  name: 'notifications_after',
  text: `SELECT ${columns} FROM notifications n WHERE n.profile_uuid = $1 AND n.seq > $2 ORDER BY n.seq LIMIT $3`,
  values: [profile, place, rows],
});

/** How many there are of the list. No row for a profile that never had one. */
export const count = (profile: string, unread: boolean): QueryConfig => ({
  name: nameOf('count', unread),
  text: `SELECT ${unread ? 'unread' : 'total'} AS count FROM notification_counters WHERE profile_uuid = $1`,
  values: [profile],
});

/**
 * The place of a notification of the profile, and how many came after it, of which at most `max` are counted: in their order,
 * or the planner reads the table for want of a reason not to.
 */
export const placeOf = (profile: string, uuid: string, max: number): QueryConfig => ({
  name: 'notifications_place',
  text: `SELECT n.seq, (SELECT count(*)::int FROM (
        SELECT 1 FROM notifications m WHERE m.profile_uuid = $1 AND m.seq > n.seq ORDER BY m.seq LIMIT $3) missed) AS missed
    FROM notifications n WHERE n.uuid = $2 AND n.profile_uuid = $1`,
  values: [profile, uuid, max],
});

/** The numbers of the newest notifications of profiles. Those that never had one are missing. */
export const lastPlaces = (profiles: readonly string[]): QueryConfig => ({
  name: 'notifications_last_places',
  text: 'SELECT profile_uuid, last_seq FROM notification_counters WHERE profile_uuid = ANY($1::uuid[])',
  values: [profiles],
});

/** How many of each profile are unread. Those that never had one are missing. */
export const unreadCounts = (profiles: readonly string[]): QueryConfig => ({
  name: 'notifications_unread_counts',
  text: 'SELECT profile_uuid, unread AS count FROM notification_counters WHERE profile_uuid = ANY($1::uuid[])',
  values: [profiles],
});

/** Of two at once the second finds `read_at` set and keeps it. */
export const markRead = (profile: string, pinned: Date | null, uuid: string): QueryConfig => ({
  name: 'notifications_mark_read',
  text: `UPDATE notifications n SET read_at = coalesce(n.read_at, ${instant})
    WHERE n.uuid = $3 AND n.profile_uuid = $1 RETURNING ${columns}`,
  values: [profile, pinned, uuid],
});

/**
 * Marks all notifications as read. Two concurrent runs run one after the other, because they could deadlock. Its cost
 * grows with the number of unread notifications, so it may take longer.
 */
export const markAllRead = (profile: string, pinned: Date | null): Statement => ({
  name: 'notifications_mark_all_read',
  query_timeout: 9_000,
  text: `WITH alone AS MATERIALIZED (SELECT pg_advisory_xact_lock(7267, hashtext($1::uuid::text))),
    marked AS (
      UPDATE notifications n SET read_at = ${instant} FROM alone
      WHERE n.profile_uuid = $1 AND n.read_at IS NULL RETURNING 1)
    SELECT count(*)::int AS count FROM marked`,
  values: [profile, pinned],
});

/** `completed` sets the state, null inverts it. A completed notification keeps its time. */
export const setCompleted = (
  profile: string,
  pinned: Date | null,
  uuid: string,
  completed: boolean | null,
): QueryConfig => ({
  name: 'notifications_set_completed',
  text: `UPDATE notifications n
    SET completed_at = CASE WHEN coalesce($4, n.completed_at IS NULL) THEN coalesce(n.completed_at, ${instant}) END
    WHERE n.uuid = $3 AND n.profile_uuid = $1 RETURNING ${columns}`,
  values: [profile, pinned, uuid, completed],
});

export const remove = (profile: string, uuid: string): QueryConfig => ({
  name: 'notifications_remove',
  text: 'DELETE FROM notifications WHERE uuid = $2 AND profile_uuid = $1 RETURNING uuid',
  values: [profile, uuid],
});

/** Deletes at most `rows` notifications of a profile that was deleted. */
export const removeContents = (profile: string, rows: number): QueryConfig => ({
  name: 'notifications_remove_contents',
  text: `DELETE FROM notifications WHERE uuid = ANY (ARRAY(SELECT uuid FROM notifications WHERE profile_uuid = $1 LIMIT $2))
    RETURNING uuid`,
  values: [profile, rows],
});

/** Deletes at most `rows` notifications that were read and are older than `days`. */
export const purgeRead = (pinned: Date | null, days: number, rows: number): Statement =>
  purge('notifications_purge_read', 'read_at IS NOT NULL', [pinned, days, rows]);

/** The same of unread notifications. */
export const purgeUnread = (pinned: Date | null, days: number, rows: number): Statement =>
  purge('notifications_purge_unread', 'read_at IS NULL', [pinned, days, rows]);

/**
 * Each of the two has its own index by age. Rows locked by an open transaction are skipped and removed by the next run.
 */
const purge = (name: string, state: string, values: [Date | null, number, number]): Statement => ({
  name,
  query_timeout: 9_000,
  text: `DELETE FROM notifications WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM notifications
      WHERE ${state} AND created_at < coalesce($1::timestamptz, statement_timestamp()) - make_interval(days => $2::int)
      ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED))
    RETURNING profile_uuid, read_at IS NULL AS was_unread`,
  values,
});
