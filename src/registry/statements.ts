import type { Statement } from '../platform/database/database.ts';

/** Reads of the registry, and writes of submissions and links. Publishing: publication-statements.ts. */

export type EntryStatus = 'active' | 'deprecated' | 'deleted';

export interface EntryRow {
  seq: string;
  name: string;
  version: string;
  document: string;
  status: EntryStatus;
  status_message: string | null;
  status_changed_at: Date;
  published_at: Date;
  updated_at: Date;
  is_latest: boolean;
  server_uuid: string | null;
}

/** A server that is gone, or that its owner made private, is deleted here at once; the feed says so within a minute. */
const status = "CASE WHEN s.is_public THEN v.status ELSE 'deleted' END";
/** The document may have 64 kB: it is read only when it is asked for. */
const columnsOf = (
  isWhole: boolean,
) => `v.seq, r.name, v.version, ${isWhole ? 'v.document' : "'{}' AS document"}, ${status} AS status, v.status_message, v.status_changed_at, v.published_at,
      v.updated_at, v.is_latest, r.server_uuid`;
const entries = `registry_versions v JOIN registry_servers r ON r.uuid = v.registry_uuid
      LEFT JOIN mcp_servers s ON s.uuid = r.server_uuid`;

export interface EntryFilter {
  readonly search: string | null;
  /** The servers whose names have it, where they are few: then they are read, and not the whole feed for them. */
  readonly among: readonly string[] | null;
  readonly updatedSince: Date | null;
  /** `latest`, or one version. */
  readonly version: string | null;
  readonly includeDeleted: boolean;
}

/**
 * What a filter asks for, and nothing else: a prepared statement whose conditions may be empty would one day be planned for all of
 * them, and read the whole registry for a feed in which nothing is new.
 */
function chosen({ search, among, updatedSince, version, includeDeleted }: EntryFilter) {
  const values: unknown[] = [];
  const at = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['true'];
  let kind = '';
  if (among !== null) {
    kind += '_among';
    conditions.push(`v.registry_uuid = ANY (${at(among)}::uuid[])`);
  } else if (search !== null) {
    kind += '_search';
    conditions.push(`position(${at(search.toLowerCase())}::text IN r.name_key) > 0`);
  }
  if (updatedSince !== null) {
    kind += '_since';
    conditions.push(`v.updated_at >= ${at(updatedSince)}::timestamptz`);
  }
  if (version === 'latest') {
    kind += '_latest';
    conditions.push('v.is_latest');
  } else if (version !== null) {
    kind += '_version';
    conditions.push(`v.version = ${at(version)}::text`);
  }
  if (!includeDeleted) {
    kind += '_living';
    conditions.push(`${status} <> 'deleted'`);
  }
  return { kind, where: conditions.join(' AND '), values, at };
}

/**
 * A page in the order of the feed, one more than requested. A change moves to the end of the feed, so that a client
 * that pages sees it there and misses none.
 */
export function page(filter: EntryFilter, after: string | null, first: number, isWhole: boolean): Statement {
  const { kind, where, values, at } = chosen(filter);
  return {
    name: `registry_page${kind}${isWhole ? '' : '_brief'}`,
    text: `SELECT ${columnsOf(isWhole)} FROM ${entries} WHERE ${where} AND v.seq > ${at(after ?? '0')}::bigint
      ORDER BY v.seq LIMIT ${at(first + 1)}`,
    values,
  };
}

/** The servers whose names hold a text, at most so many. */
export const named = (search: string, max: number): Statement => ({
  name: 'registry_named',
  text: 'SELECT uuid FROM registry_servers WHERE position($1::text IN name_key) > 0 LIMIT $2',
  values: [search.toLowerCase(), max],
});

/** How many there are, at most `max`: to count on would read all of a large registry. */
export function count(filter: EntryFilter, max: number): Statement {
  const { kind, where, values, at } = chosen(filter);
  return {
    name: `registry_count${kind}`,
    text: `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${entries} WHERE ${where} LIMIT ${at(max)}) found`,
    values,
  };
}

/** The versions of a name, the newest publication first. */
export const versions = (nameKey: string, includeDeleted: boolean, max: number, isWhole: boolean): Statement => ({
  name: `registry_versions_of${isWhole ? '' : '_brief'}`,
  text: `SELECT ${columnsOf(isWhole)} FROM ${entries} WHERE r.name_key = $1 AND ($2 OR ${status} <> 'deleted')
    ORDER BY v.published_at DESC, v.seq DESC LIMIT $3`,
  values: [nameKey, includeDeleted, max],
});

/** One version of a name, or its latest. */
export const version = (nameKey: string, wanted: string, includeDeleted: boolean): Statement => ({
  name: 'registry_version',
  text: `SELECT ${columnsOf(true)} FROM ${entries}
    WHERE r.name_key = $1 AND CASE WHEN $2 = 'latest' THEN v.is_latest ELSE v.version = $2 END
      AND ($3 OR ${status} <> 'deleted')`,
  values: [nameKey, wanted, includeDeleted],
});

