import type { Statement } from '../platform/database/database.ts';
import type { EntryStatus } from './statements.ts';

/** The statements of publishing: each takes many rows at once, as JSON. */

/** Takes the registry for the rest of the transaction: changes are in the feed in the order of their commits. */
export const hold = (): Statement => ({
  name: 'registry_hold',
  text: 'SELECT seq, updated_at FROM registry_state WHERE id = 1 FOR UPDATE',
});

/** Gives it back with the last place that was given away. */
export const release = (seq: bigint, updatedAt: Date, isIndexed: boolean): Statement => ({
  name: 'registry_release',
  text: `UPDATE registry_state SET seq = $1, updated_at = $2, last_indexed_at = CASE WHEN $3 THEN $2 ELSE last_indexed_at END
    WHERE id = 1`,
  values: [String(seq), updatedAt, isIndexed],
});

/** Counts the listed servers again, while the registry is locked; triggers maintain the figure in between. */
export const recount = (): Statement => ({
  name: 'registry_recount',
  query_timeout: 9_000,
  text: `UPDATE registry_state
    SET total_servers = (SELECT count(*) FROM registry_versions WHERE is_latest AND status IN ('active', 'deprecated'))
    WHERE id = 1 RETURNING total_servers`,
});

export interface RegistryServerRow {
  uuid: string;
  name: string;
  name_key: string;
  server_uuid: string | null;
  owner_uuid: string | null;
  repository_id: string | null;
  withdrawn_at: Date | null;
}

export const serversByName = (nameKeys: readonly string[]): Statement => ({
  name: 'registry_known',
  text: 'SELECT * FROM registry_servers WHERE name_key = ANY ($1)',
  values: [nameKeys],
});

export const serverOfRepository = (repositoryId: string | number): Statement => ({
  name: 'registry_known_repository',
  text: 'SELECT * FROM registry_servers WHERE repository_id = $1',
  values: [repositoryId],
});

export interface HeldServerRow {
  uuid: string;
  user_uuid: string;
  profile_uuid: string;
  /** The name that it stands for; null for none. */
  registry_uuid: string | null;
}

/**
 * Takes servers before the names that they stand for, in the order of their ids, as deletions and installations do.
 */
export const holdServers = (uuids: readonly string[]): Statement => ({
  name: 'registry_hold_servers',
  text: `SELECT s.uuid, s.profile_uuid, j.user_uuid, r.uuid AS registry_uuid FROM mcp_servers s
    JOIN profiles p ON p.uuid = s.profile_uuid JOIN projects j ON j.uuid = p.project_uuid
    LEFT JOIN registry_servers r ON r.server_uuid = s.uuid
    WHERE s.uuid = ANY ($1::uuid[]) ORDER BY s.uuid FOR UPDATE OF s`,
  values: [uuids],
});

/** Locks servers that will become visible again, in the order in which installations lock them (`holdAll`). */
export const holdShown = (uuids: readonly string[]): Statement => ({
  name: 'registry_hold_shown',
  query_timeout: 9_000,
  text: 'SELECT uuid FROM mcp_servers WHERE uuid = ANY ($1::uuid[]) ORDER BY uuid FOR NO KEY UPDATE',
  values: [uuids],
});

/** The owner of a name, and its server; nulls without them. A name with an owner is no longer withdrawn. */
export const claim = (
  uuid: string,
  ownerUuid: string | null,
  repositoryId: string | null,
  serverUuid: string | null,
): Statement => ({
  name: 'registry_claim',
  text: `UPDATE registry_servers SET owner_uuid = $2, repository_id = $3, server_uuid = $4,
      withdrawn_at = CASE WHEN $2::uuid IS NULL THEN withdrawn_at END
    WHERE uuid = $1`,
  values: [uuid, ownerUuid, repositoryId, serverUuid],
});

/** Records that a name was withdrawn here: otherwise the next import would restore it. */
export const noteWithdrawal = (uuid: string, now: Date): Statement => ({
  name: 'registry_note_withdrawal',
  text: 'UPDATE registry_servers SET withdrawn_at = $2 WHERE uuid = $1',
  values: [uuid, now],
});

export interface NewServer {
  readonly uuid: string;
  readonly name: string;
  readonly name_key: string;
}

