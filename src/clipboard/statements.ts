import type { QueryConfig } from 'pg';
import type { Source } from '../platform/caller.ts';
import type { Statement } from '../platform/database/database.ts';
import type { ClipboardEntry } from './entry.ts';
import type { Encoding, Visibility } from './input.ts';

/**
 * Every statement of the clipboard: one round trip per operation, prepared once per connection.
 *
 * `pinned` is the instant to judge expiry by, null for the database's own clock. An entry is live while
 * `expires_at > now`: at the very instant of `expiresAt` it is gone. Stack operations that change something take the
 * profile's lock and read the clock behind it (see docs/decisions/0003-clipboard-stack.md).
 */

export interface EntryRow {
  uuid: string;
  name: string | null;
  idx: number | null;
  value: string;
  content_type: string;
  encoding: Encoding;
  size_bytes: number;
  visibility: Visibility;
  created_by_tool: string | null;
  created_by_model: string | null;
  source: Source;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
}

/** A row as the entry that its readers see. */
export const entryOf = (row: EntryRow): ClipboardEntry => ({
  uuid: row.uuid,
  name: row.name,
  idx: row.idx,
  value: row.value,
  contentType: row.content_type,
  encoding: row.encoding,
  sizeBytes: row.size_bytes,
  visibility: row.visibility,
  createdByTool: row.created_by_tool,
  createdByModel: row.created_by_model,
  source: row.source,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  expiresAt: row.expires_at,
});

const columnsWith = (
  value: string,
) => `e.uuid, e.name, ${value} AS value, e.content_type, e.encoding, e.size_bytes, e.visibility, e.created_by_tool,
  e.created_by_model, e.source, e.created_at, e.updated_at, e.expires_at`;
const columns = columnsWith('e.value');
const liveStackEntries = (now: string) => `profile_uuid = $1 AND seq IS NOT NULL AND expires_at > ${now}`;

/** The live entry of a name. */
export const getByName = (profile: string, pinned: Date | null, name: string): QueryConfig => ({
  name: 'clipboard_get_by_name',
  text: `SELECT ${columns}, NULL::int AS idx FROM clipboard_entries e
    WHERE e.profile_uuid = $1 AND e.name = $3 AND e.expires_at > coalesce($2, clock_timestamp())`,
  values: [profile, pinned, name],
});

/** The live entry at a place of the stack, 0 the newest: the place is found on the index alone, then one row is fetched. */
export const getByIndex = (profile: string, pinned: Date | null, idx: number): QueryConfig => ({
  name: 'clipboard_get_by_index',
  text: `SELECT ${columns}, $3::int AS idx FROM clipboard_entries e
    WHERE e.profile_uuid = $1 AND e.seq = (
      SELECT seq FROM clipboard_entries WHERE ${liveStackEntries('coalesce($2, statement_timestamp())')}
      ORDER BY seq DESC OFFSET $3 LIMIT 1)`,
  values: [profile, pinned, idx],
});

export type FoundRow = EntryRow & { bytes: string };

/**
 * Live entries by id that the profile may see: its own, its project's of visibility workspace, anybody's public ones. When
 * they are more than `bytesMax` together, no value is read, and `bytes` tells.
 */
export const findByUuid = (
  profile: string,
  pinned: Date | null,
  project: string,
  uuids: readonly string[],
  bytesMax: number,
): QueryConfig => ({
  name: 'clipboard_find_by_uuid',
  text: `SELECT ${columnsWith("CASE WHEN e.bytes <= $5 THEN e.value ELSE '' END")}, e.bytes, CASE WHEN e.seq IS NOT NULL THEN (
      SELECT count(*)::int FROM clipboard_entries above
      WHERE above.profile_uuid = e.profile_uuid AND above.seq > e.seq AND above.expires_at > coalesce($2, statement_timestamp())) END AS idx
    FROM (SELECT found.*, sum(found.size_bytes) OVER () AS bytes
      FROM clipboard_entries found JOIN profiles p ON p.uuid = found.profile_uuid
      WHERE found.uuid = ANY($4::uuid[]) AND found.expires_at > coalesce($2, statement_timestamp())
        AND (found.profile_uuid = $1 OR (found.visibility = 'workspace' AND p.project_uuid = $3) OR found.visibility = 'public')) e`,
  values: [profile, pinned, project, uuids, bytesMax],
});

