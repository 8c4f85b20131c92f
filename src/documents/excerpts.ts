import type { Database } from '../platform/database/database.ts';

/** The most that an excerpt may have, in UTF-16 code units. */
const excerptMax = 200_000;

export interface PassageRow {
  readonly documentUuid: string;
  readonly version: number;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  readonly heading: string | null;
  readonly text: string;
  readonly score: number;
}

export type Excerpts = ReturnType<typeof createExcerpts>;

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

  /** The newest passages of a profile's current documents that have one of some words, at most so many. */
  async function passagesWith(profileUuid: string, words: readonly string[], limit: number): Promise<PassageRow[]> {
    return database.query<PassageRow>({
      name: 'documents_passages_with',
      text: `SELECT c.document_uuid AS "documentUuid", v.version, d.title, c.start_offset AS start, c.end_offset AS "end", c.page, c.heading,
          c.text, score::float8 AS score
        FROM document_chunks c JOIN document_versions v ON v.id = c.version_id JOIN documents d ON d.uuid = c.document_uuid
          CROSS JOIN LATERAL (SELECT count(*) AS score FROM unnest($2::text[]) word WHERE strpos(lower(c.text), word) > 0) found
        WHERE d.profile_uuid = $1 AND d.deleted_at IS NULL AND v.version = d.version AND score > 0
        ORDER BY score DESC, c.id DESC LIMIT $3`,
      values: [profileUuid, words, limit],
    });
  }

  return { excerpt, textOf, passagesWith };
}
