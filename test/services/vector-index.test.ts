import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBeirSet } from '../../bench/beir.ts';
import { createEmbeddingProviders } from '../../src/documents/embedding/provider.ts';
import { createDocumentIndex } from '../../src/documents/search/index-writer.ts';
import { narrowedTo, narrowingOf } from '../../src/documents/search/input.ts';
import { createRetrieval } from '../../src/documents/search/retrieval.ts';
import { createVectorIndexes } from '../../src/documents/search/vector-indexes.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { addDocument } from '../documents/indexed.ts';
import { createVectorMaker, type Filled, fillVectors } from '../documents/made-vectors.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startVectorStage } from './vector-stage.ts';

/* Search by the HNSW indexes of pgvector 0.8.0. */

const model = { name: 'made', dims: 512 };
const passages = 20_000;
const madeVector = createVectorMaker(11, model.dims, 300);
const everything = narrowedTo(null);

const stage = await startVectorStage();
const { lines, log, programs, server, infrastructure, database, asksIndex, install } = stage;
let large: string;
let small: string;
let filled: Filled[];
let others: Filled[];
let indexes: ReturnType<typeof createVectorIndexes>;

const bestTen = (vector: Float32Array, { profile = large, ...rest }: BestTen = {}) =>
  stage.bestTen(profile, vector, rest);

type BestTen = NonNullable<Parameters<typeof stage.bestTen>[2]> & { readonly profile?: string };

/** The share of the nearest ten passages that are among the best ten, over some made queries. */
async function recall(options: BestTen & { of?: readonly Filled[] } = {}, queries = 40) {
  let found = 0;
  for (let query = 0; query < queries; query++) {
    const vector = madeVector();
    const cosine = (other: Float32Array) => {
      let sum = 0;
      for (let place = 0; place < other.length; place++) sum += (other[place] as number) * (vector[place] as number);
      return sum;
    };
    const nearest = (options.of ?? filled)
      .map(({ chunkId, vector: own }) => ({ chunkId, near: cosine(own) }))
      .sort((a, b) => b.near - a.near)
      .slice(0, 10);
    const best = new Set(await bestTen(vector, options));
    found += nearest.filter(({ chunkId }) => best.has(chunkId)).length;
  }
  return found / (queries * 10);
}

const bySource = (source: string) => ({ ...everything, source });
const byTag = (tag: string) => narrowingOf({ tags: [tag] });
const said = () => lines.filter((line) => line.includes('search of documents')).length;

beforeAll(async () => {
  [large, small] = [await stage.newProfile(), await stage.newProfile()];
  filled = await fillVectors(
    database,
    large,
    model,
    Array.from({ length: passages }, (_, place) => madeVector(place % 10 === 0)),
  );
  others = await fillVectors(
    database,
    small,
    model,
    Array.from({ length: 300 }, () => madeVector()),
  );
  await server.administer('ANALYZE', 'documents');
  indexes = createVectorIndexes({ database, log });
}, 600_000);

describe('without the extension', () => {
  it('exact search answers, and the log says so once', async () => {
    expect([await indexes.renew(), await indexes.renew()]).toEqual([0, 0]);
    expect(lines.join('')).toContain('PostgreSQL has no pgvector');
    expect(said()).toBe(1);
    expect(await asksIndex(() => bestTen(madeVector()))).toBe(false);
    expect(await recall()).toBeGreaterThanOrEqual(0.95);
  });

  it('goes on where the server has it and the database user may not install it', async () => {
    programs.addVector();
    expect(await indexes.renew()).toBe(0);
    expect(lines.join('')).toContain('may not install pgvector');
    expect(await bestTen(madeVector())).toHaveLength(10);
  });
});

