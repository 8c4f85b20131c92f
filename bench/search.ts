import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { Client as HttpClient } from 'undici';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { createLogger } from '../src/platform/logger.ts';
import { installQueues } from '../src/platform/messaging/queue.ts';
import { createFound } from '../src/search/found.ts';
import { createUpkeep } from '../src/search/upkeep.ts';
import { labelledQueries, labelledServers } from '../test/search/labels.ts';
import { evaluate, ilike, ilikeByWord } from '../test/search/ranking.ts';
import { addServers } from '../test/search/servers.ts';
import { type Bench, printTable, shown } from './measure.ts';
import { fillServers } from './search-data.ts';
import { searchMix } from './search-mix.ts';
import { createTenants } from './seed.ts';
import type { ServerProcess } from './server-process.ts';

const small = 1_000;
/** What the goal allows the large one to take, by p99, in times of the small one. */
const timesMax = 10;

interface Stage {
  readonly servers: number;
  readonly url: string;
  readonly product: ServerProcess;
}

/** How good and how fast GET /api/search is: nDCG@10 beside ILIKE, and latencies of 1 000 and of 1 000 000 servers. */
export async function printSearch(bench: Bench): Promise<void> {
  await printRanking(bench);
  await printScale(bench);
}

/** A database of its own on the bench's server, migrated, with a profile. */
async function newDatabase(bench: Bench, name: string): Promise<{ url: string; pool: Pool; profileUuid: string }> {
  await bench.pool.query(`CREATE DATABASE ${name}`);
  const url = new URL(bench.url);
  url.pathname = `/${name}`;
  await migrate({ url: url.href, directory: path.resolve(import.meta.dirname, '../prisma/migrations') });
  await installQueues(url.href);
  const pool = new Pool({ connectionString: url.href, max: 2 });
  const [tenant] = await (await createTenants(pool))(1);
  return { url: url.href, pool, profileUuid: tenant?.profileUuid as string };
}

async function printRanking(bench: Bench): Promise<void> {
  const { url, pool, profileUuid } = await newDatabase(bench, 'bench_ranking');
  const database = createDatabase({ url, log: createLogger('silent') });
  const nobody = { principal: null, address: '' };
  await addServers({ database, clock: systemClock }, profileUuid, labelledServers);
  const upkeep = createUpkeep({ database });
  await upkeep.sortIntoTiers();
  await upkeep.countWords();
  const found = createFound({ database, onSearch: () => {} });
  const names = async (statement: { text: string; values: unknown[] }) =>
    (await pool.query(statement)).rows.map(({ name }) => name as string);
  const results = {
    'GET /api/search': await evaluate(async (query) =>
      (await found.page(nobody, { query }, { limit: 10 })).servers.map(({ name }) => name),
    ),
    'ILIKE, the whole text': await evaluate((query) => names(ilike(query))),
    'ILIKE, each word': await evaluate((query) => names(ilikeByWord(query))),
  };
  console.log(`\nRanking: ${labelledQueries.length} labelled queries over ${labelledServers.length} servers`);
  printTable([
    ['order', 'nDCG@10', 'queries below 0.5'],
    ...Object.entries(results).map(([name, { mean, byQuery }]) => [
      name,
      mean.toFixed(3),
      String(byQuery.filter(({ ndcg }) => ndcg < 0.5).length),
    ]),
  ]);
  await database.close();
  await pool.end();
}