export const addServers = (servers: readonly NewServer[], now: Date): Statement => ({
  name: 'registry_add_servers',
  text: `INSERT INTO registry_servers (uuid, name, name_key, created_at)
    SELECT uuid, name, name_key, $2 FROM json_to_recordset($1) AS t (uuid uuid, name text, name_key text)`,
  values: [JSON.stringify(servers), now],
});

export interface NewVersion {
  readonly registry_uuid: string;
  readonly version: string;
  readonly document: string;
  readonly status: EntryStatus;
  readonly status_message: string | null;
  readonly published_at: Date;
  readonly seq: string;
}

/**
 * Adds new versions, and updates changed ones: an unchanged version returns no row. A document is stored as text, byte
 * for byte.
 */
export const putVersions = (rows: readonly NewVersion[], now: Date): Statement => ({
  name: 'registry_put_versions',
  query_timeout: 9_000,
  text: `INSERT INTO registry_versions AS v (registry_uuid, version, document, status, status_message, status_changed_at,
      published_at, updated_at, is_latest, seq)
    SELECT registry_uuid, version, document, status, status_message, $2, published_at, $2, false, seq
    FROM json_to_recordset($1) AS t (registry_uuid uuid, version text, document text, status text, status_message text,
      published_at timestamptz, seq bigint)
    ON CONFLICT (registry_uuid, version) DO UPDATE SET document = excluded.document, status = excluded.status,
      status_message = excluded.status_message, updated_at = excluded.updated_at, seq = excluded.seq,
      status_changed_at = CASE WHEN v.status = excluded.status THEN v.status_changed_at ELSE excluded.status_changed_at END
    WHERE (v.document, v.status, v.status_message) IS DISTINCT FROM (excluded.document, excluded.status, excluded.status_message)
    RETURNING registry_uuid, version`,
  values: [JSON.stringify(rows), now],
});

export interface StandingRow {
  registry_uuid: string;
  version: string;
  status: EntryStatus;
  published_at: Date;
  is_latest: boolean;
}

/** All versions of some servers, without their documents. */
export const standing = (uuids: readonly string[]): Statement => ({
  name: 'registry_standing',
  text: `SELECT registry_uuid, version, status, published_at, is_latest FROM registry_versions WHERE registry_uuid = ANY ($1::uuid[])`,
  values: [uuids],
});

/** A version that becomes the latest, or is it no more: a change like any other. */
export const setLatest = (
  rows: readonly { registry_uuid: string; version: string; is_latest: boolean; seq: string }[],
  now: Date,
): Statement => ({
  name: 'registry_set_latest',
  text: `UPDATE registry_versions v SET is_latest = t.is_latest, seq = t.seq, updated_at = $2
    FROM json_to_recordset($1) AS t (registry_uuid uuid, version text, is_latest boolean, seq bigint)
    WHERE v.registry_uuid = t.registry_uuid AND v.version = t.version`,
  values: [JSON.stringify(rows), now],
});

/** The columns that servers take from their registry entries. */
export const latestDocuments = (uuids: readonly string[]): Statement => ({
  name: 'registry_latest_documents',
  text: `SELECT r.uuid, r.name, r.server_uuid, v.document, v.status FROM registry_servers r
    JOIN registry_versions v ON v.registry_uuid = r.uuid AND v.is_latest WHERE r.uuid = ANY ($1::uuid[])`,
  values: [uuids],
});

/** A server as search and installations see it. */
export interface ShownServer {
  readonly registry_uuid: string;
  readonly uuid: string;
  readonly profile_uuid: string;
  readonly slug: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly transport: string;
  readonly transports: readonly string[];
  readonly command: string | null;
  readonly args: readonly string[];
  readonly url: string | null;
  readonly env_names: readonly string[];
  readonly is_public: boolean;
  readonly package_type: string | null;
  readonly repository_url: string | null;
  readonly version: string;
}

