import type { Pool } from 'pg';
import type { EmbeddingProviders } from '../src/documents/embedding/provider.ts';
import { narrowedTo } from '../src/documents/search/input.ts';
import { createRetrieval } from '../src/documents/search/retrieval.ts';
import { createVectorIndexes } from '../src/documents/search/vector-indexes.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { Logger } from '../src/platform/logger.ts';
import { copyDocuments } from './documents-copy.ts';
import { commonQueryOf, fillDocuments, queryOf, vectorOf } from './documents-data.ts';
import { printIngestion } from './documents-ingestion.ts';
import { printTable, shown } from './measure.ts';

export interface SpeedStage {
  readonly database: Database;
  readonly pool: Pool;
  readonly log: Logger;
  readonly providers: EmbeddingProviders;
  readonly isQuick: boolean;
  /** Whether the server has pgvector, so that HNSW indexes are measured, too. */
  readonly isPgvector: boolean;
  newProfile(): Promise<string>;
}

const rounds = 300;
const recallQueries = 50;
const small = 100;
/** Passages of a profile that are written as the product writes them; the others are copies of these. */
const madeMax = 10_000;

/**
 * How long a search takes in profiles of several sizes, in a small one before and after others have filled the tables, and how fast passages
 * are embedded and indexed.
 *
 * The vector of a query is made up, as those of the passages are; what the offline model takes for one is printed beside.
 */
export async function printSpeed(stage: SpeedStage): Promise<void> {
  const { database, pool, newProfile, isQuick } = stage;
  const sizes = isQuick ? [small, 2_000] : [small, 10_000, 100_000];
  const others = isQuick ? 4_000 : 1_000_000;
  const rows: string[][] = [];
  const profiles = new Map<number, string>();
  for (const size of sizes) {
    const profileUuid = await newProfile();
    profiles.set(size, profileUuid);
    const made = Math.min(size, madeMax);
    const begun = performance.now();
    await fillDocuments(database, profileUuid, made);
    const perSecond = (made * 1_000) / (performance.now() - begun);
    if (made === size && size !== small)
      console.log(`\nIndexing passages that are embedded already: ${shown(perSecond)} a second`);
    for (let filled = made; filled < size; filled += made)
      await copyDocuments(pool, {
        from: profileUuid,
        to: profileUuid,
        documents: Math.min(made, size - filled) / 100,
        vectorOf,
      });
    await settle(pool);
    rows.push(await measured(stage, `${shown(size)} passages`, profileUuid));
  }
  if (stage.isPgvector) rows.push(...(await byVectorIndex(stage, profiles)));
  else rows.push(await besideOthers(stage, profiles, others));
  console.log(
    `\nSearch, ms; one at a time, ${rounds} of each kind, without the embedding of the query; server, CPU and pages are of one search`,
  );
  printTable([
    [
      'profile',
      '3 words: p50',
      'p99',
      '8 words: p50',
      'p99',
      'common words: p50',
      'p99',
      'server',
      'CPU here',
      'pages',
    ],
    ...rows,
  ]);
  if (stage.isPgvector) return;
  await printIngestion(stage);
  await printEmbedding(stage);
}

/** The search of the small profile once others have so many passages together. */
async function besideOthers(
  stage: SpeedStage,
  profiles: ReadonlyMap<number, string>,
  others: number,
): Promise<string[]> {
  const { pool, newProfile } = stage;
  const sizes = [...profiles.keys()];
  const largest = Math.max(...sizes);
  for (let filled = sizes.reduce((sum, size) => sum + size, 0); filled < others; filled += largest)
    await copyDocuments(pool, {
      from: profiles.get(largest) as string,
      to: await newProfile(),
      documents: Math.min(largest, others - filled) / 100,
      everyTerm: 4,
    });
  await settle(pool);
  return measured(stage, `${small} passages beside ${shown(others)} of others`, profiles.get(small) as string);
}

const settle = async (pool: Pool) => {
  await pool.query('VACUUM ANALYZE');
};

/** The same searches by HNSW indexes, which the large profiles get, and the recall of both ways. */
async function byVectorIndex(stage: SpeedStage, profiles: ReadonlyMap<number, string>): Promise<string[][]> {
  const { database, pool, log } = stage;
  await pool.query('CREATE EXTENSION vector');
  const large = [...profiles].filter(([size]) => size > small);
  const queries = Array.from({ length: recallQueries }, vectorOf);
  const nearest = new Map<string, string[][]>();
  const bySigns = new Map<string, number>();
  for (const [, profileUuid] of large) {
    nearest.set(profileUuid, await nearestTens(pool, profileUuid, queries));
    bySigns.set(profileUuid, await recallOf(stage, profileUuid, queries, nearest.get(profileUuid) ?? []));
  }
  const begun = performance.now();
  await createVectorIndexes({ database, log, vectorsMin: 1_000 }).renew();
  const seconds = (performance.now() - begun) / 1_000;
  await settle(pool);
  const rows: string[][] = [];
  for (const [size, profileUuid] of large) {
    rows.push(await measured(stage, `${shown(size)} passages by HNSW`, profileUuid));
    const byIndex = await recallOf(stage, profileUuid, queries, nearest.get(profileUuid) ?? []);
    console.log(
      `Recall@10 of ${queries.length} queries in ${shown(size)} passages: ${bySigns.get(profileUuid)?.toFixed(3)} by signs, ${byIndex.toFixed(3)} by HNSW`,
    );
  }
  console.log(`HNSW indexes built in ${shown(seconds)} s`);
  return rows;
}

