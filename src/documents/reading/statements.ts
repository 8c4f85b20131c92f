import type { Statement } from '../../platform/database/database.ts';

/** A version of a profile's own document, as far as reading needs it. */
export interface ReadableRow extends Record<string, unknown> {
  id: string;
  document_uuid: string;
  title: string;
  version: number;
  status: string;
  failure_reason: string | null;
  text_length: number | null;
  page_starts: number[];
  created_at: Date;
}

const readableColumns = `v.id, v.document_uuid, d.title, v.version, v.status, v.failure_reason, v.text_length, v.page_starts, d.created_at`;

/** The version of this number; without one the newest that has been read, else the newest. */
export const readable = (profileUuid: string, documentUuid: string, version: number | null): Statement => ({
  name: 'documents_readable',
  text: `SELECT ${readableColumns} FROM documents d JOIN document_versions v ON v.document_uuid = d.uuid
      AND v.version = coalesce($3, d.indexed_version, d.version)
    WHERE d.uuid = $2 AND d.profile_uuid = $1 AND d.deleted_at IS NULL`,
  values: [profileUuid, documentUuid, version],
});

/** A place in the list of a profile's documents, the newest first. */
export interface DocumentPlace {
  readonly createdAt: Date;
  readonly documentUuid: string;
}

/** The documents that have been read from a place on, that of the place included. */
export const readableFrom = (profileUuid: string, from: DocumentPlace | null, limit: number): Statement => ({
  name: 'documents_readable_from',
  text: `SELECT ${readableColumns} FROM documents d JOIN document_versions v ON v.document_uuid = d.uuid AND v.version = d.indexed_version
    WHERE d.profile_uuid = $1 AND d.deleted_at IS NULL AND v.text_length IS NOT NULL
      AND ($2::timestamptz IS NULL OR (d.created_at, d.uuid) <= ($2, $3::uuid))
    ORDER BY d.created_at DESC, d.uuid DESC LIMIT $4`,
  values: [profileUuid, from?.createdAt ?? null, from?.documentUuid ?? null, limit],
});

export interface PartRow extends Record<string, unknown> {
  start: number;
  text: string;
}

/** The whole texts of some versions. Rows as `WholeRow`, the parts of each in their order. */
export const wholeTexts = (versionIds: readonly string[]): Statement => ({
  name: 'documents_whole_texts',
  text: `SELECT version_id, start_offset AS start, text FROM document_texts WHERE version_id = ANY ($1::bigint[])
    ORDER BY version_id, part`,
  values: [versionIds],
});

export interface WholeRow extends PartRow {
  version_id: string;
}

/** Parts of a text from the one on that holds an offset. */
export const partsFrom = (versionId: string, offset: number, limit: number): Statement => ({
  name: 'documents_parts_from',
  text: `SELECT start_offset AS start, text FROM document_texts WHERE version_id = $1
      AND part >= (SELECT max(part) FROM document_texts WHERE version_id = $1 AND start_offset <= $2)
    ORDER BY part LIMIT $3`,
  values: [versionId, offset, limit],
});

export interface LinePartRow extends PartRow {
  /** Line feeds before the part. */
  before: number;
  /** Lines of the whole text. */
  lines: number;
}

/** Parts of a text from the one on that holds the beginning of a line; the last part for a line that is not there. */
export const partsFromLine = (versionId: string, line: number, limit: number): Statement => ({
  name: 'documents_parts_from_line',
  text: `SELECT t.start_offset AS start, t.text, t.feeds_before AS before,
      (SELECT l.feeds_before + octet_length(l.text) - octet_length(replace(l.text, E'\\n', '')) + (right(l.text, 1) <> E'\\n')::int
        FROM document_texts l WHERE l.version_id = $1 ORDER BY l.part DESC LIMIT 1) AS lines
    FROM document_texts t WHERE t.version_id = $1
      AND t.part >= coalesce((
        SELECT f.part FROM document_texts f WHERE f.version_id = $1 AND f.feeds_before < $2
        ORDER BY f.feeds_before DESC, f.part DESC LIMIT 1), 0)
    ORDER BY t.part LIMIT $3`,
  values: [versionId, line - 1, limit],
});
