import type { Statement } from '../../platform/database/database.ts';
import type { IndexedChunk } from './sections.ts';
import { roundedOf, signatureOf } from './vectors.ts';

/** The statements that write the index of a profile's documents. */

/** A large document takes more than a response may: these statements run in jobs. */
const writeTimeoutMs = 9_500;

/** Takes the row of a profile's index, which is made with the first document. Rows as `{ id }`. */
export const holdIndex = (profileUuid: string, language: string): Statement => ({
  name: 'documents_hold_index',
  query_timeout: writeTimeoutMs,
  text: `INSERT INTO document_indexes AS i (profile_uuid, languages) VALUES ($1, ARRAY[$2::text])
    ON CONFLICT (profile_uuid) DO UPDATE
      SET languages = CASE WHEN $2 = ANY (i.languages) THEN i.languages ELSE i.languages || $2::text END
    RETURNING id`,
  values: [profileUuid, language],
});

/** Adds what a version has to the sums of the index. */
export const addToIndex = (indexId: number, sections: number, words: number): Statement => ({
  name: 'documents_add_to_index',
  query_timeout: writeTimeoutMs,
  text: 'UPDATE document_indexes SET sections = sections + $2, words = words + $3 WHERE id = $1',
  values: [indexId, sections, words],
});

/** Takes the words of a document out of the index. */
export const removeWords = (documentUuid: string): Statement => ({
  name: 'documents_remove_words',
  query_timeout: writeTimeoutMs,
  text: 'DELETE FROM document_indexed_versions WHERE document_uuid = $1',
  values: [documentUuid],
});

/** The passages of a document, by the index on its versions; vectors go with them. */
export const removeChunks = (documentUuid: string): Statement => ({
  name: 'documents_remove_chunks',
  query_timeout: writeTimeoutMs,
  text: `DELETE FROM document_chunks c USING document_versions v
    WHERE v.document_uuid = $1 AND c.version_id = v.id`,
  values: [documentUuid],
});

export interface ChunkRow extends IndexedChunk {
  readonly ordinal: number;
  readonly section: number;
  readonly text: string;
}

/** Rows that one statement writes. */
export const rowsAtOnce = 2_000;

/** Adds passages. Rows as `{ id, ordinal }`. */
export const addChunks = (
  ids: { versionId: bigint; documentUuid: string; profileUuid: string },
  rows: readonly ChunkRow[],
): Statement => ({
  name: 'documents_add_chunks',
  query_timeout: writeTimeoutMs,
  text: `INSERT INTO document_chunks
      (version_id, document_uuid, profile_uuid, ordinal, section, start_offset, end_offset, page, heading, text)
    SELECT $1, $2, $3, * FROM unnest($4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::text[], $10::text[])
    RETURNING id, ordinal`,
  values: [
    ids.versionId,
    ids.documentUuid,
    ids.profileUuid,
    rows.map(({ ordinal }) => ordinal),
    rows.map(({ section }) => section),
    rows.map(({ start }) => start),
    rows.map(({ end }) => end),
    rows.map(({ page }) => page),
    rows.map(({ heading }) => heading),
    rows.map(({ text }) => text),
  ],
});

/** Counts terms of a version in the vocabulary, in the order of the alphabet. Rows as `{ id, term }`. */
export const countTermsOf = (indexId: number, terms: readonly string[], sections: readonly number[]): Statement => ({
  name: 'documents_count_terms',
  query_timeout: writeTimeoutMs,
  text: `INSERT INTO document_terms AS t (index_id, term, sections)
    SELECT $1, term, sections FROM unnest($2::text[], $3::int[]) AS given (term, sections)
    ON CONFLICT (index_id, term) DO UPDATE SET sections = t.sections + excluded.sections
    RETURNING id, term`,
  values: [indexId, terms, sections],
});

