import type { Statement } from '../platform/database/database.ts';
import type { IngestionStatus } from './document.ts';
import type { TextPart } from './text-parts.ts';

/** A version that a worker has taken. */
export interface TakenRow extends Record<string, unknown> {
  id: string;
  version: number;
  file_name: string;
  storage_key: string;
  attempts: number;
}

export interface StateRow extends Record<string, unknown> {
  profile_uuid: string;
  version: number;
  indexed_version: number | null;
  is_deleted: boolean;
}

export const state = (documentUuid: string): Statement => ({
  name: 'document_ingestion_state',
  text: 'SELECT profile_uuid, version, indexed_version, deleted_at IS NOT NULL AS is_deleted FROM documents WHERE uuid = $1',
  values: [documentUuid],
});

/** The same, held until the transaction ends. */
export const holdState = (documentUuid: string): Statement => ({
  name: 'document_ingestion_hold',
  text: `SELECT profile_uuid, version, indexed_version, deleted_at IS NOT NULL AS is_deleted FROM documents WHERE uuid = $1 FOR UPDATE`,
  values: [documentUuid],
});

/** Takes the oldest version of a document that is due, until `until`: then another worker takes it. */
export const take = (documentUuid: string, now: Date, until: Date): Statement => ({
  name: 'document_ingestion_take',
  text: `UPDATE document_versions SET status = 'indexing', started_at = $2, due_at = $3, progress = 0
    WHERE id = (SELECT id FROM document_versions WHERE document_uuid = $1 AND due_at <= $2 ORDER BY version LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id::text, version, file_name, storage_key, attempts`,
  values: [documentUuid, now, until],
});

/** Says how far it is, and that the worker is alive. @returns Nothing when another worker has taken the version. */
export const advance = (id: string, startedAt: Date, progress: number, until: Date): Statement => ({
  name: 'document_ingestion_advance',
  text: `UPDATE document_versions SET progress = greatest(progress, $3), due_at = $4 WHERE id = $1 AND started_at = $2 AND status = 'indexing'
    RETURNING 1`,
  values: [id, startedAt, progress, until],
});

/** Holds a version for the end of its ingestion. */
export const holdTaken = (id: string, startedAt: Date): Statement => ({
  name: 'document_ingestion_hold_taken',
  text: `SELECT 1 FROM document_versions WHERE id = $1 AND started_at = $2 AND status = 'indexing' FOR UPDATE`,
  values: [id, startedAt],
});

export const succeed = (
  id: string,
  read: { mimeType: string; textLength: number; pageStarts: readonly number[] },
  now: Date,
): Statement => ({
  name: 'document_ingestion_succeed',
  text: `UPDATE document_versions SET status = 'ready', progress = 100, due_at = NULL, mime_type = $2, text_length = $3, page_starts = $4,
    ready_at = $5, failure_code = NULL, failure_reason = NULL WHERE id = $1`,
  values: [id, read.mimeType, read.textLength, read.pageStarts, now],
});

/** Notes a failed attempt. With `dueAt` it is tried again then. */
export const fail = (
  id: string,
  startedAt: Date,
  failure: { code: string; reason: string; status: IngestionStatus; dueAt: Date | null },
): Statement => ({
  name: 'document_ingestion_fail',
  text: `UPDATE document_versions SET status = $3, failure_code = $4, failure_reason = $5, due_at = $6, attempts = attempts + 1, progress = 0
    WHERE id = $1 AND started_at = $2 AND status = 'indexing' RETURNING 1`,
  values: [id, startedAt, failure.status, failure.code, failure.reason, failure.dueAt],
});

export const forgetText = (id: string): Statement => ({
  name: 'document_ingestion_forget_text',
  text: 'DELETE FROM document_texts WHERE version_id = $1',
  values: [id],
});

export const writeText = (id: string, parts: readonly TextPart[]): Statement => ({
  name: 'document_ingestion_write_text',
  text: `INSERT INTO document_texts (version_id, part, start_offset, feeds_before, text)
    SELECT $1, * FROM unnest($2::int[], $3::int[], $4::int[], $5::text[])`,
  values: [
    id,
    parts.map(({ part }) => part),
    parts.map(({ start }) => start),
    parts.map(({ feedsBefore }) => feedsBefore),
    parts.map(({ text }) => text),
  ],
});

export const setIndexed = (documentUuid: string, version: number | null): Statement => ({
  name: 'document_ingestion_set_indexed',
  text: 'UPDATE documents SET indexed_version = $2 WHERE uuid = $1',
  values: [documentUuid, version],
});

/** Documents of which something is to be done whose job is gone: of a worker that ended, and those that are tried again. */
export const overdue = (now: Date, rows: number): Statement => ({
  name: 'document_ingestion_overdue',
  text: `SELECT DISTINCT document_uuid, profile_uuid FROM (
      SELECT document_uuid, profile_uuid FROM document_versions WHERE due_at <= $1 ORDER BY due_at LIMIT $2) due
    UNION SELECT * FROM (SELECT uuid, profile_uuid FROM documents WHERE deleted_at IS NOT NULL AND indexed_version IS NOT NULL LIMIT $2) deleted`,
  values: [now, rows],
});

/** Versions that wait or are being read. */
export const depth = (): Statement => ({
  name: 'document_ingestion_depth',
  text: 'SELECT count(*)::int AS count FROM document_versions WHERE due_at IS NOT NULL',
});

export interface PaceRow extends Record<string, unknown> {
  mean_seconds: number | null;
  /** Of the line through seconds by bytes; null where all have one size. */
  slope: number | null;
  intercept: number | null;
  running: number;
  waiting_since: Date[];
  /** In the same order. */
  waiting: string[];
}

/** How long the latest hundred versions took, by their bytes; how many are being read; and since when others wait, a thousand at most. */
export const pace = (now: Date): Statement => ({
  name: 'document_ingestion_pace',
  text: `SELECT avg(seconds)::float8 AS mean_seconds, regr_slope(seconds, bytes) AS slope, regr_intercept(seconds, bytes) AS intercept,
      (SELECT count(*)::int FROM document_versions WHERE due_at > $1 AND status = 'indexing') AS running,
      ARRAY(SELECT due_at FROM document_versions WHERE due_at <= $1 AND status = 'received' ORDER BY due_at, id LIMIT 1000) AS waiting_since,
      ARRAY(SELECT document_uuid::text FROM document_versions WHERE due_at <= $1 AND status = 'received' ORDER BY due_at, id LIMIT 1000) AS waiting
    FROM (SELECT extract(epoch FROM ready_at - started_at)::float8 AS seconds, file_size::float8 AS bytes FROM document_versions
      WHERE ready_at IS NOT NULL AND started_at IS NOT NULL ORDER BY ready_at DESC LIMIT 100) latest`,
  values: [now],
});
