import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { freePort } from '../services/free-port.ts';
import { eventually, patienceMs, within } from '../support/deadline.ts';
import { bareEnvironment, newDataDir, type Product, removeDataDir, startProduct } from '../support/product.ts';

const root = path.resolve(import.meta.dirname, '../..');
const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** The `sh` blocks of the README, in order. */
const blocks = [...(await readFile(path.join(root, 'README.md'), 'utf8')).matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, block]) => block as string,
);

/** Installs, tests or starts what this test has started already. */
const isForNpm = (block: string) => /^npm (ci|test|start)\b/m.test(block);
/** Runs until Ctrl-C, in a terminal of its own. */
const isEndless = (block: string) => /curl -N|webhooks:listen/.test(block);

/** A shell that ends at the first command that fails, and in which curl fails for a status from 400 and notes its answer. */
function openShell(folder: string, environment: Record<string, string>, script?: string) {
  const preamble = `curl() { command curl -sS --fail-with-body -D ${folder}/headers "$@" | tee -a ${folder}/answers; }`;
  const options = ['-e', '-o', 'pipefail', ...(script ? ['-c', `${preamble}\n${script}`] : [])];
  const child = spawn('bash', options, {
    cwd: root,
    env: { ...bareEnvironment, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that all of it can be ended.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  undo.push(() => end(child));
  if (!script) child.stdin.write(`${preamble}\n`);
  return { child, output: () => output };
}

/** As Ctrl-C in a terminal, and then by force. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(-Number(child.pid), 'SIGINT');
  await within('the end of a shell', 10_000, exit).catch(() => process.kill(-Number(child.pid), 'SIGKILL'));
}

/** What an answer lacks to be worth an example; nothing, as a rule. */
function emptiness(answer: Record<string, unknown>): string[] {
  const isEmpty = ([name, value]: [string, unknown]) =>
    (['error', 'errors'].includes(name) && value !== null) ||
    (name === 'success' && value !== true) ||
    (name === 'status' && value === 'failed') ||
    (name === 'total' && value === 0) ||
    // A chat session has no tools by default.
    (Array.isArray(value) && value.length === 0 && !['tools', 'toolCalls'].includes(name));
  return Object.entries(answer)
    .filter(isEmpty)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

it("the README's commands succeed as they stand, and each finds something", verifies('platform.readme'), async () => {
  const dataDir = await newDataDir();
  undo.push(() => removeDataDir(dataDir));
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-readme-'));
  undo.push(() => rm(folder, { recursive: true }));
  const [port, hookPort] = [await freePort(), await freePort()];
  const asHere = (block: string) =>
    block.replaceAll('3000', String(port)).replaceAll('4000', String(hookPort)).replaceAll('data/', `${dataDir}/`);
  const environment = { DATA_DIR: dataDir };
  const start = (more: Record<string, string> = {}) =>
    startProduct(dataDir, { PORT: String(port), SAMPLE_DATA: 'on', RATE_LIMITS: '{}', ...more });
  let product: Product = await start();
  undo.push(() => product.kill());
  await eventually('the sample data', () => product.lines.some((line) => line.includes('has sample data')));
  const shell = openShell(folder, environment);
  const handlersOf = async (place: string) =>
    existsSync(`${place}/answers`) ? (await readFile(`${place}/answers`, 'utf8')).split('\n').slice(0, -1) : [];

  let watching: { shell: ReturnType<typeof openShell>; event: RegExp } | null = null;
  let blocksRun = 0;
  for (const block of blocks) {
    expect(block).not.toMatch(/<[\w-]+>|…/);
    const restart = /^(\w+)=(\S+) npm start$/m.exec(asHere(block));
    if (restart) {
      expect(await product.terminate()).toBe(0);
      product = await start({ [String(restart[1])]: String(restart[2]) });
    } else if (isEndless(block)) {
      const place = await mkdtemp(path.join(folder, 'terminal-'));
      const other = openShell(place, environment, asHere(block));
      const event = block.includes('curl -N') ? /^data: \{"data":/m : /notification\.created.* verified/;
      watching = { shell: other, event };
      await eventually('it listens', async () => {
        if (other.child.exitCode !== null) throw new Error(`it ended: ${other.output()}`);
        const headers = existsSync(`${place}/headers`) ? await readFile(`${place}/headers`, 'utf8') : '';
        return /^HTTP\/1.1 200/.test(headers) || /listening/i.test(other.output());
      });
    } else if (!isForNpm(block)) {
      blocksRun += 1;
      const before = (await handlersOf(folder)).length;
      // What is read from the standard input would be taken from the commands that follow.
      shell.child.stdin?.write(`{\n${asHere(block)}} </dev/null\necho "block ${blocksRun} is done"\n`);
      await eventually(`the end of\n${block}`, () => {
        if (shell.child.exitCode !== null) throw new Error(`it ended with ${shell.child.exitCode}: ${shell.output()}`);
        return shell.output().includes(`block ${blocksRun} is done`);
      });
      const answers = (await handlersOf(folder)).slice(before);
      expect(answers, shell.output()).toHaveLength(block.split(/\bcurl /).length - 1);
      for (const answer of answers) expect(emptiness(JSON.parse(answer)), answer).toEqual([]);
      if (watching) {
        const { event, shell: other } = watching;
        await eventually(`an event in ${other.output()}`, () => event.test(other.output()), { withinMs: patienceMs });
        expect(other.output()).not.toMatch(/"errors"|NOT VERIFIED/);
        await end(other.child);
        watching = null;
      }
    }
  }
  expect(blocksRun).toBeGreaterThanOrEqual(7);
  expect(await product.terminate()).toBe(0);
});