export interface Page {
  limit: number;
  offset: number;
  contentType: string | null;
  /** Where the page before ended, for pages by cursor. */
  after: { seq: string } | { createdAt: Date; uuid: string } | null;
  withTotal: boolean;
  /** False leaves `value` empty and unread, and the page then ends by count alone. */
  withValues: boolean;
  bytesMax: number;
}

export type PageRow = { total: number | null; more: boolean } & ({ uuid: null } | (EntryRow & { seq: string | null }));

/**
 * The stack by index, then the named entries, newest first. One row at least, so that the total always arrives; the page
 * ends at `limit` entries or at `bytesMax` bytes of values (but holds one entry at least), and `more` tells whether anything follows.
 */
export const page = (profile: string, pinned: Date | null, wanted: Page): QueryConfig => ({
  name: 'clipboard_page',
  text: `WITH clock AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
    stack AS (
      SELECT uuid, 0 AS part, idx, created_at, size_bytes FROM (
        SELECT uuid, seq, content_type, created_at, size_bytes, (row_number() OVER (ORDER BY seq DESC) - 1)::int AS idx
        FROM clipboard_entries WHERE ${liveStackEntries('(SELECT now FROM clock)')}
        ORDER BY seq DESC LIMIT CASE WHEN $5::text IS NULL AND $8::bigint IS NULL THEN $3::bigint + $4::bigint + 1 END) live
      WHERE $9::timestamptz IS NULL AND ($5::text IS NULL OR content_type = $5) AND ($8::bigint IS NULL OR seq < $8)
      ORDER BY idx LIMIT $3::bigint + $4::bigint + 1),
    named AS (
      SELECT uuid, 1 AS part, NULL::int AS idx, created_at, size_bytes FROM clipboard_entries
      WHERE profile_uuid = $1 AND seq IS NULL AND expires_at > (SELECT now FROM clock) AND ($5::text IS NULL OR content_type = $5)
        AND ($9::timestamptz IS NULL OR (created_at, uuid) < ($9, $10::uuid))
        AND (SELECT count(*) FROM stack) <= $3::bigint + $4::bigint
      ORDER BY created_at DESC, uuid DESC LIMIT $3::bigint + $4::bigint + 1),
    page AS (
      SELECT *, row_number() OVER place AS ord, sum(size_bytes) OVER place - size_bytes AS bytes_before
      FROM (SELECT * FROM stack UNION ALL SELECT * FROM named ORDER BY part, idx, created_at DESC, uuid DESC OFFSET $4 LIMIT $3::bigint + 1) both_parts
      WINDOW place AS (ORDER BY part, idx, created_at DESC, uuid DESC)),
    taken AS (SELECT * FROM page WHERE ord <= $3 AND (bytes_before < $7 OR NOT $11))
    SELECT ${columnsWith("CASE WHEN $11 THEN e.value ELSE '' END")}, taken.idx, e.seq::text AS seq,
      CASE WHEN $6 THEN (SELECT count(*)::int FROM clipboard_entries
        WHERE profile_uuid = $1 AND expires_at > (SELECT now FROM clock) AND ($5::text IS NULL OR content_type = $5)) END AS total,
      (SELECT count(*) FROM page) > (SELECT count(*) FROM taken) AS more
    FROM clock LEFT JOIN taken ON true LEFT JOIN clipboard_entries e ON e.uuid = taken.uuid
    ORDER BY taken.ord`,
  values: [
    profile,
    pinned,
    wanted.limit,
    wanted.offset,
    wanted.contentType,
    wanted.withTotal,
    wanted.bytesMax,
    wanted.after && 'seq' in wanted.after ? wanted.after.seq : null,
    wanted.after && 'uuid' in wanted.after ? wanted.after.createdAt : null,
    wanted.after && 'uuid' in wanted.after ? wanted.after.uuid : null,
    wanted.withValues,
  ],
});

