import type { Statement } from '../platform/database/database.ts';

/** Whose storage it is. */
export interface InstallationRow extends Record<string, unknown> {
  installation: string;
  is_claimed: boolean;
  /** When the database was made. */
  born_at: Date;
}

/** The name of this installation, made at the first call. */
export const installation = (name: string): Statement => ({
  name: 'document_storage_installation',
  text: `WITH made AS (INSERT INTO document_storage (id, installation, is_claimed) VALUES (1, $1, false) ON CONFLICT DO NOTHING RETURNING *)
    SELECT installation, is_claimed, (SELECT min(started_at) FROM _prisma_migrations) AS born_at
    FROM (SELECT * FROM made UNION ALL SELECT * FROM document_storage LIMIT 1) either`,
  values: [name],
});

export const setClaimed = (): Statement => ({
  name: 'document_storage_claimed',
  text: 'UPDATE document_storage SET is_claimed = true',
  values: [],
});

/** Which of some keys have a row. */
export const known = (keys: readonly string[]): Statement => ({
  name: 'document_files_known',
  text: 'SELECT storage_key FROM document_files WHERE storage_key = ANY ($1)',
  values: [keys],
});

/** Files of one part that documents have since `before`, by their keys. All keys have one form, so that every collation orders them alike. */
export const ofPart = (part: string, after: string | null, before: Date, rows: number): Statement => ({
  name: 'document_files_of_part',
  text: `SELECT storage_key FROM document_files
    WHERE storage_key > $1 AND storage_key <= $2 AND removable_at IS NULL AND content_hash IS NOT NULL AND created_at <= $3
    ORDER BY storage_key LIMIT $4`,
  values: [after ?? `${part}/${part}${'0'.repeat(38)}`, `${part}/${part}${'f'.repeat(38)}`, before, rows],
});

export interface MissingRow extends Record<string, unknown> {
  document_uuid: string;
  profile_uuid: string;
  version: number;
  is_deleted: boolean;
}

/** Marks the versions whose file is missing, once. Their extracted text stays. */
export const fail = (storageKey: string, failure: { code: string; reason: string }): Statement => ({
  name: 'document_versions_file_missing',
  text: `UPDATE document_versions v SET status = 'failed', failure_code = $2, failure_reason = $3, due_at = NULL, progress = 0
    FROM documents d WHERE v.storage_key = $1 AND d.uuid = v.document_uuid AND v.failure_code IS DISTINCT FROM $2
    RETURNING v.document_uuid, v.profile_uuid, v.version, d.deleted_at IS NOT NULL AS is_deleted`,
  values: [storageKey, failure.code, failure.reason],
});
