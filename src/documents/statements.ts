import type { Statement } from '../platform/database/database.ts';
import type { Attribution, DocumentRecord, IngestionStatus, VersionFacts, VersionRecord } from './document.ts';
import type { DocumentSource, DocumentVisibility } from './input.ts';

interface VersionColumns extends Record<string, unknown> {
  version: number;
  file_name: string;
  file_size: number;
  mime_type: string;
  content_hash: string;
  status: IngestionStatus;
  failure_code: string | null;
  failure_reason: string | null;
  progress: number;
  started_at: Date | null;
  due_at: Date | null;
}

export interface DocumentRow extends VersionColumns {
  uuid: string;
  profile_uuid: string;
  title: string;
  description: string | null;
  source: DocumentSource;
  tags: string[];
  visibility: DocumentVisibility;
  indexed_version: number | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  attributions: { provider: string; name: string; contribution: 'created' | 'updated'; at: string }[] | null;
}

export interface VersionRow extends VersionColumns {
  document_uuid: string;
  created_at: Date;
  ready_at: Date | null;
  is_current: boolean;
}

const factsOf = (row: VersionColumns): VersionFacts => ({
  version: row.version,
  fileName: row.file_name,
  fileSize: row.file_size,
  mimeType: row.mime_type,
  contentHash: row.content_hash,
  status: row.status,
  failureCode: row.failure_code,
  failureReason: row.failure_reason,
  progress: row.progress,
  startedAt: row.started_at,
  dueAt: row.due_at,
});

export const documentOf = (row: DocumentRow): DocumentRecord => ({
  ...factsOf(row),
  uuid: row.uuid,
  profileUuid: row.profile_uuid,
  title: row.title,
  description: row.description,
  source: row.source,
  tags: row.tags,
  visibility: row.visibility,
  indexedVersion: row.indexed_version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
  attributions: (row.attributions ?? []).map(
    ({ provider, name, contribution, at }): Attribution => ({
      modelProvider: provider,
      modelName: name,
      contribution,
      createdAt: new Date(at),
    }),
  ),
});

export const versionOf = (row: VersionRow): VersionRecord => ({
  ...factsOf(row),
  documentUuid: row.document_uuid,
  createdAt: row.created_at,
  readyAt: row.ready_at,
  isCurrent: row.is_current,
});

const versionColumns = `v.version, v.file_name, v.file_size::float8 AS file_size, v.mime_type, encode(v.content_hash, 'hex') AS content_hash,
  v.status, v.failure_code, v.failure_reason, v.progress, v.started_at, v.due_at`;

/** Attributions that are shown with a document, the newest. */
const attributionsShown = 20;

const documentColumns = `d.uuid, d.profile_uuid, d.title, d.description, d.source, d.tags, d.visibility, d.indexed_version,
  d.created_at, d.updated_at, d.deleted_at, ${versionColumns},
  (SELECT json_agg(json_build_object('provider', a.model_provider, 'name', a.model_name, 'contribution', a.contribution, 'at', a.created_at) ORDER BY a.id)
    FROM (SELECT * FROM document_attributions WHERE document_uuid = d.uuid ORDER BY id DESC LIMIT ${attributionsShown}) a) AS attributions`;

const documentsWithVersion =
  'documents d JOIN document_versions v ON v.document_uuid = d.uuid AND v.version = d.version';

/** Documents by their ids that are the profile's, or shared with it; none that is deleted. */
export const found = (uuids: readonly string[], profileUuid: string, projectUuid: string): Statement => ({
  name: 'documents_found',
  text: `SELECT ${documentColumns} FROM ${documentsWithVersion}
    WHERE d.uuid = ANY ($1::uuid[]) AND d.deleted_at IS NULL AND (d.profile_uuid = $2 OR d.visibility = 'public'
      OR d.visibility = 'workspace' AND EXISTS (SELECT FROM profiles p WHERE p.uuid = d.profile_uuid AND p.project_uuid = $3 AND p.deleted_at IS NULL))`,
  values: [uuids, profileUuid, projectUuid],
});

