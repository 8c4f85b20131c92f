import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'pg';
import { migrate } from '../src/platform/database/migrate.ts';
import { installQueues } from '../src/platform/messaging/queue.ts';
import { areas, sharesServers } from './growth/areas.ts';
import { fieldsOf, listFields } from './growth/coverage.ts';
import { mcpServers } from './growth/mcp-servers.ts';
import {
  bufferOf,
  type Filling,
  type GrowthArea,
  type GrowthOperation,
  makeCrowd,
  newOwner,
  type Owner,
} from './growth/stage.ts';
import { type Bench, type Measured, measure, medianOf, printTable, ratioOf, shown } from './measure.ts';
import type { ServerProcess } from './server-process.ts';

const few = 1_000;
/** How many times slower an operation may be without a reason on the page of its area. */
const timesMax = 1.5;
/** An operation over the limit is measured again, and the least counts: what else the machine does makes it slower, and never faster. */
const attempts = 3;

/** A database with the product over it. */
interface Stage {
  readonly pool: Pool;
  readonly product: ServerProcess;
  readonly fillings: readonly Filling[];
}

/** Where an operation is measured: an owner in one of the two databases. */
interface Side {
  readonly stage: Stage;
  readonly owner: Owner;
  readonly operations: readonly GrowthOperation[];
}

interface Growth {
  readonly name: string;
  readonly alone: readonly Measured[];
  readonly beside: readonly Measured[];
  readonly many: readonly Measured[];
  /** How many times slower, beside the rows of others and with many rows of its own. */
  readonly times: readonly [beside: number, many: number];
}

/**
 * Operations of each area for an owner of 1 000 rows, for the same beside a million rows of others, and for an owner of a million.
 * Where an area allows an owner fewer, it has as many as allowed, and others have the million.
 *
 * @returns false where an operation is more than 1.5 times slower and the section `Growth` of its area's page has no reason.
 */
export async function printGrowth(bench: Bench, only: readonly string[] | undefined): Promise<boolean> {
  const many = bench.isQuick ? 100_000 : 1_000_000;
  const unknown = only?.filter((name) => !areas.some((area) => area.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`no area is called ${unknown.join(', ')}`);
  const measured = areas.filter(({ name }) => only?.includes(name) ?? true);
  const filled = areas.filter(
    (area) => measured.includes(area) || (area === mcpServers && measured.some((each) => sharesServers.has(each))),
  );
  const stages: Stage[] = [];
  try {
    stages.push(await newStage(bench, 'growth_small', [few], 10, filled));
    stages.push(await newStage(bench, 'growth_large', [few, many], 10_000, filled));
    return await printAreas(bench, measured, stages as [Stage, Stage], only === undefined);
  } finally {
    for (const { pool, product } of stages) {
      await product.stop();
      await pool.end();
    }
  }
}

async function printAreas(
  bench: Bench,
  measured: readonly GrowthArea[],
  [small, large]: readonly [Stage, Stage],
  isWhole: boolean,
): Promise<boolean> {
  const uncovered = new Set(isWhole ? listFields() : []);
  let isGood = true;
  for (const area of measured) {
    const side = async (stage: Stage, place: number): Promise<Side> => {
      const filling = stage.fillings[place] as Filling;
      return { stage, owner: filling.owner, operations: await area.operations(stage.pool, filling) };
    };
    const sides = { alone: await side(small, 0), beside: await side(large, 0), many: await side(large, 1) };
    for (const { calls } of sides.many.operations)
      for (const call of calls.slice(0, 2)) for (const field of fieldsOf(call)) uncovered.delete(field);
    const reasons = await reasonsOf(area.page);
    const rows: Growth[] = [];
    const failures: unknown[] = [];
    for (const place of sides.alone.operations.keys())
      await growthOf(bench, area, sides, place, reasons).then(
        (row) => rows.push(row),
        (error: unknown) => failures.push(error),
      );
    isGood = printArea(area, sides.many, rows, reasons) && failures.length === 0 && isGood;
    for (const failure of failures) console.error(failure);
  }
  if (uncovered.size > 0) console.log(`\nList operations that no row measures: ${[...uncovered].join(', ')}`);
  return isGood && uncovered.size === 0;
}

async function newStage(
  bench: Bench,
  name: string,
  sizes: readonly number[],
  crowd: number,
  filled: readonly GrowthArea[],
): Promise<Stage> {
  await bench.pool.query(`CREATE DATABASE ${name}`);
  const url = new URL(bench.url);
  url.pathname = `/${name}`;
  await migrate({ url: url.href, directory: path.resolve(import.meta.dirname, '../prisma/migrations') });
  await installQueues(url.href);
  const pool = new Pool({ connectionString: url.href, max: 2 });
  // Idle connections that end with the database: the error that has ended the bench is the one to show.
  pool.on('error', () => {});
  await pool.query('CREATE EXTENSION pg_stat_statements');
  await makeCrowd(pool, crowd);
  const fillings: Filling[] = [];
  for (const [place, own] of sizes.entries())
    fillings.push({
      owner: await newOwner(pool, place === 0 ? 'few' : 'many'),
      own,
      others: place === 0 ? 0 : own,
    });
  const seconds: string[] = [];
  for (const area of filled) {
    const begun = performance.now();
    for (const filling of fillings) await area.fill(pool, filling);
    seconds.push(`${area.name} ${shown((performance.now() - begun) / 1_000)}`);
  }
  const begun = performance.now();
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
  seconds.push(`vacuum ${shown((performance.now() - begun) / 1_000)}`);
  console.log(`\n${name} was filled in seconds: ${seconds.join(', ')}`);
  // Jobs run elsewhere: their statements would be counted with those of requests.
  const product = await bench.startProduct({ DATABASE_URL: url.href, WORKERS: 'separate' });
  return { pool, product, fillings };
}

/** Measures an operation in turn at the three sides, so that what else the machine does hits all of them. */
async function growthOf(
  { isQuick }: Bench,
  area: GrowthArea,
  sides: Readonly<Record<'alone' | 'beside' | 'many', Side>>,
  place: number,
  reasons: ReadonlyMap<string, string>,
): Promise<Growth> {
  const name = sides.alone.operations[place]?.name as string;
  const slot = async ({ stage, owner, operations }: Side, milliseconds: number) => {
    const { name: named, calls } = operations[place] as GrowthOperation;
    if (named !== name) throw new Error(`${area.name}: ${named} stands in the place of ${name}`);
    const buffers = calls.map((call) => bufferOf(call, owner));
    const next = (turn: number) => buffers[turn % buffers.length] as Buffer;
    return measure(stage, [stage.product], [{ port: stage.product.port, next }], milliseconds).catch(
      (error: unknown) => {
        throw new Error(`${area.name}, ${name}`, { cause: error });
      },
    );
  };
  const rounds = isQuick ? 2 : 3;
  const slotMs = isQuick ? 250 : 700;
  let best: Growth | null = null;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const results = { alone: [] as Measured[], beside: [] as Measured[], many: [] as Measured[] };
    for (let round = -1; round < rounds; round++)
      for (const side of ['alone', 'beside', 'many'] as const) {
        const measured = await slot(sides[side], round < 0 ? slotMs / 2 : slotMs);
        if (round >= 0) results[side].push(measured);
      }
    const times = [
      ratioOf(results.beside, results.alone, 'p50Ms'),
      ratioOf(results.many, results.alone, 'p50Ms'),
    ] as const;
    if (best === null || Math.max(...times) < Math.max(...best.times)) best = { name, ...results, times };
    if (Math.max(...best.times) <= timesMax || reasons.has(name)) break;
  }
  return best as Growth;
}