/** One row, whatever the registry holds. */
export const health = (): Statement => ({
  name: 'registry_health',
  text: `SELECT total_servers, last_indexed_at, current_setting('transaction_read_only') = 'on' AS is_read_only
    FROM registry_state WHERE id = 1`,
});

export interface SubmissionRow {
  uuid: string;
  user_uuid: string;
  profile_uuid: string;
  repository_id: string;
  repository: string;
  package_type: string;
  transports: string[];
  environment_variables: string[];
  name: string;
  version: string;
  document: string;
  status: 'pending' | 'accepted' | 'rejected';
  reason: string | null;
  decided_at: Date | null;
  created_at: Date;
  submitted_at: Date;
}

export const submissionOf = (repositoryId: number): Statement => ({
  name: 'registry_submission_of',
  text: 'SELECT * FROM registry_submissions WHERE repository_id = $1',
  values: [repositoryId],
});

export const submission = (uuid: string): Statement => ({
  name: 'registry_submission',
  text: 'SELECT * FROM registry_submissions WHERE uuid = $1',
  values: [uuid],
});

export const removeSubmission = (uuid: string): Statement => ({
  name: 'registry_submission_remove',
  text: 'DELETE FROM registry_submissions WHERE uuid = $1',
  values: [uuid],
});

/** Submits, for the first time or again; the row stays the same one. */
export const submit = (
  row: Pick<
    SubmissionRow,
    | 'uuid'
    | 'user_uuid'
    | 'profile_uuid'
    | 'repository'
    | 'package_type'
    | 'transports'
    | 'environment_variables'
    | 'name'
    | 'version'
    | 'document'
  > & { repository_id: number; now: Date },
): Statement => ({
  name: 'registry_submit',
  text: `INSERT INTO registry_submissions (uuid, user_uuid, profile_uuid, repository_id, repository, package_type, transports,
      environment_variables, name, version, document, status, created_at, submitted_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'pending', $12, $12)
    ON CONFLICT (repository_id) DO UPDATE SET profile_uuid = $3, repository = $5, package_type = $6, transports = $7,
      environment_variables = $8, name = $9, version = $10, document = $11, status = 'pending', reason = NULL,
      decided_at = NULL, submitted_at = $12
    RETURNING *`,
  values: [
    row.uuid,
    row.user_uuid,
    row.profile_uuid,
    row.repository_id,
    row.repository,
    row.package_type,
    row.transports,
    row.environment_variables,
    row.name,
    row.version,
    row.document,
    row.now,
  ],
});

/** Decides a submission that is still as it was reviewed; no row where another review was faster. */
export const decide = (
  uuid: string,
  submittedAt: Date,
  status: 'accepted' | 'rejected',
  reason: string | null,
  now: Date,
): Statement => ({
  name: 'registry_decide',
  text: `UPDATE registry_submissions SET status = $3, reason = $4, decided_at = $5
    WHERE uuid = $1 AND submitted_at = $2 AND status = 'pending' RETURNING *`,
  values: [uuid, submittedAt, status, reason, now],
});

/** Whether a user may not sign in any more, or is gone. */
export const isDisabled = (userUuid: string): Statement => ({
  name: 'registry_is_disabled',
  text: 'SELECT 1 FROM (VALUES (1)) one WHERE NOT EXISTS (SELECT 1 FROM users WHERE uuid = $1 AND disabled_at IS NULL)',
  values: [userUuid],
});

/**
 * The submissions of a profile, or of all if it is null, with a status. As for entries, each combination is a separate
 * statement.
 */
function chosenSubmissions(profileUuid: string | null, wanted: string | null) {
  const values: unknown[] = [];
  const at = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['true'];
  let kind = '';
  if (profileUuid !== null) {
    kind += '_own';
    conditions.push(`profile_uuid = ${at(profileUuid)}`);
  }
  if (wanted !== null) {
    kind += '_status';
    conditions.push(`status = ${at(wanted)}`);
  }
  return { kind, where: conditions.join(' AND '), values, at };
}

/** A page of submissions after a place; the newest first. */
export function submissions(
  profileUuid: string | null,
  wanted: string | null,
  after: { createdAt: Date; uuid: string } | null,
  first: number,
): Statement {
  const { kind, where, values, at } = chosenSubmissions(profileUuid, wanted);
  const beyond = after ? `AND (created_at, uuid) < (${at(after.createdAt)}, ${at(after.uuid)})` : '';
  return {
    name: `registry_submissions${kind}${after ? '_after' : ''}`,
    text: `SELECT * FROM registry_submissions WHERE ${where} ${beyond} ORDER BY created_at DESC, uuid DESC LIMIT ${at(first + 1)}`,
    values,
  };
}

export function countSubmissions(profileUuid: string | null, wanted: string | null): Statement {
  const { kind, where, values } = chosenSubmissions(profileUuid, wanted);
  return {
    name: `registry_submissions_count${kind}`,
    text: `SELECT count(*)::int AS count FROM registry_submissions WHERE ${where}`,
    values,
  };
}
