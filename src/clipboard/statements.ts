import type { QueryConfig } from 'pg';
import { columns } from '../../prisma/generated/columns.ts';
import type { Statement } from '../platform/database/database.ts';
import type { ClipboardEntry } from './entry.ts';
import type { EntryFilter } from './input.ts';

/**
 * Every statement of the clipboard: one round trip per operation, prepared once per connection.
 *
 * `pinned` is the instant that decides expiry, null for the database's own clock. An entry is live while
 * `expires_at > now`: at the very instant of `expiresAt` it is gone. Stack operations that change something take the
 * profile's lock and read the clock behind it (see docs/decisions/0003-clipboard-stack.md).
 *
 * The lists of columns are made from the model: a new field is read and written by every statement.
 */

/** An entry's fields with their columns, but for those named. */
const columnsBut = (...fields: (keyof typeof columns.ClipboardEntry)[]): [field: string, column: string][] =>
  Object.entries(columns.ClipboardEntry).filter(([field]) => !(fields as string[]).includes(field));

/** What readers see; rows have the names of the fields. Beside it a statement selects `idx`. */
const entryColumnsWith = (value: string) =>
  columnsBut('profileUuid', 'seq')
    .map(([field, column]) => `${field === 'value' ? value : `e.${column}`} AS "${field}"`)
    .join(', ');
const entryColumns = entryColumnsWith('e.value');

const liveStackEntries = (now: string) => `profile_uuid = $1 AND seq IS NOT NULL AND expires_at > ${now}`;

/** The live entry of a name. */
export const getByName = (profile: string, pinned: Date | null, name: string): QueryConfig => ({
  name: 'clipboard_get_by_name',
  text: `SELECT ${entryColumns}, NULL::int AS idx FROM clipboard_entries e
    WHERE e.profile_uuid = $1 AND e.name = $3 AND e.expires_at > coalesce($2, clock_timestamp())`,
  values: [profile, pinned, name],
});

/** The live entry at a place of the stack, 0 the newest: the place is found on the index alone, then one row is fetched. */
export const getByIndex = (profile: string, pinned: Date | null, idx: number): QueryConfig => ({
  name: 'clipboard_get_by_index',
  text: `SELECT ${entryColumns}, $3::int AS idx FROM clipboard_entries e
    WHERE e.profile_uuid = $1 AND e.seq = (
      SELECT seq FROM clipboard_entries WHERE ${liveStackEntries('coalesce($2, statement_timestamp())')}
      ORDER BY seq DESC OFFSET $3 LIMIT 1)`,
  values: [profile, pinned, idx],
});

const boundedColumns = entryColumnsWith("CASE WHEN e.bytes <= $5 THEN e.value ELSE '' END");

export type FoundRow = ClipboardEntry & { bytes: string };

/**
 * Live entries by id that the profile may see: its own, its project's of visibility workspace, and public ones of any
 * profile. If they exceed `bytesMax` together, no value is read, and `bytes` has the size.
 */
export const findByUuid = (
  profile: string,
  pinned: Date | null,
  project: string,
  uuids: readonly string[],
  bytesMax: number,
): QueryConfig => ({
  name: 'clipboard_find_by_uuid',
  text: `SELECT ${boundedColumns}, e.bytes, CASE WHEN e.seq IS NOT NULL THEN (
      SELECT count(*)::int FROM clipboard_entries above
      WHERE above.profile_uuid = e.profile_uuid AND above.seq > e.seq AND above.expires_at > coalesce($2, statement_timestamp())) END AS idx
    FROM (SELECT found.*, sum(found.size_bytes) OVER () AS bytes
      FROM clipboard_entries found JOIN profiles p ON p.uuid = found.profile_uuid
      WHERE found.uuid = ANY($4::uuid[]) AND found.expires_at > coalesce($2, statement_timestamp())
        AND (found.profile_uuid = $1 OR (found.visibility = 'workspace' AND p.project_uuid = $3) OR found.visibility = 'public')) e`,
  values: [profile, pinned, project, uuids, bytesMax],
});

/** The type and the condition of each filter of a list. A filter that is left out is null and lets every entry through. */
const filters: Record<keyof EntryFilter, { type: string; matches: (parameter: string) => string }> = {
  contentType: { type: 'text', matches: (parameter) => `content_type = ${parameter}` },
};