/** What a list of a profile's documents is narrowed to. */
export interface ListFilter {
  readonly source: DocumentSource | null;
  /** Words in lower case, all of which must be there. */
  readonly words: readonly string[];
  readonly isDeleted: boolean;
}

/** Which documents a list has. Words alone need their versions: a list without words reads the versions of its page. */
function listed(profileUuid: string, { source, words, isDeleted }: ListFilter) {
  const values: unknown[] = [profileUuid, isDeleted, source];
  const at = (value: unknown) => `$${values.push(value)}`;
  const own = 'd.profile_uuid = $1 AND (d.deleted_at IS NOT NULL) = $2 AND ($3::text IS NULL OR d.source = $3)';
  if (words.length === 0) return { kind: '', from: 'documents d', where: own, values, at };
  const lacked = `SELECT FROM unnest(${at(words)}::text[]) AS word
    WHERE strpos(lower(concat_ws(E'\\n', d.title, d.description, v.file_name)), word) = 0`;
  return { kind: '_of_words', from: documentsWithVersion, where: `${own} AND NOT EXISTS (${lacked})`, values, at };
}

const newestFirst = 'ORDER BY d.created_at DESC, d.uuid DESC';
const withVersions = (chosen: string) =>
  `SELECT ${documentColumns} FROM (SELECT d.* FROM ${chosen}) d
    JOIN document_versions v ON v.document_uuid = d.uuid AND v.version = d.version ${newestFirst}`;

export function page(profileUuid: string, filter: ListFilter, limit: number, offset: number): Statement {
  const { kind, from, where, values, at } = listed(profileUuid, filter);
  return {
    name: `documents_page${kind}`,
    text: withVersions(`${from} WHERE ${where} ${newestFirst} LIMIT ${at(limit)} OFFSET ${at(offset)}`),
    values,
  };
}

export function count(profileUuid: string, filter: ListFilter): Statement {
  const { kind, from, where, values } = listed(profileUuid, filter);
  return { name: `documents_count${kind}`, text: `SELECT count(*)::int AS count FROM ${from} WHERE ${where}`, values };
}

/** Documents after a place in the list. */
export function after(
  profileUuid: string,
  filter: ListFilter,
  place: { createdAt: Date; uuid: string } | null,
  rows: number,
): Statement {
  const { kind, from, where, values, at } = listed(profileUuid, filter);
  const createdAt = at(place?.createdAt ?? null);
  const isAfter = `(${createdAt}::timestamptz IS NULL OR (d.created_at, d.uuid) < (${createdAt}, ${at(place?.uuid ?? null)}::uuid))`;
  return {
    name: `documents_after${kind}`,
    text: withVersions(`${from} WHERE ${where} AND ${isAfter} ${newestFirst} LIMIT ${at(rows)}`),
    values,
  };
}

/** Holds a document of the profile until the transaction ends. */
export const hold = (uuid: string, profileUuid: string): Statement => ({
  name: 'documents_hold',
  text: `SELECT ${documentColumns} FROM ${documentsWithVersion} WHERE d.uuid = $1 AND d.profile_uuid = $2 FOR UPDATE OF d`,
  values: [uuid, profileUuid],
});

export const create = (document: {
  uuid: string;
  profileUuid: string;
  title: string;
  description: string | null;
  source: DocumentSource;
  tags: readonly string[];
  visibility: DocumentVisibility;
  now: Date;
}): Statement => ({
  name: 'documents_create',
  text: `INSERT INTO documents (uuid, profile_uuid, title, description, source, tags, visibility, version, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8)`,
  values: [
    document.uuid,
    document.profileUuid,
    document.title,
    document.description,
    document.source,
    document.tags,
    document.visibility,
    document.now,
  ],
});

export const setVersion = (uuid: string, version: number, now: Date): Statement => ({
  name: 'documents_set_version',
  text: 'UPDATE documents SET version = $2, updated_at = $3 WHERE uuid = $1',
  values: [uuid, version, now],
});