/** The ten passages of a profile whose vectors are nearest to each query, by the comparison of all. */
async function nearestTens(pool: Pool, profileUuid: string, queries: readonly Float32Array[]): Promise<string[][]> {
  const found: string[][] = [];
  for (const query of queries) {
    const { rows } = await pool.query(
      `SELECT chunk_id FROM document_vectors WHERE index_id = (SELECT id FROM document_indexes WHERE profile_uuid = $1)
        ORDER BY vector::vector <=> $2::real[]::vector LIMIT 10`,
      [profileUuid, `{${query.join(',')}}`],
    );
    found.push(rows.map(({ chunk_id: id }) => id));
  }
  return found;
}

/** The share of the nearest passages that a search by meaning has among its first ten. */
async function recallOf(
  stage: SpeedStage,
  profileUuid: string,
  queries: readonly Float32Array[],
  nearest: readonly (readonly string[])[],
): Promise<number> {
  let found = 0;
  for (const [place, query] of queries.entries()) {
    const retrieve = createRetrieval({ ...stage, providers: providersOf(stage, () => query) });
    const { passages } = await retrieve(profileUuid, 'x', narrowedTo(null), 10, { words: false, meaning: true });
    const best = new Set(passages.slice(0, 10).map(({ id }) => id));
    found += (nearest[place] ?? []).filter((id) => best.has(id)).length;
  }
  return found / (queries.length * 10);
}

/** The models of the stage, with made vectors for the queries. */
const providersOf = ({ providers }: SpeedStage, make: () => Float32Array) => ({
  of: (model: string, dims: number) => {
    const provider = providers.of(model, dims);
    return provider && { ...provider, embed: async (texts: readonly string[]) => texts.map(make) };
  },
});

async function measured(stage: SpeedStage, name: string, profileUuid: string): Promise<string[]> {
  const retrieve = createRetrieval({ ...stage, providers: providersOf(stage, vectorOf) });
  const cells: string[] = [];
  const cpuBefore = process.cpuUsage();
  const before = await workOf(stage.pool);
  for (const query of [() => queryOf(3), () => queryOf(8), () => commonQueryOf(4)]) {
    const times: number[] = [];
    for (let round = -10; round < rounds; round++) {
      const begun = performance.now();
      await retrieve(profileUuid, query(), narrowedTo(null), 10);
      if (round >= 0) times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    cells.push(shown(times[rounds / 2] as number), shown(times[Math.ceil(rounds * 0.99) - 1] as number));
  }
  const after = await workOf(stage.pool);
  const { user, system } = process.cpuUsage(cpuBefore);
  const searches = 3 * (rounds + 10);
  return [
    name,
    ...cells,
    shown((after.milliseconds - before.milliseconds) / searches),
    shown((user + system) / 1_000 / searches),
    shown((after.pages - before.pages) / searches),
  ];
}

/** What the server has taken for the statements of this database, in milliseconds and in pages of 8 KB. */
async function workOf(pool: Pool): Promise<{ milliseconds: number; pages: number }> {
  const { rows } = await pool.query(
    `SELECT sum(total_exec_time) AS milliseconds, sum(shared_blks_hit + shared_blks_read)::float8 AS pages FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query NOT LIKE '%pg_stat_statements%'`,
  );
  return rows[0];
}

async function printEmbedding({ providers }: SpeedStage): Promise<void> {
  const passage = Array.from({ length: 60 }, () => 'the quiet harbour')
    .join(' ')
    .split(' ')
    .slice(0, 75)
    .join(' ');
  await providers.current.embed(['warm']);
  const timed = async (texts: readonly string[]) => {
    const begun = performance.now();
    await providers.current.embed(texts);
    return (performance.now() - begun) / texts.length;
  };
  const perPassage = await timed(Array.from({ length: 40 }, (_, index) => `${passage} ${index}`));
  const perQuery = await timed(Array.from({ length: 40 }, (_, index) => `where is the lighthouse ${index}`));
  const memory = Math.round(process.memoryUsage().rss / 1e6);
  console.log(
    `\nOffline model: ${shown(1_000 / perPassage)} passages of 75 words a second, ${shown(perQuery)} ms for a query; the process holds ${memory} MB`,
  );
}
