import { parseArgs } from 'node:util';
import type { TestProject } from 'vitest/node';
import { setup, teardown } from '../support/global-setup.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';
import { createScratch, type Run, type Scratch } from './scratch.ts';

/**
 * `npm run test:mutations`: changes one line that guards tenants, secrets, delivery or cost at a time, in a copy of the project,
 * and runs the tests that should notice. A survivor is a missing test.
 *
 *     npm run test:mutations                                   all of them
 *     npm run test:mutations -- --area webhooks                those of one area
 *     npm run test:mutations -- --only webhooks/outcome-claim  one of them, or several
 *     npm run test:mutations -- --jobs 2                       two at a time
 *
 * It fails when one survives; when one is stale, because its text no longer stands exactly once in its file; and when a test
 * that notices one fails without it, too.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    area: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '1' },
  },
});

const say = (text: string) => void process.stdout.write(`${text}\n`);
const chosen = mutations.filter(
  ({ name }) => (values.only?.includes(name) ?? true) && (values.area?.includes(String(name.split('/')[0])) ?? true),
);
if (chosen.length === 0) throw new Error('there is no such mutation');

type Verdict = 'killed' | 'SURVIVED' | 'stale' | 'unclear';
const verdicts: Record<Verdict, Mutation[]> = { killed: [], SURVIVED: [], stale: [], unclear: [] };
const waiting = [...chosen];
/** Whether a test file passes without a mutation; asked of those that have noticed one. */
const isGreen = new Map<string, Promise<boolean>>();
const scratches: Scratch[] = [];
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stop.abort(new Error(`ended by ${signal}`));
    for (const scratch of scratches) void scratch.end();
  });

const postgresUrl = await startPostgres();
try {
  for (let job = 0; job < Number(values.jobs); job++) scratches.push(await createScratch(postgresUrl));
  await Promise.all(scratches.map(work));
  stop.signal.throwIfAborted();
} finally {
  await Promise.all(scratches.map((scratch) => scratch.remove()));
  await teardown();
}
const counts = Object.entries(verdicts).map(([verdict, { length }]) => `${length} ${verdict}`);
say(`\n${chosen.length} mutations: ${counts.join(', ')}`);
for (const { name, file, guards } of verdicts.SURVIVED) say(`  ${name} (${file}): no test notices. ${guards}`);
for (const { name, file } of verdicts.stale) say(`  ${name}: its text must stand exactly once in ${file}`);
for (const { name } of verdicts.unclear) say(`  ${name}: the test that fails, fails without it, too`);
process.exitCode = verdicts.killed.length === chosen.length ? 0 : 1;

/** One server for all runs: starting one takes longer than most of them. */
async function startPostgres(): Promise<string> {
  let url = '';
  const provide = (name: string, value: string) => {
    if (name === 'postgresUrl') url = value;
  };
  await setup({ provide } as unknown as TestProject);
  return url;
}

async function work(scratch: Scratch): Promise<void> {
  for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
    const startedAt = performance.now();
    const run = await scratch.testMutated(mutation);
    const verdict = await verdictOf(run, scratch);
    if (stop.signal.aborted) return;
    verdicts[verdict].push(mutation);
    const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    say(`${verdict.padEnd(8)} ${mutation.name.padEnd(36)} ${seconds.padStart(7)}  ${run?.evidence ?? ''}`);
  }
}

async function verdictOf(run: Run | null, scratch: Scratch): Promise<Verdict> {
  if (run === null) return 'stale';
  if (run.verdict === 'passed') return 'SURVIVED';
  if (run.failed === '') return 'killed';
  const green = isGreen.get(run.failed) ?? passes(run.failed, scratch);
  isGreen.set(run.failed, green);
  return (await green) ? 'killed' : 'unclear';
}

/** A busy machine gets a second try. */
async function passes(file: string, scratch: Scratch): Promise<boolean> {
  for (let tries = 0; tries < 2; tries++) if ((await scratch.test([file])).verdict === 'passed') return true;
  return false;
}