/** Shows servers as their latest documents say. What their owners keep to themselves is left alone. */
export const showServers = (rows: readonly ShownServer[], now: Date): Statement => ({
  name: 'registry_show_servers',
  query_timeout: 9_000,
  text: `WITH given AS (
      SELECT * FROM json_to_recordset($1) AS t (registry_uuid uuid, uuid uuid, profile_uuid uuid, slug text, name text, title text,
        description text, transport text, transports text[], command text, args text[], url text, env_names text[],
        is_public boolean, package_type text, repository_url text, version text)),
    shown AS (
      INSERT INTO mcp_servers AS s (uuid, profile_uuid, slug, name, title, description, transport, transports, command, args, url,
        env_names, header_names, tags, is_public, source, package_type, repository_url, version, created_at, updated_at)
      SELECT uuid, profile_uuid, slug, name, title, description, transport, transports, command, args, url,
        env_names, '{}', '{}', is_public, 'registry', package_type, repository_url, version, $2, $2 FROM given
      ON CONFLICT (uuid) DO UPDATE SET profile_uuid = excluded.profile_uuid, name = excluded.name, title = excluded.title,
        description = excluded.description, transport = excluded.transport, transports = excluded.transports,
        command = excluded.command, args = excluded.args, url = excluded.url, is_public = excluded.is_public,
        source = 'registry', package_type = excluded.package_type, repository_url = excluded.repository_url,
        version = excluded.version, updated_at = excluded.updated_at,
        env_names = CASE WHEN s.env IS NULL THEN excluded.env_names ELSE s.env_names END)
    UPDATE registry_servers r SET server_uuid = given.uuid FROM given
    WHERE r.uuid = given.registry_uuid AND r.server_uuid IS DISTINCT FROM given.uuid`,
  values: [JSON.stringify(rows), now],
});

/** Changes the status of all versions of some servers that have one of these; each moves to the end of the feed. */
export const setStatus = (
  uuids: readonly string[],
  from: readonly EntryStatus[],
  to: EntryStatus,
  message: string | null,
  seq: bigint,
  now: Date,
): Statement => ({
  name: 'registry_set_status',
  query_timeout: 9_000,
  text: `WITH changed AS (
      SELECT registry_uuid, version, row_number() OVER (ORDER BY seq) AS place FROM registry_versions
      WHERE registry_uuid = ANY ($1::uuid[]) AND status = ANY ($2::text[]))
    UPDATE registry_versions v SET status = $3, status_message = $4, status_changed_at = $6, updated_at = $6,
      seq = $5::bigint + changed.place
    FROM changed WHERE v.registry_uuid = changed.registry_uuid AND v.version = changed.version RETURNING v.registry_uuid`,
  values: [uuids, from, to, message, String(seq), now],
});

/** Names whose servers were hidden or deleted, as triggers have noted. */
export const noted = (max: number): Statement => ({
  name: 'registry_noted',
  text: `SELECT o.registry_uuid, r.server_uuid FROM registry_orphans o LEFT JOIN registry_servers r ON r.uuid = o.registry_uuid
    ORDER BY o.registry_uuid LIMIT $1`,
  values: [max],
});

export const forgetNotes = (uuids: readonly string[]): Statement => ({
  name: 'registry_forget_notes',
  text: 'DELETE FROM registry_orphans WHERE registry_uuid = ANY ($1::uuid[])',
  values: [uuids],
});

/** The names of these that are listed although their server is gone or private. */
export const orphans = (uuids: readonly string[]): Statement => ({
  name: 'registry_orphans',
  text: `SELECT r.uuid, r.server_uuid FROM registry_servers r LEFT JOIN mcp_servers s ON s.uuid = r.server_uuid
    WHERE r.uuid = ANY ($1::uuid[]) AND s.is_public IS NOT TRUE
      AND EXISTS (SELECT 1 FROM registry_versions v WHERE v.registry_uuid = r.uuid AND v.status <> 'deleted')`,
  values: [uuids],
});

/** Servers that have left the registry; private, unless their owners choose otherwise. */
export const hideServers = (uuids: readonly string[], now: Date): Statement => ({
  name: 'registry_hide_servers',
  text: `UPDATE mcp_servers SET is_public = false, source = 'community', updated_at = $2
    WHERE uuid = ANY ($1::uuid[]) AND source = 'registry'`,
  values: [uuids, now],
});

/** A name by the server that stands for it. */
export const nameOfServer = (serverUuid: string): Statement => ({
  name: 'registry_known_by_server',
  text: `SELECT r.uuid, r.name, r.server_uuid, r.owner_uuid, s.profile_uuid, v.status
    FROM registry_servers r JOIN mcp_servers s ON s.uuid = r.server_uuid
    JOIN registry_versions v ON v.registry_uuid = r.uuid AND v.is_latest
    WHERE r.server_uuid = $1`,
  values: [serverUuid],
});
