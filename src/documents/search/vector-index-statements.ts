import type { Statement } from '../../platform/database/database.ts';
import type { Narrowing } from './input.ts';
import { isNarrow, narrowed, versionsOf } from './narrowed.ts';
import { chunksMax } from './sections.ts';

/*
 * The statements of the pgvector indexes. Such an index is not part of the migrations, since the extension may be
 * missing, and holds the vectors of one profile and one model.
 */

const beginning = 'document_vectors_hnsw_';

/** The name of the index on a profile's vectors of a model. */
export const vectorIndexName = (indexId: number, modelId: number): string => `${beginning}${indexId}_${modelId}`;

/** The schema of pgvector, where a profile's index `i` has a vector index for a model `m` that can be used; null elsewhere. As SQL. */
export const vectorSchemaOf = `(SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    JOIN pg_index x ON x.indexrelid = to_regclass('${beginning}' || i.id || '_' || m.id) AND x.indisvalid
  WHERE e.extname = 'vector')`;

/** The installed and the available version of pgvector, as an `ExtensionRow`; null where it is not installed or not available. */
export const vectorExtension = (): Statement => ({
  text: `SELECT e.extversion AS installed, n.nspname AS schema,
      (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS available
    FROM (SELECT) AS one LEFT JOIN pg_extension e ON e.extname = 'vector' LEFT JOIN pg_namespace n ON n.oid = e.extnamespace`,
});

export const createVectorExtension = (): Statement => ({ text: 'CREATE EXTENSION IF NOT EXISTS vector' });

/** The vector indexes that there are. Rows as `{ name, valid }`. */
export const vectorIndexes = (): Statement => ({
  text: `SELECT c.relname AS name, x.indisvalid AS valid FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
    WHERE x.indrelid = 'document_vectors'::regclass AND c.relname ~ '^${beginning}[0-9]+_[0-9]+$'`,
});

/** The profiles and models with most vectors, counted up to a number. Rows as `{ index_id, model_id, dims, vectors }`. */
export const largestIndexes = (vectorsMin: number, countedMax: number, limit: number): Statement => ({
  text: `SELECT i.id AS index_id, m.id AS model_id, m.dims, counted.vectors
    FROM (SELECT id FROM document_indexes WHERE sections >= $1::int / ${chunksMax} ORDER BY sections DESC LIMIT $3) i
      CROSS JOIN document_embedding_models m
      CROSS JOIN LATERAL (SELECT count(*)::int AS vectors FROM (
        SELECT FROM document_vectors v WHERE v.index_id = i.id AND v.model_id = m.id LIMIT $2) AS some_of_them) counted
    WHERE counted.vectors >= $1 ORDER BY counted.vectors DESC, i.id LIMIT $3`,
  values: [vectorsMin, countedMax, limit],
});

/** Rows of an index. The number of dimensions is asked, so that a vector that has another number is left out, and can be stored. */
const rowsOf = (indexId: number, modelId: number, dims: number) =>
  `index_id = ${indexId} AND model_id = ${modelId} AND cardinality(vector) = ${dims}`;

/** Numbers of two bytes: half of the memory, and the order of cosines stays. */
const numbersOf = (schema: string, dims: number) => `(vector::${quoted(schema)}.halfvec(${dims}))`;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

export const createVectorIndex = (schema: string, indexId: number, modelId: number, dims: number): Statement => ({
  text: `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${vectorIndexName(indexId, modelId)} ON document_vectors
    USING hnsw (${numbersOf(schema, dims)} ${quoted(schema)}.halfvec_cosine_ops) WHERE ${rowsOf(indexId, modelId, dims)}`,
});

/** @param name As `vectorIndexes` has it. */
export const dropVectorIndex = (name: string): Statement => ({
  text: `DROP INDEX CONCURRENTLY IF EXISTS ${quoted(name)}`,
});

/** Memory of the building: with less than the index takes it goes over the disk. */
export const prepareBuilding = (): Statement => ({
  text: `SELECT set_config('maintenance_work_mem', greatest(pg_size_bytes(current_setting('maintenance_work_mem')), 268435456) / 1024 || 'kB', false)`,
});

/**
 * How the index is read, until the end of the transaction. With a filter more of it is read at once, and on until enough fit, but for at most
 * 4 000 passages: where fewer than one in 27 fits, exact search is the faster one. The plan is fixed, because a scan of all vectors would
 * compare each in its full length.
 */
export const prepareNearest = (isFiltered: boolean): Statement => ({
  name: 'documents_prepare_nearest',
  text: `SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.max_scan_tuples', '4000', true), set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`,
  values: [isFiltered ? '400' : '200'],
});

/** Passages whose vectors are nearest to that of a query, by the index of one profile. Rows as `{ chunk_id }`. */
export function nearest(
  { indexId, profileUuid }: { indexId: number; profileUuid: string },
  { id: modelId, dims, schema }: { id: number; dims: number; schema: string },
  vector: Float32Array,
  narrowing: Narrowing,
  wanted: number,
): Statement {
  const isFiltered = isNarrow(narrowing);
  // As a join it would be free to take the passages in another order than that of the index.
  const filter = `AND (version_id IN (${versionsOf(String(indexId), 2, narrowing)})) IS TRUE`;
  return {
    text: `SELECT chunk_id FROM document_vectors WHERE ${rowsOf(indexId, modelId, dims)} ${isFiltered ? filter : ''}
      ORDER BY ${numbersOf(schema, dims)} OPERATOR(${quoted(schema)}.<=>) $1::real[]::${quoted(schema)}.halfvec(${dims})
      LIMIT ${wanted}`,
    values: [`{${vector.join(',')}}`, ...(isFiltered ? narrowed(profileUuid, narrowing) : [])],
  };
}