/** Adds where terms are; each term's sections as an array that PostgreSQL reads. */
export const addPostings = (versionId: bigint, termIds: readonly string[], sections: readonly string[]): Statement => ({
  name: 'documents_add_postings',
  query_timeout: writeTimeoutMs,
  text: `INSERT INTO document_postings (term_id, version_id, sections)
    SELECT id, $1, sections::bigint[] FROM unnest($2::bigint[], $3::text[]) AS given (id, sections)`,
  values: [versionId, termIds, sections],
});

/** Says that a version is in the index, with all that takes it out again. */
export const addVersion = (row: {
  versionId: bigint;
  indexId: number;
  documentUuid: string;
  sections: number;
  words: number;
  termIds: readonly string[];
}): Statement => ({
  name: 'documents_add_indexed_version',
  query_timeout: writeTimeoutMs,
  text: `INSERT INTO document_indexed_versions (version_id, index_id, document_uuid, sections, words, terms)
    VALUES ($1, $2, $3, $4, $5, $6::bigint[])`,
  values: [row.versionId, row.indexId, row.documentUuid, row.sections, row.words, row.termIds],
});

/** The id of a model, which is entered with its first vector. Rows as `{ id }`. */
export const enterModel = (name: string, dims: number): Statement => ({
  name: 'documents_enter_model',
  text: `WITH known AS (SELECT id FROM document_embedding_models WHERE name = $1),
      entered AS (
        INSERT INTO document_embedding_models (name, dims) SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM known)
        ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id)
    SELECT id FROM known UNION ALL SELECT id FROM entered`,
  values: [name, dims],
});

/** The models that vectors are of. Rows as `{ id, name }`. */
export const allModels = (): Statement => ({
  name: 'documents_models',
  text: 'SELECT id, name FROM document_embedding_models ORDER BY id',
});

/** Some passages with vectors of some models, profile by profile. Rows as `{ id, text }`. */
export const passagesOfModels = (modelIds: readonly number[], limit: number): Statement => ({
  name: 'documents_passages_of_models',
  query_timeout: writeTimeoutMs,
  text: `SELECT c.id, c.text FROM document_indexes i
      CROSS JOIN LATERAL (
        SELECT chunk_id FROM document_vectors WHERE index_id = i.id AND model_id = ANY ($1::int[]) LIMIT $2) v
      JOIN document_chunks c ON c.id = v.chunk_id
    LIMIT $2`,
  values: [modelIds, limit],
});

/** Forgets models that no vector is of. */
export const forgetModels = (modelIds: readonly number[]): Statement => ({
  name: 'documents_forget_models',
  query_timeout: writeTimeoutMs,
  text: `DELETE FROM document_embedding_models m WHERE id = ANY ($1::int[]) AND NOT EXISTS (
    SELECT FROM document_indexes i JOIN document_vectors v ON v.index_id = i.id AND v.model_id = m.id)`,
  values: [modelIds],
});

/** Vectors that one statement writes. */
export const vectorsAtOnce = 200;

export interface VectorRow {
  readonly chunkId: string;
  readonly vector: Float32Array;
}

/** Stores the vectors of passages, replacing existing ones. A passage that was deleted in the meantime is left out. */
export const putVectors = (modelId: number, rows: readonly VectorRow[]): Statement => ({
  name: 'documents_put_vectors',
  query_timeout: writeTimeoutMs,
  text: `INSERT INTO document_vectors AS v (chunk_id, index_id, version_id, model_id, signature, vector, rounded)
    SELECT c.id, i.id, c.version_id, $1, given.signature::varbit, given.vector::real[], given.rounded
    FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bytea[]) AS given (id, signature, vector, rounded)
      JOIN document_chunks c ON c.id = given.id JOIN document_indexes i ON i.profile_uuid = c.profile_uuid
    ORDER BY c.id
    ON CONFLICT (chunk_id) DO UPDATE
      SET model_id = $1, signature = excluded.signature, vector = excluded.vector, rounded = excluded.rounded`,
  values: [
    modelId,
    rows.map(({ chunkId }) => chunkId),
    rows.map(({ vector }) => signatureOf(vector)),
    rows.map(({ vector }) => `{${vector.join(',')}}`),
    rows.map(({ vector }) => roundedOf(vector)),
  ],
});
