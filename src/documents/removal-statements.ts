import type { Statement } from '../platform/database/database.ts';

/** Removes passages of all versions of a document. @returns A row for each. */
export const removeChunks = (documentUuid: string, rows: number): Statement => ({
  name: 'document_chunks_remove',
  text: `DELETE FROM document_chunks WHERE id IN (
      SELECT c.id FROM document_chunks c JOIN document_versions v ON v.id = c.version_id WHERE v.document_uuid = $1 LIMIT $2) RETURNING 1`,
  values: [documentUuid, rows],
});

/** Removes parts of the texts of all versions of a document. @returns A row for each. */
export const removeTexts = (documentUuid: string, rows: number): Statement => ({
  name: 'document_texts_remove',
  text: `DELETE FROM document_texts WHERE (version_id, part) IN (
      SELECT t.version_id, t.part FROM document_texts t JOIN document_versions v ON v.id = t.version_id WHERE v.document_uuid = $1 LIMIT $2)
    RETURNING 1`,
  values: [documentUuid, rows],
});

/** Removes a deleted document. @returns The bytes of its files; versions that share a file count once. */
export const removeDocument = (uuid: string, profileUuid: string): Statement => ({
  name: 'documents_remove',
  text: `WITH files AS (SELECT coalesce(sum(file_size), 0)::float8 AS bytes FROM (
        SELECT DISTINCT ON (storage_key) file_size FROM document_versions WHERE document_uuid = $1 ORDER BY storage_key) each),
      gone AS (DELETE FROM documents WHERE uuid = $1 AND profile_uuid = $2 RETURNING 1)
    SELECT files.bytes FROM files, gone`,
  values: [uuid, profileUuid],
});

/** Documents that were deleted at `before` or earlier, the earliest first. */
export const purgeable = (before: Date, rows: number): Statement => ({
  name: 'documents_purgeable',
  text: 'SELECT uuid, profile_uuid FROM documents WHERE deleted_at <= $1 ORDER BY deleted_at LIMIT $2',
  values: [before, rows],
});

/** Documents of a profile, deleted ones included. */
export const ofProfile = (profileUuid: string, rows: number): Statement => ({
  name: 'documents_of_profile',
  text: 'SELECT uuid FROM documents WHERE profile_uuid = $1 LIMIT $2',
  values: [profileUuid, rows],
});