describe('with the extension', () => {
  beforeAll(async () => {
    await install();
    expect(await indexes.renew()).toBe(1);
  }, 600_000);

  it('a large profile has an index, a small one has none, and a second look changes nothing', async () => {
    expect(await indexes.renew()).toBe(0);
    expect(await asksIndex(() => bestTen(madeVector()))).toBe(true);
    expect(await asksIndex(() => bestTen(madeVector(), { profile: small }))).toBe(false);
  });

  it('finds the same best ten as exact search, but for one in twenty', async () => {
    expect(await recall()).toBeGreaterThanOrEqual(0.95);
  });

  it('keeps to filters: by the index where they fit many, by exact search where they fit few', async () => {
    const sources = new Map(
      (await database.query<{ uuid: string; source: string }>({ text: 'SELECT uuid, source FROM documents' })).map(
        ({ uuid, source }) => [uuid, source],
      ),
    );
    const ofApi = filled.filter(({ documentUuid }) => sources.get(documentUuid) === 'api');
    expect(ofApi).toHaveLength(passages / 10);
    const apiIds = new Set(ofApi.map(({ chunkId }) => chunkId));
    for (const id of await bestTen(madeVector(), { narrowing: bySource('api') })) expect(apiIds).toContain(id);
    expect(await recall({ narrowing: bySource('api'), of: ofApi })).toBeGreaterThanOrEqual(0.95);
    const [{ documentUuid = '' } = {}] = filled;
    const ofOne = filled.filter((each) => each.documentUuid === documentUuid);
    const [
      {
        tags: [tag = ''],
      } = { tags: [] },
    ] = await database.query<{ tags: string[] }>({
      text: 'SELECT tags FROM documents WHERE uuid = $1',
      values: [documentUuid],
    });
    expect(await recall({ narrowing: byTag(tag), of: ofOne }, 10)).toBeGreaterThanOrEqual(0.95);
    expect(await recall({ narrowing: narrowedTo([documentUuid]), of: ofOne }, 10)).toBeGreaterThanOrEqual(0.95);
    expect(await bestTen(madeVector(), { narrowing: byTag('none') })).toEqual([]);
  });

  it('a passage is found from its transaction on, and no longer once it is gone', async () => {
    const vector = madeVector();
    const [added] = await fillVectors(database, large, model, [vector]);
    expect((await bestTen(vector))[0]).toBe(added?.chunkId);
    await database.query({ text: 'DELETE FROM documents WHERE uuid = $1', values: [added?.documentUuid] });
    expect(await bestTen(vector)).not.toContain(added?.chunkId);
  });

  it('another profile’s passages are never found, however near', async () => {
    const own = new Set(filled.map(({ chunkId }) => chunkId));
    const foreign = new Set(others.map(({ chunkId }) => chunkId));
    for (const { vector } of others.slice(0, 20)) for (const id of await bestTen(vector)) expect(own).toContain(id);
    for (const { vector } of filled.slice(0, 20))
      for (const id of await bestTen(vector, { profile: small })) expect(foreign).toContain(id);
  });

  it('a vector with another number of dimensions can be stored, and is not found', async () => {
    const odd = new Float32Array(64).fill(0.125);
    const [added] = await fillVectors(database, large, model, [odd]);
    expect(await bestTen(madeVector())).not.toContain(added?.chunkId);
    await database.query({ text: 'DELETE FROM documents WHERE uuid = $1', values: [added?.documentUuid] });
  });

  it('when the extension is removed between two statements of a search, exact search answers', async () => {
    const removing: Database = {
      ...database,
      async read(statement) {
        const rows = await database.read(statement);
        if (statement.name === 'documents_index') await server.administer('DROP EXTENSION vector CASCADE', 'documents');
        return rows as never;
      },
    };
    expect(await bestTen(madeVector(), { over: removing })).toHaveLength(10);
    expect(lines.join('')).toContain('went on without the vector index');
    expect(await asksIndex(() => bestTen(madeVector()))).toBe(false);
    expect(await recall({}, 10)).toBeGreaterThanOrEqual(0.95);
  });

  it('is used again when it comes back, and an unfinished index is built again', async () => {
    await install();
    expect(await indexes.renew()).toBe(1);
    expect(await asksIndex(() => bestTen(madeVector()))).toBe(true);
    await server.administer(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid IN (SELECT oid FROM pg_class WHERE relname LIKE 'document_vectors_hnsw_%')`,
      'documents',
    );
    expect(await asksIndex(() => bestTen(madeVector()))).toBe(false);
    expect(await indexes.renew()).toBe(2);
    expect(await asksIndex(() => bestTen(madeVector()))).toBe(true);
  });

  it('an index is removed when its profile is no longer large', async () => {
    const larger = createVectorIndexes({ database, log, vectorsMin: 10 * passages });
    expect(await larger.renew()).toBe(1);
    expect(await asksIndex(() => bestTen(madeVector()))).toBe(false);
  });
});

it('finds the same on the labelled set as exact search', { timeout: 600_000 }, async () => {
  const { corpus, queries } = await readBeirSet(path.resolve(import.meta.dirname, '../documents/labelled'));
  const providers = createEmbeddingProviders({
    egress: infrastructure.egress,
    clock: createManualClock(),
    log,
    endpoint: null,
  });
  cleanUp(() => providers.close());
  const index = createDocumentIndex({ provider: providers.current });
  for (const { title, text } of corpus) await addDocument({ database, index }, { profileUuid: small, title, text });
  const retrieve = createRetrieval({ database, log, providers });
  const bestOfAll = async () => {
    const best: string[][] = [];
    for (const { text } of queries)
      best.push((await retrieve(small, text, everything, 10)).passages.slice(0, 10).map(({ id }) => id));
    return best;
  };
  const exact = await bestOfAll();
  expect(await createVectorIndexes({ database, log, vectorsMin: 400 }).renew()).toBe(2);
  expect(await asksIndex(() => retrieve(small, 'a question', everything, 10))).toBe(true);
  const byIndex = await bestOfAll();
  const same = exact.flat().filter((id, place) => byIndex[Math.floor(place / 10)]?.includes(id)).length;
  expect(same / exact.flat().length).toBeGreaterThanOrEqual(0.95);
});