async function printScale(bench: Bench): Promise<void> {
  const large = bench.isQuick ? 50_000 : 1_000_000;
  const rounds = 3;
  const stages: Stage[] = [];
  for (const servers of [small, large]) {
    const begun = performance.now();
    const { url, pool, profileUuid } = await newDatabase(bench, `bench_search_${servers}`);
    await fillServers(pool, profileUuid, 0, servers);
    for (const table of ['mcp_servers', 'search_documents', 'search_words'])
      await pool.query(`VACUUM ANALYZE ${table}`);
    const database = createDatabase({ url, log: createLogger('silent') });
    const upkeep = createUpkeep({ database });
    await upkeep.sortIntoTiers();
    await upkeep.countWords();
    await pool.query('VACUUM ANALYZE search_documents');
    await pool.query('VACUUM ANALYZE search_words');
    await database.close();
    await pool.end();
    stages.push({ servers, url, product: await bench.startProduct({ DATABASE_URL: url }) });
    console.log(`\n${shown(servers)} servers made in ${Math.round((performance.now() - begun) / 1_000)} s`);
  }
  const mix = searchMix(bench.isQuick ? 40 : 100);
  const all = [...mix.values()].flat();
  for (const stage of stages) await latencies(stage, all);
  const ofKind = new Map<string, number[][]>();
  const ofAll: number[][] = stages.map(() => []);
  // Both in turn, so that what else the machine does hits both.
  for (let round = 0; round < rounds; round++)
    for (const [kind, queries] of mix) {
      const known = ofKind.get(kind) ?? stages.map(() => []);
      ofKind.set(kind, known);
      for (const [index, stage] of stages.entries()) {
        const measured = await latencies(stage, queries);
        known[index]?.push(...measured);
        ofAll[index]?.push(...measured);
      }
    }
  const row = (name: string, [few = [], many = []]: readonly number[][]) => [
    name,
    ...[few, many].flatMap((each) => [shown(at(each, 0.5)), shown(at(each, 0.99))]),
    shown(at(many, 0.99) / at(few, 0.99)),
  ];
  console.log(`\nGET /api/search, ms; one connection, ${rounds} rounds of ${all.length} searches on each side in turn`);
  printTable([
    ['search', `${shown(small)}: p50`, 'p99', `${shown(large)}: p50`, 'p99', 'times at p99'],
    ...[...ofKind].map(([kind, measured]) => row(kind, measured)),
    row('all of them', ofAll),
  ]);
  console.log(`  goal: all of them below ${timesMax} times at p99`);
  await writePlan(stages.at(-1) as Stage, all);
  for (const { product } of stages) await product.stop();
}

const at = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;

/** How long each search takes, one after the other on one connection. */
async function latencies({ product }: Stage, queries: readonly string[]): Promise<number[]> {
  const measured: number[] = [];
  const client = new HttpClient(`http://127.0.0.1:${product.port}`);
  for (const query of queries) {
    const begun = performance.now();
    const { statusCode, body } = await client.request({ path: `/api/search?${query}`, method: 'GET' });
    const text = await body.text();
    measured.push(performance.now() - begun);
    if (statusCode !== 200) throw new Error(`${query} was answered ${statusCode}: ${text}`);
  }
  await client.close();
  return measured;
}

/** The plans of the slowest search, its functions' too, into a file. */
async function writePlan({ url, servers }: Stage, queries: readonly string[]): Promise<void> {
  const plans: string[] = [];
  const pool = new Pool({ connectionString: url, max: 1 });
  const client = await pool.connect();
  await client.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
    SET auto_explain.log_analyze = on; SET auto_explain.log_buffers = on; SET auto_explain.log_level = notice`);
  const run = async (statement: { text: string; values?: unknown[] }) => {
    const begun = performance.now();
    const { rows } = await client.query(statement);
    return { rows, ms: performance.now() - begun };
  };
  client.on('notice', ({ message }) => plans.push(message ?? ''));
  const database = {
    query: async (statement: { text: string; values?: unknown[] }) => (await run(statement)).rows,
    prisma: { mcpServer: { findMany: async () => [] } },
  } as unknown as Parameters<typeof createFound>[0]['database'];
  const found = createFound({ database, onSearch: () => {} });
  let worst = { ms: 0, query: '', plans: '' };
  for (const query of queries) {
    plans.length = 0;
    const given = new URLSearchParams(query);
    const begun = performance.now();
    const {
      source,
      package: packaged,
      repository,
      sort,
    } = Object.fromEntries(given) as Record<string, string | undefined>;
    await found.page(
      { principal: null, address: '' },
      { query: given.get('q') ?? '', source, package: packaged, repository, sort } as Parameters<typeof found.page>[1],
      { offset: Number(given.get('offset') ?? 0) },
    );
    const ms = performance.now() - begun;
    if (ms > worst.ms) worst = { ms, query, plans: plans.join('\n\n') };
  }
  const file = path.join(tmpdir(), `patchbay-search-plan-${servers}.txt`);
  await writeFile(file, `${worst.query}\n${worst.ms.toFixed(1)} ms with its plans told\n\n${worst.plans}\n`);
  console.log(`  the plan of the slowest (${worst.query}): ${file}`);
  client.release();
  await pool.end();
}