/** The conditions of all filters, whose parameters begin at number `first`. */
const filterConditions = (first: number) => {
  const all = Object.values(filters).map(({ type, matches }, place) => {
    const parameter = `$${first + place}`;
    const isAbsent = `${parameter}::${type} IS NULL`;
    return { isAbsent, passes: `(${isAbsent} OR ${matches(parameter)})` };
  });
  return {
    areAbsent: all.map(({ isAbsent }) => isAbsent).join(' AND '),
    pass: all.map(({ passes }) => passes).join(' AND '),
  };
};

const filterValues = (filter: EntryFilter) =>
  Object.keys(filters).map((name) => filter[name as keyof EntryFilter] ?? null);

export interface Page {
  limit: number;
  offset: number;
  filter: EntryFilter;
  /** Where the page before ended, for pages by cursor. */
  after: { seq: string } | { createdAt: Date; uuid: string } | null;
  withTotal: boolean;
  /** False leaves `value` empty and unread, and the page then ends by count alone. */
  withValues: boolean;
  bytesMax: number;
}

/** An entry that is not `taken` follows the page, and comes without its value. */
export type PageRow = { total: number | null; taken: boolean | null } & ({ uuid: null } | ListedRow);

/** `seq` is null on a named entry. */
export type ListedRow = ClipboardEntry & { seq: string | null };

/**
 * Both parts are read in the order of their indexes, and no further than the page. A limit that is a number in the text and a total that
 * a function counts let PostgreSQL see that one plan is good for all profiles: to plan each run anew takes longer than the run.
 */
const plainPageText = (
  rowsMax: number | string,
) => `SELECT ${entryColumnsWith("CASE WHEN e.taken AND $7 THEN e.value ELSE '' END")},
      e.idx, e.seq::text AS seq, e.taken, all_entries.total
    FROM (SELECT CASE WHEN $5 THEN (SELECT clipboard_total($1, $2)) END AS total) all_entries
      LEFT JOIN (
        SELECT *, row_number() OVER place <= $3 AND (sum(size_bytes) OVER place - size_bytes < $6 OR NOT $7) AS taken
        FROM (
          (SELECT *, (row_number() OVER (ORDER BY seq DESC) - 1)::int AS idx FROM clipboard_entries
            WHERE ${liveStackEntries('coalesce($2, statement_timestamp())')} ORDER BY seq DESC LIMIT ${rowsMax})
          UNION ALL
          (SELECT *, NULL AS idx FROM clipboard_entries
            WHERE profile_uuid = $1 AND seq IS NULL AND expires_at > coalesce($2, statement_timestamp())
            ORDER BY created_at DESC, uuid DESC LIMIT ${rowsMax})
          LIMIT $3::bigint + 1 OFFSET $4) both_parts
        WINDOW place AS (ORDER BY seq DESC NULLS LAST, created_at DESC, uuid DESC ROWS UNBOUNDED PRECEDING)
      ) e ON true
    ORDER BY e.seq DESC NULLS LAST, e.created_at DESC, e.uuid DESC`;

/** Rows up to which a page counts as one of the first. With more, sorting all entries seems as cheap as following the index. */
const firstRowsMax = 32;
const firstPageText = plainPageText(firstRowsMax);
const laterPageText = plainPageText('$3::bigint + $4::bigint + 1');

/** A page after an entry of the stack counts those above it on the index alone, and reads no further than its own end. */
const ofPage = filterConditions(11);
const pageText = `WITH clock AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
    stack AS (
      SELECT uuid, 0 AS part, idx, created_at, size_bytes FROM (
        SELECT *, ((SELECT count(*) FROM clipboard_entries WHERE ${liveStackEntries('(SELECT now FROM clock)')} AND seq >= $8)
          + row_number() OVER (ORDER BY seq DESC) - 1)::int AS idx
        FROM clipboard_entries WHERE ${liveStackEntries('(SELECT now FROM clock)')} AND seq < coalesce($8::bigint, 9223372036854775807)
        ORDER BY seq DESC LIMIT CASE WHEN ${ofPage.areAbsent} THEN $3::bigint + $4::bigint + 1 END) live
      WHERE $9::timestamptz IS NULL AND ${ofPage.pass}
      ORDER BY seq DESC LIMIT $3::bigint + $4::bigint + 1),
    named AS (
      SELECT uuid, 1 AS part, NULL::int AS idx, created_at, size_bytes FROM clipboard_entries
      WHERE profile_uuid = $1 AND seq IS NULL AND expires_at > (SELECT now FROM clock) AND ${ofPage.pass}
        AND ($9::timestamptz IS NULL OR (created_at, uuid) < ($9, $10::uuid))
        AND (SELECT count(*) FROM stack) <= $3::bigint + $4::bigint
      ORDER BY created_at DESC, uuid DESC LIMIT $3::bigint + $4::bigint + 1),
    page AS (
      SELECT *, row_number() OVER place AS ord, sum(size_bytes) OVER place - size_bytes AS bytes_before
      FROM (SELECT * FROM stack UNION ALL SELECT * FROM named ORDER BY part, idx, created_at DESC, uuid DESC OFFSET $4 LIMIT $3::bigint + 1) both_parts
      WINDOW place AS (ORDER BY part, idx, created_at DESC, uuid DESC)),
    taken AS (SELECT *, ord <= $3 AND (bytes_before < $6 OR NOT $7) AS taken FROM page)
    SELECT ${entryColumnsWith("CASE WHEN taken.taken AND $7 THEN e.value ELSE '' END")}, taken.idx, e.seq::text AS seq,
      CASE WHEN $5 THEN (SELECT count(*)::int FROM clipboard_entries
        WHERE profile_uuid = $1 AND expires_at > (SELECT now FROM clock) AND ${ofPage.pass}) END AS total,
      taken.taken
    FROM clock LEFT JOIN taken ON true LEFT JOIN clipboard_entries e ON e.uuid = taken.uuid
    ORDER BY taken.ord`;

