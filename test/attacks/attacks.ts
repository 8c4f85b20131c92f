import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createCostMeter, measurable } from '../support/process-cost.ts';
import { newDataDir, type Product, removeDataDir, startProduct } from '../support/product.ts';
import { arrays } from './arrays.ts';
import { audit, audits, countOf, type Finding, summaryOf } from './audit.ts';
import { bulk } from './bulk.ts';
import type { Check } from './check.ts';
import { documents } from './documents.ts';
import { held } from './held.ts';
import { loops } from './pages.ts';
import type { Target } from './target.ts';
import { variables } from './variables.ts';

/**
 * `npm run attack`: the attacks that audits of GraphQL servers make (graphql-cop's, and more), and requests that are made to
 * cost much, each with what came of it.
 *
 *     npm run attack                                            the product in processes of its own
 *     npm run attack -- --only costs                            audits, costs, documents, held or pages alone
 *     npm run attack -- --match "unknown fields"                those whose name has these words
 *     npm run attack -- --url http://host:3000 --key pbk_…       a server that runs; the key reads and writes
 *     npm run attack -- --url … --key … --session TOKEN          also what a browser's cookie could be made to do
 *
 * Of the product of its own it measures the CPU and the memory that each request costs. Of a server that runs elsewhere it can
 * measure the time alone, and it waits where that server's rate limits stop it. It fails when one of high severity succeeds.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    key: { type: 'string' },
    session: { type: 'string' },
    only: { type: 'string', multiple: true },
    match: { type: 'string' },
  },
});

const say = (text: string) => void process.stdout.write(`${text}\n`);
const print = ({ severity, verdict, name, evidence }: Finding) =>
  say(`${(severity ?? verdict).toUpperCase().padEnd(8)} ${name.padEnd(72)} ${evidence}`);
const findings: Finding[] = [];
const isAsked = (part: string) => values.only?.includes(part) ?? true;

function* matching(checks: Iterable<Check>): Generator<Check> {
  for (const check of checks) if (check.name.includes(values.match ?? '')) yield check;
}

const run = async (target: Target, checks: Iterable<Check>) =>
  void findings.push(...(await audit(target, matching(checks), print)));

async function runAll(target: Target): Promise<void> {
  if (isAsked('audits')) await run(target, audits);
  if (isAsked('costs')) {
    await run(target, variables());
    await run(target, await arrays(target));
    await run(target, bulk);
  }
  if (isAsked('documents') && target.meter) await run(target, await documents(target));
  if (isAsked('held')) await run(target, held);
}

if (values.url) {
  if (!values.key) throw new Error('--url needs --key');
  say('A server that runs elsewhere: its CPU and memory cannot be measured, time alone is.');
  say(
    'Its rate limits apply to this run too: after a 429 it waits and sends the request again, which takes minutes in all.',
  );
  const waitForLimit = async (seconds: number) => {
    say(`         … rate limited: waiting ${seconds} s`);
    await delay(seconds * 1_000);
  };
  const base = new URL(values.url).origin;
  const target = {
    base,
    key: values.key,
    session: values.session ?? null,
    countsGuesses: true,
    meter: null,
    waitForLimit,
  };
  await runAll(target);
  if (isAsked('pages')) await run(target, loops);
} else {
  const dataDir = await newDataDir();
  const withProduct = async (settings: Record<string, string>, attack: (product: Product) => Promise<void>) => {
    const product = await startProduct(dataDir, { ...settings, ...measurable });
    try {
      await attack(product);
    } finally {
      await product.terminate();
    }
  };
  const targetOf = async ({ base, child, demoKey }: Product, session: string | null): Promise<Target> => {
    const meter = await createCostMeter(Number(child.pid));
    return { base, key: demoKey(), session, countsGuesses: true, meter, waitForLimit: null };
  };
  try {
    if (['audits', 'costs', 'documents', 'held'].some(isAsked))
      await withProduct({ RATE_LIMITS: '{"authentication":"5/15m","*":"off"}' }, async (product) =>
        runAll(await targetOf(product, await signedUp(product.base))),
      );
    if (isAsked('pages'))
      await withProduct({ RATE_LIMITS: '', TRUST_PROXY: '1' }, async (product) =>
        run(await targetOf(product, null), loops),
      );
  } finally {
    await removeDataDir(dataDir);
  }
}
say(`\n${findings.length} attacks: ${summaryOf(findings)}`);
process.exitCode = countOf(findings, 'high') > 0 ? 1 : 0;

/** The browser of a new user. */
async function signedUp(base: string): Promise<string> {
  const response = await fetch(`${base}/api/auth/sign-up`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'attacked', email: 'attacked@example.com', password: 'correct horse battery' }),
  });
  const token = /session_token=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
  if (!token) throw new Error(`no session: ${response.status} ${await response.text()}`);
  return token;
}
