import type { Database } from '../platform/database/database.ts';

/** The most that an excerpt may have, in UTF-16 code units. */
const excerptMax = 200_000;

/** Reads pieces of documents' texts by their offsets. */
export function createExcerpts({ database }: { database: Pick<Database, 'query'> }) {
  /**
   * The characters of a version of a profile's document between two offsets in UTF-16 code units, one or two rows for a short piece.
   *
   * @returns Null for another profile's document, a deleted one, an unknown version, and offsets outside of its text.
   */
  async function excerpt(
    profileUuid: string,
    documentUuid: string,
    version: number,
    start: number,
    end: number,
  ): Promise<string | null> {
    if (start < 0 || end <= start || end - start > excerptMax) return null;
    const rows = await database.query<{ start: number; text: string }>({
      name: 'documents_excerpt',
      text: `SELECT t.start_offset AS start, t.text
        FROM documents d JOIN document_versions v ON v.document_uuid = d.uuid AND v.version = $3
          JOIN document_texts t ON t.version_id = v.id
        WHERE d.uuid = $2 AND d.profile_uuid = $1 AND d.deleted_at IS NULL
          AND t.part BETWEEN (SELECT max(part) FROM document_texts f WHERE f.version_id = v.id AND f.start_offset <= $4)
            AND (SELECT max(part) FROM document_texts f WHERE f.version_id = v.id AND f.start_offset < $5)
        ORDER BY t.part`,
      values: [profileUuid, documentUuid, version, start, end],
    });
    const [first] = rows;
    if (!first) return null;
    const found = rows
      .map(({ text }) => text)
      .join('')
      .slice(start - first.start, end - first.start);
    return found.length === end - start ? found : null;
  }

  /** The whole text of a version of a document; null for one that was deleted, or has no text. */
  async function textOf(documentUuid: string, version: number): Promise<string | null> {
    const rows = await database.query<{ text: string }>({
      name: 'documents_text_of',
      text: `SELECT t.text FROM documents d JOIN document_versions v ON v.document_uuid = d.uuid AND v.version = $2
          JOIN document_texts t ON t.version_id = v.id
        WHERE d.uuid = $1 AND d.deleted_at IS NULL ORDER BY t.part`,
      values: [documentUuid, version],
    });
    return rows.length === 0 ? null : rows.map(({ text }) => text).join('');
  }

  return { excerpt, textOf };
}
