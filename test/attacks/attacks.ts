import { parseArgs } from 'node:util';
import { newDataDir, removeDataDir, startProduct } from '../support/product.ts';
import { audit, countOf, type Finding, summaryOf } from './audit.ts';
import type { Target } from './target.ts';

/**
 * `npm run attack`: the attacks that audits of GraphQL servers make (graphql-cop's, and more), each with what came of it.
 *
 *     npm run attack                                            the product in a process of its own
 *     npm run attack -- --url http://host:3000 --key pbk_…       a server that runs; the key reads and writes
 *     npm run attack -- --url … --key … --session TOKEN          also what a browser's cookie could be made to do
 *
 * It fails when one of high severity succeeds.
 */
const { values } = parseArgs({
  options: { url: { type: 'string' }, key: { type: 'string' }, session: { type: 'string' } },
});

const say = (text: string) => void process.stdout.write(`${text}\n`);
const print = ({ severity, verdict, name, evidence }: Finding) =>
  say(`${(severity ?? verdict).toUpperCase().padEnd(8)} ${name.padEnd(58)} ${evidence}`);

async function run(target: Target): Promise<void> {
  const findings = await audit(target, print);
  say(`\n${findings.length} attacks: ${summaryOf(findings)}`);
  process.exitCode = countOf(findings, 'high') > 0 ? 1 : 0;
}

if (values.url) {
  if (!values.key) throw new Error('--url needs --key');
  await run({
    base: new URL(values.url).origin,
    key: values.key,
    session: values.session ?? null,
    countsGuesses: true,
  });
} else {
  const dataDir = await newDataDir();
  try {
    const product = await startProduct(dataDir, { RATE_LIMITS: '{"authentication":"5/15m","*":"off"}' });
    try {
      await run({
        base: product.base,
        key: product.demoKey(),
        session: await signedUp(product.base),
        countsGuesses: true,
      });
    } finally {
      await product.terminate();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

/** A browser of somebody new. */
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
