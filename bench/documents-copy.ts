import type { Pool } from 'pg';
import { roundedOf, signatureOf } from '../src/documents/search/vectors.ts';

interface Copy {
  readonly from: string;
  /** May be the same profile, which then has so many documents more. */
  readonly to: string;
  /** Documents of 100 passages. */
  readonly documents: number;
  /** Every so many terms are copied: the words of others are most of the work, and are not what is measured. */
  readonly everyTerm?: number;
  /** Makes the vector of each copied passage; those of the originals are copied if left out. */
  readonly vectorOf?: () => Float32Array;
}

/** Vectors that one statement writes. */
const vectorsAtOnce = 1_000;

/**
 * Copies documents with their passages, words and vectors by statements alone, since the product's own way takes an hour for a million.
 * Foreign keys are not looked at meanwhile.
 */
export async function copyDocuments(pool: Pool, { from, to, documents, everyTerm = 1, vectorOf }: Copy): Promise<void> {
  const client = await pool.connect();
  const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
  try {
    await run('BEGIN');
    await run('SET LOCAL session_replication_role = replica');
    await run('SET LOCAL synchronous_commit = off');
    await run(`SET LOCAL work_mem = '256MB'`);
    await run(
      `CREATE TEMP TABLE copied ON COMMIT DROP AS
        SELECT v.id AS old, nextval('document_versions_id_seq') AS new, v.document_uuid AS old_document, gen_random_uuid() AS document
        FROM (SELECT * FROM document_versions WHERE profile_uuid = $1 ORDER BY id LIMIT $2) v`,
      [from, documents],
    );
    const { rows } = await run(
      `WITH known AS (SELECT * FROM document_indexes WHERE profile_uuid = $1),
          share AS (SELECT sum(v.sections)::int AS sections, sum(v.words) AS words
            FROM copied c JOIN document_indexed_versions v ON v.version_id = c.old),
          entered AS (
            INSERT INTO document_indexes AS i (profile_uuid, sections, words, languages)
            SELECT $2, share.sections, share.words, known.languages FROM known, share
            ON CONFLICT (profile_uuid) DO UPDATE SET sections = i.sections + excluded.sections, words = i.words + excluded.words
            RETURNING id)
        SELECT known.id AS from_index, entered.id AS to_index, share.sections::float8 / known.sections AS share FROM known, entered, share`,
      [from, to],
    );
    const [index] = rows as [{ from_index: number; to_index: number; share: number }];
    await run(
      `INSERT INTO document_terms AS t (index_id, term, sections)
        SELECT $2, term, greatest(1, round(sections * $3::float8)) FROM document_terms WHERE index_id = $1 AND id % $4 = 0
        ON CONFLICT (index_id, term) DO UPDATE SET sections = t.sections + excluded.sections`,
      [index.from_index, index.to_index, index.share, everyTerm],
    );
    await run(
      `INSERT INTO documents (uuid, profile_uuid, title, source, tags, visibility, created_at, updated_at)
        SELECT c.document, $1, d.title, d.source, d.tags, d.visibility, now(), now() FROM copied c JOIN documents d ON d.uuid = c.old_document`,
      [to],
    );
    await run(
      `INSERT INTO document_versions (id, document_uuid, profile_uuid, version, file_name, file_size, mime_type, content_hash, storage_key,
          status, page_starts, created_at)
        SELECT c.new, c.document, $1, 1, 'bench', 1, 'text/plain', '', c.document::text, 'ready', '{}', now() FROM copied c`,
      [to],
    );
    await run(
      `INSERT INTO document_indexed_versions (version_id, index_id, document_uuid, sections, words, terms)
        SELECT c.new, $1, c.document, v.sections, v.words, '{}' FROM copied c JOIN document_indexed_versions v ON v.version_id = c.old`,
      [index.to_index],
    );
    await run(
      `CREATE TEMP TABLE copied_chunks ON COMMIT DROP AS
        SELECT k.id AS old, nextval('document_chunks_id_seq') AS new, c.new AS version, c.document
        FROM copied c JOIN document_chunks k ON k.version_id = c.old ORDER BY c.new, k.ordinal`,
    );
    await run(
      `INSERT INTO document_chunks (id, version_id, document_uuid, profile_uuid, ordinal, section, start_offset, end_offset, text)
        SELECT c.new, c.version, c.document, $1, k.ordinal, k.section, k.start_offset, k.end_offset, k.text
        FROM copied_chunks c JOIN document_chunks k ON k.id = c.old ORDER BY c.new`,
      [to],
    );
    if (vectorOf) await insertVectors(run, index, vectorOf);
    else
      await run(
        `INSERT INTO document_vectors (chunk_id, index_id, version_id, model_id, signature, vector, rounded)
          SELECT c.new, $1, c.version, v.model_id, v.signature, v.vector, v.rounded
          FROM copied_chunks c JOIN document_vectors v ON v.chunk_id = c.old ORDER BY c.new`,
        [index.to_index],
      );
    await run(
      `INSERT INTO document_postings (term_id, version_id, sections)
        SELECT own.id, c.new, p.sections
        FROM document_terms old JOIN document_terms own ON own.index_id = $2 AND own.term = old.term
          JOIN document_postings p ON p.term_id = old.id JOIN copied c ON c.old = p.version_id
        WHERE old.index_id = $1 AND ($1 <> $2 OR $3 = 1) AND old.id % $3 = 0 ORDER BY own.id, c.new`,
      [index.from_index, index.to_index, everyTerm],
    );
    await run('COMMIT');
  } catch (error) {
    await run('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

type Run = (text: string, values?: readonly unknown[]) => Promise<{ rows: unknown[] }>;

/** Gives the copied passages vectors of their own, of the model of the originals. */
async function insertVectors(
  run: Run,
  index: { readonly from_index: number; readonly to_index: number },
  vectorOf: () => Float32Array,
): Promise<void> {
  const { rows } = await run('SELECT new, version FROM copied_chunks ORDER BY new');
  const chunks = rows as { new: string; version: string }[];
  for (let first = 0; first < chunks.length; first += vectorsAtOnce) {
    const part = chunks.slice(first, first + vectorsAtOnce);
    const vectors = part.map(vectorOf);
    await run(
      `INSERT INTO document_vectors (chunk_id, index_id, version_id, model_id, signature, vector, rounded)
        SELECT given.id, $1, given.version, (SELECT model_id FROM document_vectors WHERE index_id = $2 LIMIT 1), given.signature::varbit,
          given.vector::real[], given.rounded
        FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[]) AS given (id, version, signature, vector, rounded)`,
      [
        index.to_index,
        index.from_index,
        part.map((chunk) => chunk.new),
        part.map(({ version }) => version),
        vectors.map(signatureOf),
        vectors.map((vector) => `{${vector.join(',')}}`),
        vectors.map(roundedOf),
      ],
    );
  }
}