/** The operations that the section `Growth` of a page names, each with its reason: the first and last column of its table. */
async function reasonsOf(page: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.resolve(import.meta.dirname, `../docs/areas/${page}.md`), 'utf8').catch(() => '');
  const [, section = ''] = text.split(/^## Growth$/m);
  const rows = (section.split(/^## /m)[0] as string).matchAll(/^\| ([^|]+) \|(?:[^|\n]*\|)* ([^|\n]+) \|$/gm);
  return new Map([...rows].map(([, name = '', reason = '']) => [name, reason]));
}

function printArea(
  { name, page }: GrowthArea,
  { stage }: Side,
  rows: readonly Growth[],
  reasons: ReadonlyMap<string, string>,
): boolean {
  console.log(
    `\nGrowth of ${name}: ${few} rows of its own, the same beside the rows of others, and ${stage.fillings[1]?.own} of its own; ms`,
  );
  const of = (measured: readonly Measured[]) => [
    shown(medianOf(measured, 'p50Ms')),
    shown(medianOf(measured, 'p99Ms')),
    shown(medianOf(measured, 'statements')),
    shown(medianOf(measured, 'buffers')),
  ];
  const figures = ['p99', 'SQL', 'pages'];
  const marks = rows.map((row) => {
    if (Math.max(...row.times) <= timesMax) return '';
    return reasons.has(row.name) ? 'explained' : 'SLOWER';
  });
  printTable([
    ['operation', 'few: p50', ...figures, 'beside: p50', ...figures, 'many: p50', ...figures, 'times', 'times', ''],
    ...rows.map((row, place) => [
      row.name,
      ...of(row.alone),
      ...of(row.beside),
      ...of(row.many),
      ...row.times.map(shown),
      marks[place] as string,
    ]),
  ]);
  for (const reason of reasons.keys())
    if (!rows.some((row) => row.name === reason))
      console.log(`  docs/areas/${page}.md names an unknown operation: ${reason}`);
  if (marks.includes('SLOWER'))
    console.log(`  SLOWER: over ${timesMax} times, and docs/areas/${page}.md has no reason`);
  return !marks.includes('SLOWER');
}
