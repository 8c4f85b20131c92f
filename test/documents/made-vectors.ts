import { roundedOf, signatureOf } from '../../src/documents/search/vectors.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** Numbers from 0 to 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Makes vectors of length 1: near one of some subjects, as those of texts are, or anywhere. */
export function createVectorMaker(seed: number, dims: number, subjects: number) {
  const random = seeded(seed);
  const gauss = () => random() + random() + random() + random() - 2;
  const centres = Array.from({ length: subjects }, () => Float32Array.from({ length: dims }, gauss));
  return (isAnywhere = false): Float32Array => {
    const centre = centres[Math.floor(random() * subjects)] as Float32Array;
    const vector = centre.map((each) => (isAnywhere ? gauss() : each + 1.2 * gauss()));
    const length = Math.hypot(...vector);
    return vector.map((each) => each / length);
  };
}

export interface Filled {
  readonly chunkId: string;
  readonly documentUuid: string;
  readonly vector: Float32Array;
}

/** Gives a profile documents of 100 passages without words, each with a vector. The source is `api` for every tenth, else `upload`. */
export async function fillVectors(
  database: Database,
  profileUuid: string,
  model: { readonly name: string; readonly dims: number },
  vectors: readonly Float32Array[],
): Promise<Filled[]> {
  const [index] = await database.query<{ id: number }>({
    text: `INSERT INTO document_indexes (profile_uuid, languages, sections) VALUES ($1, '{eng}', $2)
      ON CONFLICT (profile_uuid) DO UPDATE SET sections = document_indexes.sections + $2 RETURNING id`,
    values: [profileUuid, vectors.length],
  });
  const [entered] = await database.query<{ id: number }>({
    text: `INSERT INTO document_embedding_models (name, dims) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET dims = $2 RETURNING id`,
    values: [model.name, model.dims],
  });
  const chunks = await database.query<{ id: string; version_id: string; document_uuid: string }>({
    query_timeout: 60_000,
    text: `WITH made AS (
        INSERT INTO documents (uuid, profile_uuid, title, source, tags, visibility, created_at, updated_at)
        SELECT gen_random_uuid(), $1::uuid, 'made ' || n, CASE n % 10 WHEN 0 THEN 'api' ELSE 'upload' END, ARRAY['n' || n], 'private', now(), now()
        FROM generate_series(1, $2::int) n RETURNING uuid),
      versions AS (
        INSERT INTO document_versions (document_uuid, profile_uuid, version, file_name, file_size, mime_type, content_hash, storage_key, status,
          page_starts, created_at)
        SELECT uuid, $1, 1, 'made', 1, 'text/plain', '', uuid::text, 'ready', '{}', now() FROM made RETURNING id, document_uuid),
      indexed AS (
        INSERT INTO document_indexed_versions SELECT id, $3, document_uuid, 1, 1, '{}' FROM versions)
      INSERT INTO document_chunks (version_id, document_uuid, profile_uuid, ordinal, start_offset, end_offset, text)
      SELECT id, document_uuid, $1, n, n, n + 1, 'x' FROM versions, generate_series(0, 99) n RETURNING id, version_id, document_uuid`,
    values: [profileUuid, Math.ceil(vectors.length / 100), index?.id],
  });
  const filled: Filled[] = [];
  for (let first = 0; first < vectors.length; first += 1_000) {
    const part = vectors.slice(first, first + 1_000);
    const places = chunks.slice(first, first + part.length);
    await database.query({
      name: 'fill_vectors',
      query_timeout: 60_000,
      text: `INSERT INTO document_vectors (chunk_id, index_id, version_id, model_id, signature, vector, rounded)
        SELECT id, $1, version, $2, signature::varbit, vector::real[], rounded
        FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[]) AS given (id, version, signature, vector, rounded)`,
      values: [
        index?.id,
        entered?.id,
        places.map(({ id }) => id),
        places.map(({ version_id }) => version_id),
        part.map(signatureOf),
        part.map((vector) => `{${vector.join(',')}}`),
        part.map(roundedOf),
      ],
    });
    for (const [place, { id, document_uuid: documentUuid }] of places.entries())
      filled.push({ chunkId: id, documentUuid, vector: part[place] as Float32Array });
  }
  return filled;
}
