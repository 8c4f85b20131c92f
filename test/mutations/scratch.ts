import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Mutation, mutated } from './mutation.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Neither sources nor what is generated of them. */
const leftOut = new Set(['node_modules', '.git', 'data', 'dashboard', 'bench']);
/** A mutation may make the product wait for ever. */
const runMsMax = 600_000;

export interface Run {
  readonly verdict: 'passed' | 'failed' | 'hung';
  /** The test file that failed first; empty where none says so. */
  readonly failed: string;
  /** Its test, and the first line of the error. */
  readonly evidence: string;
}

/** A copy of the project in which sources can be changed, with the dependencies of the project itself. */
export interface Scratch {
  /** Runs test files until the first failure. */
  test(files: readonly string[]): Promise<Run>;
  /** The same with a mutation, which is undone afterwards. @returns Null for a stale one. */
  testMutated(mutation: Mutation): Promise<Run | null>;
  /** Ends what runs. */
  end(): Promise<void>;
  remove(): Promise<void>;
}

/** @param postgresUrl A server with a migrated template, as test/support/global-setup.ts makes it. */
export async function createScratch(postgresUrl: string): Promise<Scratch> {
  const copy = await mkdtemp(path.join(tmpdir(), 'patchbay-mutations-'));
  const report = path.join(copy, '.report.json');
  await cp(root, copy, {
    recursive: true,
    filter: (source) => path.dirname(source) !== root || !leftOut.has(path.basename(source)),
  });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  let running: ChildProcess | null = null;

  async function test(files: readonly string[]): Promise<Run> {
    await rm(report, { force: true });
    const config = path.join(copy, '.config/vitest.mutations.config.ts');
    const vitest = path.join(copy, 'node_modules/vitest/vitest.mjs');
    const options = ['run', '--config', config, '--bail', '1', '--reporter', 'json', '--outputFile', report];
    const child = spawn(process.execPath, [vitest, ...options, ...files], {
      cwd: copy,
      env: { ...process.env, NODE_COMPILE_CACHE: path.join(copy, '.compiled'), TEST_POSTGRES_URL: postgresUrl },
      stdio: 'ignore',
      detached: true,
    });
    running = child;
    const late = setTimeout(() => void end(child), runMsMax);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(late);
    running = null;
    const { failed, evidence, passed } = readReport(await readFile(report, 'utf8').catch(() => '{}'), copy);
    const missing = files.filter((file) => !passed.includes(file));
    if (code === 0 && missing.length === 0) return { verdict: 'passed', failed, evidence };
    if (failed !== '') return { verdict: 'failed', failed, evidence };
    return { verdict: 'hung', failed, evidence: `did not end: ${missing.join(', ')}` };
  }

  return {
    test,
    async testMutated(mutation) {
      const file = path.join(copy, mutation.file);
      const [original, text] = [await readFile(file, 'utf8'), await mutated(copy, mutation)];
      if (text === null) return null;
      await writeFile(file, text);
      try {
        return await test(mutation.tests);
      } finally {
        await writeFile(file, original);
      }
    },
    end: async () => void (running && (await end(running))),
    async remove() {
      if (running) await end(running);
      await rm(copy, { recursive: true, force: true });
    },
  };
}

/** What does not end by itself is killed with all of its processes. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), 20_000);
  await exit;
  clearTimeout(kill);
}

interface Report {
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

function readReport(json: string, copy: string): Pick<Run, 'failed' | 'evidence'> & { passed: readonly string[] } {
  const { testResults = [] } = JSON.parse(json) as Report;
  const fileOf = ({ name }: { name: string }) => path.relative(copy, name);
  const passed = testResults.filter(({ status }) => status === 'passed').map(fileOf);
  for (const result of testResults) {
    const test = result.assertionResults.find(({ status }) => status === 'failed');
    const failed = fileOf(result);
    if (test) return { passed, failed, evidence: `${test.fullName.trim()}: ${lineOf(test.failureMessages?.[0])}` };
    if (result.message) return { passed, failed, evidence: `${failed}: ${lineOf(result.message)}` };
  }
  return { passed, failed: '', evidence: '' };
}

const lineOf = (text = ''): string => text.split('\n')[0]?.slice(0, 120) ?? '';
