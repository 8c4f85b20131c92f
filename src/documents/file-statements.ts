import type { Statement } from '../platform/database/database.ts';

/** A file that was received completely. */
export interface FileRow extends Record<string, unknown> {
  uuid: string;
  storage_key: string;
  file_name: string;
  file_size: number;
  mime_type: string;
  content_hash: Buffer;
}

const columns = 'uuid, storage_key, file_name, file_size::float8 AS file_size, mime_type, content_hash';

/** Notes a file before its first byte is written. */
export const begin = (
  file: { uuid: string; profileUuid: string; storageKey: string; fileName: string },
  now: Date,
  removableAt: Date,
): Statement => ({
  name: 'document_files_begin',
  text: `INSERT INTO document_files (uuid, profile_uuid, storage_key, file_name, created_at, removable_at) VALUES ($1, $2, $3, $4, $5, $6)`,
  values: [file.uuid, file.profileUuid, file.storageKey, file.fileName, now, removableAt],
});

export const complete = (uuid: string, size: number, mimeType: string, contentHash: Buffer): Statement => ({
  name: 'document_files_complete',
  text: `UPDATE document_files SET file_size = $2, mime_type = $3, content_hash = $4 WHERE uuid = $1 RETURNING ${columns}`,
  values: [uuid, size, mimeType, contentHash],
});

/** Takes a received file for a version, so that it is not removed. Once. */
export const take = (uuid: string, profileUuid: string, now: Date): Statement => ({
  name: 'document_files_take',
  text: `UPDATE document_files SET removable_at = NULL
    WHERE uuid = $1 AND profile_uuid = $2 AND removable_at > $3 AND content_hash IS NOT NULL RETURNING ${columns}`,
  values: [uuid, profileUuid, now],
});

/** Holds the file of a version, so that it is not removed before another version has it, too. */
export const share = (storageKey: string): Statement => ({
  name: 'document_files_share',
  text: `UPDATE document_files SET removable_at = NULL WHERE storage_key = $1 RETURNING ${columns}`,
  values: [storageKey],
});

export const one = (uuid: string, profileUuid: string, now: Date): Statement => ({
  name: 'document_files_one',
  text: `SELECT ${columns}, removable_at FROM document_files
    WHERE uuid = $1 AND profile_uuid = $2 AND removable_at > $3 AND content_hash IS NOT NULL`,
  values: [uuid, profileUuid, now],
});

/** Files without a version that may be removed. A file that got a version in the meantime is kept. */
export const removable = (now: Date, rows: number): Statement => ({
  name: 'document_files_removable',
  text: `SELECT f.uuid, f.storage_key FROM document_files f WHERE f.removable_at <= $1
      AND NOT EXISTS (SELECT FROM document_versions v WHERE v.storage_key = f.storage_key)
    ORDER BY f.removable_at LIMIT $2`,
  values: [now, rows],
});

/** Files that are marked for removal although a version has them. */
export const keepUsed = (now: Date): Statement => ({
  name: 'document_files_keep_used',
  text: `UPDATE document_files f SET removable_at = NULL WHERE f.removable_at <= $1
    AND EXISTS (SELECT FROM document_versions v WHERE v.storage_key = f.storage_key)`,
  values: [now],
});

export const forget = (uuid: string): Statement => ({
  name: 'document_files_forget',
  text: 'DELETE FROM document_files WHERE uuid = $1',
  values: [uuid],
});

/** Marks the file of an upload that failed for removal. @returns Nothing for a file that a document has. */
export const release = (uuid: string): Statement => ({
  name: 'document_files_release',
  text: `UPDATE document_files SET removable_at = '-infinity' WHERE uuid = $1 AND removable_at IS NOT NULL RETURNING 1`,
  values: [uuid],
});