/**
 * The stack by index, then the named entries, newest first. There is at least one row, so that the total is always
 * returned; the page ends at `limit` entries or at `bytesMax` bytes of values (but holds at least one entry). Pages without filters and
 * cursor have statements of their own, which cost half as much.
 */
export function page(profile: string, pinned: Date | null, wanted: Page): QueryConfig {
  const { limit, offset, withTotal, bytesMax, withValues, after } = wanted;
  const bounds = [profile, pinned, limit, offset, withTotal, bytesMax, withValues];
  const filterBy = filterValues(wanted.filter);
  if (after === null && filterBy.every((value) => value === null))
    return limit + offset < firstRowsMax
      ? { name: 'clipboard_first_page', text: firstPageText, values: bounds }
      : { name: 'clipboard_later_page', text: laterPageText, values: bounds };
  const place = [
    after && 'seq' in after ? after.seq : null,
    after && 'uuid' in after ? after.createdAt : null,
    after && 'uuid' in after ? after.uuid : null,
  ];
  return { name: 'clipboard_page', text: pageText, values: [...bounds, ...place, ...filterBy] };
}

/** What a write needs of an entry; the database adds the times. */
export interface NewEntry extends Omit<ClipboardEntry, 'name' | 'idx' | WrittenField> {
  uuid: string;
  ttlSeconds: number;
}

/** What the database says of an entry that it has written. */
export type WrittenRow = Pick<ClipboardEntry, WrittenField>;
const writtenFields = ['uuid', 'createdAt', 'updatedAt', 'expiresAt'] as const;
type WrittenField = (typeof writtenFields)[number];
const writtenColumns = writtenFields.map((field) => `${columns.ClipboardEntry[field]} AS "${field}"`).join(', ');

/** What a writer gives beside the uuid. It is the same for a name and the stack, and replaces what a name had. */
const given = columnsBut('profileUuid', 'name', 'seq', ...writtenFields);
const givenColumns = given.map(([, column]) => column).join(', ');
const givenParameters = (first: number) => given.map((_, place) => `$${first + place}`).join(', ');
const givenValues = (entry: NewEntry) => given.map(([field]) => entry[field as keyof NewEntry]);

const setText = `INSERT INTO clipboard_entries AS e (profile_uuid, name, uuid, created_at, updated_at, expires_at, ${givenColumns})
    SELECT $1, $3, $4, now, now, now + make_interval(secs => $5), ${givenParameters(6)}
    FROM (SELECT clipboard_lock_names($1, $2) AS now) clock
    ON CONFLICT (profile_uuid, name) DO UPDATE SET
      uuid = CASE WHEN e.expires_at > excluded.created_at THEN e.uuid ELSE excluded.uuid END,
      created_at = CASE WHEN e.expires_at > excluded.created_at THEN e.created_at ELSE excluded.created_at END,
      updated_at = excluded.updated_at, expires_at = excluded.expires_at,
      ${given.map(([, column]) => `${column} = excluded.${column}`).join(', ')}
    RETURNING ${writtenColumns}`;

/**
 * Sets a name, while no clear is under way. A live entry keeps its uuid and createdAt; an expired one that still lies there
 * is replaced as if it did not.
 */
export const set = (profile: string, pinned: Date | null, name: string, entry: NewEntry): Statement => ({
  name: 'clipboard_set',
  text: setText,
  values: [profile, pinned, name, entry.uuid, entry.ttlSeconds, ...givenValues(entry)],
  ...timeFor(entry),
});