export const change = (
  uuid: string,
  fields: { title: string; description: string | null; tags: readonly string[]; visibility: DocumentVisibility },
  now: Date,
): Statement => ({
  name: 'documents_change',
  text: 'UPDATE documents SET title = $2, description = $3, tags = $4, visibility = $5, updated_at = $6 WHERE uuid = $1',
  values: [uuid, fields.title, fields.description, fields.tags, fields.visibility, now],
});

export const setDeleted = (uuid: string, deletedAt: Date | null): Statement => ({
  name: 'documents_set_deleted',
  text: 'UPDATE documents SET deleted_at = $2 WHERE uuid = $1',
  values: [uuid, deletedAt],
});

export const addVersion = (version: {
  documentUuid: string;
  profileUuid: string;
  version: number;
  fileName: string;
  fileSize: number;
  mimeType: string;
  contentHash: Buffer;
  storageKey: string;
  now: Date;
}): Statement => ({
  name: 'document_versions_add',
  text: `INSERT INTO document_versions (document_uuid, profile_uuid, version, file_name, file_size, mime_type, content_hash, storage_key,
      status, due_at, page_starts, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'received', $9, '{}', $9)`,
  values: [
    version.documentUuid,
    version.profileUuid,
    version.version,
    version.fileName,
    version.fileSize,
    version.mimeType,
    version.contentHash,
    version.storageKey,
    version.now,
  ],
});

/** Documents of the profile, not deleted, whose current version has this content, the oldest first. */
export const duplicates = (profileUuid: string, contentHash: Buffer, except: string): Statement => ({
  name: 'documents_duplicates',
  text: `SELECT d.uuid FROM document_versions v JOIN documents d ON d.uuid = v.document_uuid AND d.version = v.version
    WHERE v.profile_uuid = $1 AND v.content_hash = $2 AND d.uuid <> $3 AND d.deleted_at IS NULL
    ORDER BY d.created_at, d.uuid LIMIT 1`,
  values: [profileUuid, contentHash, except],
});

export const versions = (documentUuid: string, limit: number, offset: number): Statement => ({
  name: 'document_versions_page',
  text: `SELECT v.document_uuid, v.created_at, v.ready_at, d.version = v.version AS is_current, ${versionColumns}
    FROM document_versions v JOIN documents d ON d.uuid = v.document_uuid
    WHERE v.document_uuid = $1 ORDER BY v.version DESC LIMIT $2 OFFSET $3`,
  values: [documentUuid, limit, offset],
});

export const versionByNumber = (documentUuid: string, version: number): Statement => ({
  name: 'document_versions_one',
  text: `SELECT v.document_uuid, v.created_at, v.ready_at, d.version = v.version AS is_current, v.storage_key, ${versionColumns}
    FROM document_versions v JOIN documents d ON d.uuid = v.document_uuid WHERE v.document_uuid = $1 AND v.version = $2`,
  values: [documentUuid, version],
});

export const attribute = (
  attribution: { documentUuid: string; profileUuid: string; provider: string; name: string; contribution: string },
  now: Date,
): Statement => ({
  name: 'document_attributions_add',
  text: `INSERT INTO document_attributions (document_uuid, profile_uuid, model_provider, model_name, contribution, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)`,
  values: [
    attribution.documentUuid,
    attribution.profileUuid,
    attribution.provider,
    attribution.name,
    attribution.contribution,
    now,
  ],
});

/** Versions of a profile that wait for a worker; a hundred at most are counted. */
export const waiting = (profileUuid: string): Statement => ({
  name: 'document_versions_waiting',
  text: `SELECT count(*)::int AS count FROM (
      SELECT FROM document_versions WHERE profile_uuid = $1 AND due_at IS NOT NULL LIMIT 100) waiting`,
  values: [profileUuid],
});

/** Queues the current version of a document again. */
export const due = (documentUuid: string, now: Date): Statement => ({
  name: 'document_versions_due',
  text: `UPDATE document_versions v SET status = 'received', failure_code = NULL, failure_reason = NULL, attempts = 0, progress = 0,
      started_at = NULL, due_at = $2
    FROM documents d WHERE d.uuid = $1 AND v.document_uuid = d.uuid AND v.version = d.version`,
  values: [documentUuid, now],
});
