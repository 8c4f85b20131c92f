import { beforeAll, expect, it } from 'vitest';
import { createVectorIndexes } from '../../src/documents/search/vector-indexes.ts';
import { createVectorMaker, type Filled, fillVectors } from '../documents/made-vectors.ts';
import { startVectorStage } from './vector-stage.ts';

/* H09: by an HNSW index, too, a search reads the vectors of one profile. Killed by the mutation documents/search-vector-index-of-profile. */

const model = { name: 'made', dims: 512 };
const madeVector = createVectorMaker(23, model.dims, 20);
/** A search takes 150 passages from the index: so many of another profile would fill it. */
const nearOnes = 400;

let stage: Awaited<ReturnType<typeof startVectorStage>>;
let own: string;
let other: string;
let filled: Filled[];
let foreign: Filled[];
const vector = madeVector();

/** A vector of length 1 beside another one. */
function near(to: Float32Array): Float32Array {
  const beside = madeVector(true);
  const mixed = to.map((each, place) => each + 0.1 * (beside[place] as number));
  const length = Math.hypot(...mixed);
  return mixed.map((each) => each / length);
}

function nearestTen(of: readonly Filled[]): string[] {
  const cosine = (given: Float32Array) => given.reduce((sum, each, place) => sum + each * (vector[place] as number), 0);
  return of
    .map(({ chunkId, vector: given }) => ({ chunkId, near: cosine(given) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, 10)
    .map(({ chunkId }) => chunkId);
}

beforeAll(async () => {
  stage = await startVectorStage();
  const { database, programs, install, newProfile, server, log } = stage;
  programs.addVector();
  await install();
  [own, other] = [await newProfile(), await newProfile()];
  filled = await fillVectors(
    database,
    own,
    model,
    Array.from({ length: 1_000 }, () => madeVector()),
  );
  foreign = await fillVectors(
    database,
    other,
    model,
    Array.from({ length: nearOnes }, () => near(vector)),
  );
  await server.administer('ANALYZE', 'documents');
  expect(await createVectorIndexes({ database, log, vectorsMin: nearOnes }).renew()).toBe(2);
}, 600_000);

it('finds the nearest of its own passages, however many of another profile are nearer', async () => {
  const { asksIndex, bestTen } = stage;
  let found: string[] = [];
  expect(
    await asksIndex(async () => {
      found = await bestTen(own, vector);
    }),
  ).toBe(true);
  const nearest = new Set(nearestTen(filled));
  expect(found).toHaveLength(10);
  expect(found.filter((id) => nearest.has(id)).length).toBeGreaterThanOrEqual(9);
  const ofOther = foreign.map(({ chunkId }) => chunkId);
  for (const id of await bestTen(other, vector)) expect(ofOther).toContain(id);
});
