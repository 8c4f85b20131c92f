import type { Statement } from '../platform/database/database.ts';

/** Stands for "deleted" in `check_version`: versions begin with 1. */
export const deletedVersion = 0;

/** Marks the citations of documents, so that they are compared with the new versions. */
export const markDue = (documents: readonly { readonly uuid: string; readonly version: number }[]): Statement => ({
  name: 'chat_stale_mark_due',
  text: `UPDATE chat_citations c SET check_version = d.version
    FROM (SELECT uuid, CASE WHEN min(version) = ${deletedVersion} THEN ${deletedVersion} ELSE max(version) END AS version
      FROM unnest($1::uuid[], $2::int[]) AS t (uuid, version) GROUP BY uuid) d
    WHERE c.document_uuid = d.uuid AND c.stale_at IS NULL AND c.check_version IS DISTINCT FROM ${deletedVersion}
      AND (d.version = ${deletedVersion} OR d.version > greatest(c.version, coalesce(c.check_version, 0)))`,
  values: [documents.map(({ uuid }) => uuid), documents.map(({ version }) => version)],
});

export interface DueRow {
  readonly document_uuid: string;
  readonly check_version: number;
}

/** A document with something to look for, after another one. */
export const nextDue = (after: string): Statement => ({
  name: 'chat_stale_next_due',
  text: `SELECT document_uuid, check_version FROM chat_citations WHERE check_version IS NOT NULL AND document_uuid > $1
    ORDER BY document_uuid LIMIT 1`,
  values: [after],
});

export interface CheckedRow {
  readonly message_uuid: string;
  readonly place: number;
  readonly profile_uuid: string;
  readonly title: string;
  readonly text: string;
  readonly start: number;
}

/** Citations to compare with a version. */
export const due = (documentUuid: string, version: number, rows: number): Statement => ({
  name: 'chat_stale_due',
  text: `SELECT c.message_uuid, c.place, m.profile_uuid, c.title, c.text, c.start_offset AS start
    FROM chat_citations c JOIN chat_messages m ON m.uuid = c.message_uuid
    WHERE c.document_uuid = $1 AND c.check_version = $2 ORDER BY c.message_uuid, c.place LIMIT $3`,
  values: [documentUuid, version, rows],
});

/** The result for a citation: whether its passage is gone, and the text in its place. */
export interface Finding {
  readonly messageUuid: string;
  readonly place: number;
  readonly isStale: boolean;
  readonly staleText: string | null;
}

export interface StaleMessage {
  readonly message_uuid: string;
  readonly session_uuid: string;
  readonly profile_uuid: string;
  readonly numbers: number[];
}

/**
 * Stores results once: of two workers with the same result, the second changes nothing.
 *
 * @returns The messages with changed citations, and the numbers of these.
 */
export const settle = (documentUuid: string, version: number, now: Date, findings: readonly Finding[]): Statement => ({
  name: 'chat_stale_settle',
  text: `WITH found AS (
      SELECT * FROM unnest($4::uuid[], $5::int[], $6::boolean[], $7::text[]) AS t (message_uuid, place, is_stale, stale_text)),
    settled AS (
      UPDATE chat_citations c SET check_version = NULL,
        stale_at = CASE WHEN f.is_stale THEN $3::timestamptz END, stale_version = CASE WHEN f.is_stale THEN nullif($2, ${deletedVersion}) END,
        stale_text = f.stale_text, text = CASE WHEN $2 = ${deletedVersion} THEN '' ELSE c.text END
      FROM found f WHERE c.message_uuid = f.message_uuid AND c.place = f.place AND c.document_uuid = $1 AND c.check_version = $2
      RETURNING c.message_uuid, c.number, f.is_stale),
    stale AS (SELECT message_uuid, array_agg(DISTINCT number ORDER BY number) AS numbers FROM settled WHERE is_stale GROUP BY message_uuid)
    UPDATE chat_messages m SET stale_at = coalesce(m.stale_at, $3) FROM stale s WHERE m.uuid = s.message_uuid
    RETURNING m.uuid AS message_uuid, m.session_uuid, m.profile_uuid, s.numbers`,
  values: [
    documentUuid,
    version,
    now,
    findings.map(({ messageUuid }) => messageUuid),
    findings.map(({ place }) => place),
    findings.map(({ isStale }) => isStale),
    findings.map(({ staleText }) => staleText),
  ],
});