const pushOneText = `INSERT INTO clipboard_entries (profile_uuid, seq, uuid, created_at, updated_at, expires_at, ${givenColumns})
    SELECT $1, nextval('clipboard_seq'), $3, now, now, now + make_interval(secs => $4), ${givenParameters(5)}
    FROM (SELECT clipboard_lock_stack($1, $2) AS now) clock
    RETURNING ${writtenColumns}`;

/** One push by itself, which writes and reads no JSON: a large value is escaped once. */
export const pushOne = (profile: string, pinned: Date | null, entry: NewEntry): Statement => ({
  name: 'clipboard_push_one',
  text: pushOneText,
  values: [profile, pinned, entry.uuid, entry.ttlSeconds, ...givenValues(entry)],
  ...timeFor(entry),
});

const popped = (pops: string) => `SELECT ${entryColumns}, 0 AS idx FROM clipboard_pop($1, $2, ${pops}) e`;
const popText = popped('$3');

/** Pops the newest `pops` live entries, newest first, under the profile's lock. */
export const pop = (profile: string, pinned: Date | null, pops: number): Statement => ({
  name: 'clipboard_pop',
  text: popText,
  values: [profile, pinned, pops],
});

const pushed = `WITH clock AS MATERIALIZED (SELECT clipboard_lock_stack($1, $2) AS now),
    pushed AS (
      INSERT INTO clipboard_entries (profile_uuid, seq, uuid, created_at, updated_at, expires_at, ${givenColumns})
      SELECT $1, nextval('clipboard_seq'), uuid, now, now, now + make_interval(secs => ttl_seconds), ${givenColumns}
      FROM clock, (SELECT *, unnest AS ttl_seconds
        FROM ROWS FROM (json_populate_recordset(NULL::clipboard_entries, $3), unnest($4::int[])) WITH ORDINALITY
        ORDER BY ordinality) given
      RETURNING ${writtenColumns})`;
const pushText = `${pushed} SELECT * FROM pushed`;
const popAndPushText = `${pushed} ${popped('$5')}
    UNION ALL SELECT ${columnsBut('profileUuid', 'seq')
      .map(([field]) => ((writtenFields as readonly string[]).includes(field) ? `"${field}"` : 'NULL'))
      .join(', ')}, NULL FROM pushed`;

/**
 * Pops as `pop` does, then pushes in order, under the profile's lock. The rows of the pops come first; each push has one, of
 * which only the fields of `WrittenRow` are there.
 */
export const changeStack = (
  profile: string,
  pinned: Date | null,
  pops: number,
  pushes: readonly NewEntry[],
): Statement => {
  const values = [profile, pinned, JSON.stringify(pushes.map(rowOf)), pushes.map(({ ttlSeconds }) => ttlSeconds)];
  // `clipboard_pop` costs as much as a push, also where it pops nothing.
  return pops === 0
    ? { name: 'clipboard_push', text: pushText, values }
    : { name: 'clipboard_pop_and_push', text: popAndPushText, values: [...values, pops] };
};

/** The given fields of an entry, by column. */
const rowOf = (entry: NewEntry) => ({
  uuid: entry.uuid,
  ...Object.fromEntries(given.map(([field, column]) => [column, entry[field as keyof NewEntry]])),
});

/** A megabyte takes its time on a busy machine, and does not mean that the database is unavailable. */
const timeFor = ({ sizeBytes }: NewEntry) => (sizeBytes > 262_144 ? { query_timeout: 8_000 } : {});

export interface RemovedRow {
  uuid: string;
  name: string | null;
  live: boolean;
}

/** Deletes a name while no clear runs; `live` says whether the entry was still visible. */
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

/** Deletes all entries of the profile. Its cost grows with the number of entries, so it may take longer. */
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

const countText = `SELECT count(*)::int AS count FROM clipboard_entries
    WHERE profile_uuid = $1 AND expires_at > coalesce($2, statement_timestamp()) AND ${filterConditions(3).pass}`;

/** Live entries of the profile that the filter lets through. Without a filter they are counted on an index alone. */
export function count(profile: string, pinned: Date | null, filter: EntryFilter): QueryConfig {
  const filterBy = filterValues(filter);
  return filterBy.every((value) => value === null)
    ? { name: 'clipboard_count_all', text: 'SELECT clipboard_total($1, $2) AS count', values: [profile, pinned] }
    : { name: 'clipboard_count', text: countText, values: [profile, pinned, ...filterBy] };
}