/** What a write needs of an entry; the database adds the times. */
export interface NewEntry {
  uuid: string;
  value: string;
  contentType: string;
  encoding: Encoding;
  sizeBytes: number;
  visibility: Visibility;
  createdByTool: string | null;
  createdByModel: string | null;
  source: Source;
  ttlSeconds: number;
}

export interface WrittenRow {
  uuid: string;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
}

/**
 * Sets a name, while no clear is under way. A live entry keeps its uuid and createdAt; an expired one that still lies there
 * is replaced as if it did not.
 */
export const set = (profile: string, pinned: Date | null, name: string, entry: NewEntry): Statement => ({
  name: 'clipboard_set',
  text: `INSERT INTO clipboard_entries AS e (uuid, profile_uuid, name, value, content_type, encoding, size_bytes, visibility,
      created_by_tool, created_by_model, source, created_at, updated_at, expires_at)
    SELECT $4, $1, $3, $5, $6, $7, $8, $9, $10, $11, $12, now, now, now + make_interval(secs => $13)
    FROM (SELECT clipboard_lock_names($1, $2) AS now) clock
    ON CONFLICT (profile_uuid, name) DO UPDATE SET
      uuid = CASE WHEN e.expires_at > excluded.created_at THEN e.uuid ELSE excluded.uuid END,
      created_at = CASE WHEN e.expires_at > excluded.created_at THEN e.created_at ELSE excluded.created_at END,
      value = excluded.value, content_type = excluded.content_type, encoding = excluded.encoding, size_bytes = excluded.size_bytes,
      visibility = excluded.visibility, created_by_tool = excluded.created_by_tool, created_by_model = excluded.created_by_model,
      source = excluded.source, updated_at = excluded.updated_at, expires_at = excluded.expires_at
    RETURNING uuid, created_at, updated_at, expires_at`,
  values: [profile, pinned, name, ...writtenValues(entry)],
  ...timeFor(entry),
});

export type StackRow = (EntryRow & { kind: 'popped' }) | (WrittenRow & { kind: 'pushed' });

const changedColumns = 'SELECT *, NULL AS name, 0 AS idx FROM clipboard_change_stack';

/** Pops the newest `pops` live entries, newest first, then pushes in order, under the profile's lock. */
export const changeStack = (
  profile: string,
  pinned: Date | null,
  pops: number,
  pushes: readonly NewEntry[],
): Statement => ({
  name: 'clipboard_change_stack',
  text: `${changedColumns}(
    $1, $2, $3, $4::uuid[], $5::text[], $6::text[], $7::text[], $8::int[], $9::text[], $10::text[], $11::text[], $12::text[], $13::int[])`,
  values: [
    profile,
    pinned,
    pops,
    pushes.map((push) => push.uuid),
    pushes.map((push) => push.value),
    pushes.map((push) => push.contentType),
    pushes.map((push) => push.encoding),
    pushes.map((push) => push.sizeBytes),
    pushes.map((push) => push.visibility),
    pushes.map((push) => push.createdByTool),
    pushes.map((push) => push.createdByModel),
    pushes.map((push) => push.source),
    pushes.map((push) => push.ttlSeconds),
  ],
});

