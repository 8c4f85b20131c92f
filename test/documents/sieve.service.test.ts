import { expect, it } from 'vitest';
import { narrowedTo } from '../../src/documents/search/input.ts';
import { bySignature, sievedMax } from '../../src/documents/search/search-statements.ts';
import { signatureOf } from '../../src/documents/search/vectors.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { createVectorMaker, fillVectors } from './made-vectors.ts';

const model = { name: 'made', dims: 64 };
const madeVector = createVectorMaker(31, model.dims, 40);

const distance = (a: string, b: string) => [...a].reduce((sum, bit, place) => sum + (bit === b[place] ? 0 : 1), 0);

it.each([
  ['fewer passages than it takes', 100],
  ['fewer passages than it compares first', 1_000],
  ['more passages than it compares first', 6_000],
])('the sieve takes exactly the passages with the nearest signs: %s', async (_name, passages) => {
  const { services, database } = await createTestServices();
  const profileUuid = (await signUp(services)).principal?.profileUuid as string;
  const vectors = Array.from({ length: passages }, (_, place) => madeVector(place % 3 === 0));
  const filled = await fillVectors(database, profileUuid, model, vectors);
  const [place] = await database.query<{ index_id: number; model_id: number }>({
    text: 'SELECT index_id, model_id FROM document_vectors LIMIT 1',
  });
  const ids = { indexId: Number(place?.index_id), profileUuid };
  for (let query = 0; query < 10; query++) {
    const signature = signatureOf(madeVector(query % 2 === 0));
    const nearest = filled
      .map(({ chunkId, vector }) => ({ chunkId, distance: distance(signature, signatureOf(vector)) }))
      .sort((a, b) => a.distance - b.distance || Number(a.chunkId) - Number(b.chunkId))
      .slice(0, sievedMax);
    const statement = bySignature(ids, Number(place?.model_id), signature, narrowedTo(null));
    const found = await database.query<{ chunk_id: string }>(statement);
    expect(found.map(({ chunk_id: id }) => id)).toEqual(nearest.map(({ chunkId }) => chunkId));
  }
});