/** One push by itself: a large value in an array parameter is escaped twice, which takes five times as long. */
export const pushOne = (profile: string, pinned: Date | null, entry: NewEntry): Statement => ({
  name: 'clipboard_push_one',
  text: `SELECT kind, uuid, created_at, updated_at, expires_at FROM clipboard_change_stack($1, $2, 0, ARRAY[$3::uuid], ARRAY[$4::text], ARRAY[$5::text], ARRAY[$6::text], ARRAY[$7::int],
    ARRAY[$8::text], ARRAY[$9::text], ARRAY[$10::text], ARRAY[$11::text], ARRAY[$12::int])`,
  values: [profile, pinned, ...writtenValues(entry)],
  ...timeFor(entry),
});

/** The values of an entry in the order of the statements that write one. */
const writtenValues = (entry: NewEntry) => [
  entry.uuid,
  entry.value,
  entry.contentType,
  entry.encoding,
  entry.sizeBytes,
  entry.visibility,
  entry.createdByTool,
  entry.createdByModel,
  entry.source,
  entry.ttlSeconds,
];

/** A megabyte on a busy machine takes its time, and is no sign of a database that is away. */
const timeFor = ({ sizeBytes }: NewEntry) => (sizeBytes > 262_144 ? { query_timeout: 8_000 } : {});

export interface RemovedRow {
  uuid: string;
  name: string | null;
  live: boolean;
}

/** Deletes a name, while no clear is under way; `live` tells whether anybody could still see it. */
export const removeByName = (profile: string, pinned: Date | null, name: string): QueryConfig => ({
  name: 'clipboard_remove_by_name',
  text: `DELETE FROM clipboard_entries USING (SELECT clipboard_lock_names($1, $2) AS now) clock
    WHERE profile_uuid = $1 AND name = $3 RETURNING uuid, name, expires_at > now AS live`,
  values: [profile, pinned, name],
});

/** Deletes the live entry at a place of the stack, under the profile's lock. */
export const removeByIndex = (profile: string, pinned: Date | null, idx: number): QueryConfig => ({
  name: 'clipboard_remove_by_index',
  text: 'SELECT uuid, NULL AS name, true AS live FROM clipboard_remove_by_index($1, $2, $3)',
  values: [profile, pinned, idx],
});

/** Deletes everything of the profile. The only statement whose cost must grow with what is stored, so it may take longer. */
export const clear = (profile: string, pinned: Date | null): Statement => ({
  name: 'clipboard_clear',
  query_timeout: 9_000,
  text: 'SELECT clipboard_clear($1, $2) AS count',
  values: [profile, pinned],
});

/**
 * Deletes at most `rows` expired entries, and skips rows that another transaction holds: two that each wait for a row of the
 * other's would end in a deadlock. The outer condition spares a name that is set again at this very moment.
 */
export const purgeExpired = (pinned: Date | null, rows: number): QueryConfig => ({
  name: 'clipboard_purge_expired',
  text: `DELETE FROM clipboard_entries WHERE expires_at <= coalesce($1, statement_timestamp()) AND ctid = ANY(ARRAY(
      SELECT ctid FROM clipboard_entries WHERE expires_at <= coalesce($1, statement_timestamp()) ORDER BY expires_at LIMIT $2
      FOR UPDATE SKIP LOCKED))
    RETURNING profile_uuid, uuid, name`,
  values: [pinned, rows],
});

/** Deletes at most `rows` entries of a profile that was deleted. */
export const removeContents = (profile: string, rows: number): Statement => ({
  name: 'clipboard_remove_contents',
  text: `DELETE FROM clipboard_entries WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM clipboard_entries WHERE profile_uuid = $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING uuid`,
  values: [profile, rows],
});

/** Live entries of the profile, of one content type or of all. */
export const count = (profile: string, pinned: Date | null, contentType: string | null): QueryConfig => ({
  name: 'clipboard_count',
  text: `SELECT count(*)::int AS count FROM clipboard_entries
    WHERE profile_uuid = $1 AND expires_at > coalesce($2, statement_timestamp()) AND ($3::text IS NULL OR content_type = $3)`,
  values: [profile, pinned, contentType],
});
