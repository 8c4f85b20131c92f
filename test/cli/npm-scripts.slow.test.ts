import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { verifies } from '../requirements.ts';
import { eventually, patienceMs, within } from '../support/deadline.ts';
import { prepareProduct } from '../support/prepared-product.ts';
import { bareEnvironment, databaseUrlOf, familyOf, postmasterOf } from '../support/product.ts';

const root = path.resolve(import.meta.dirname, '../..');
const stage = prepareProduct();
const running: ChildProcess[] = [];

afterEach(() => {
  for (const { pid } of running.splice(0))
    for (const one of familyOf(Number(pid))) {
      try {
        process.kill(one, 'SIGKILL');
      } catch {}
    }
});

/** Runs a script by npm, as a person or a service manager does. */
function npmRun(script: string, dataDir: string, environment: Record<string, string> = {}) {
  const child = spawn('npm', ['run', script], {
    cwd: root,
    env: { ...bareEnvironment, DATA_DIR: dataDir, PORT: '0', SAMPLE_DATA: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const says = (text: string, times = 1) =>
    eventually(`npm run ${script} says ${text}`, () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`);
      return output.split(text).length > times;
    });
  return { child, says, output: () => output };
}

/** Sends SIGTERM to npm alone. @returns Which of the processes that it had started still run once npm has ended. */
async function survivorsOf({ child }: { child: ChildProcess }): Promise<number[]> {
  const family = familyOf(Number(child.pid));
  expect(family.length).toBeGreaterThan(1);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await within('the end of npm', patienceMs, exit);
  return family.filter((pid) => familyOf(pid).length > 0);
}

describe('SIGTERM to npm', () => {
  it('ends every process of npm start, and PostgreSQL', verifies('platform.sigterm'), async () => {
    const dataDir = await stage.dataDirOf();
    const npm = npmRun('start', dataDir);
    await npm.says('"msg":"ready"');
    expect(postmasterOf(dataDir)).not.toBeNull();
    expect(await survivorsOf(npm)).toEqual([]);
    expect(postmasterOf(dataDir)).toBeNull();
  });

  it('ends every process of npm run worker', verifies('platform.sigterm'), async () => {
    const dataDir = await stage.dataDirOf();
    await stage.start(dataDir);
    const npm = npmRun('worker', dataDir, { DATABASE_URL: databaseUrlOf(dataDir) });
    await npm.says('"msg":"worker ready"');
    expect(await survivorsOf(npm)).toEqual([]);
  });

  it(
    'ends npm run seed and the PostgreSQL that it started, and the next one goes on',
    verifies('platform.sample-data'),
    async () => {
      const dataDir = await stage.dataDirOf();
      const npm = npmRun('seed', dataDir);
      await eventually('PostgreSQL runs', () => postmasterOf(dataDir));
      await eventually('node runs', () => familyOf(Number(npm.child.pid)).length > 1);
      expect(await survivorsOf(npm)).toEqual([]);
      expect(postmasterOf(dataDir)).toBeNull();
      const again = npmRun('seed', dataDir);
      await within('the sample data', patienceMs, once(again.child, 'exit'));
      expect(again.output()).toContain('has sample data of the last 30 days');
    },
  );
});

describe('npm run dev', () => {
  it('restarts the product when a source changes, keeps its PostgreSQL meanwhile, and ends both at SIGTERM', async () => {
    const dataDir = await stage.dataDirOf();
    const npm = npmRun('dev', dataDir);
    await npm.says('"msg":"ready"');
    const postmaster = postmasterOf(dataDir);
    expect(postmaster).not.toBeNull();
    await utimes(path.join(root, 'src/cli/start.ts'), new Date(0), systemClock.now());
    await npm.says('"msg":"ready"', 2);
    expect(postmasterOf(dataDir)).toBe(postmaster);
    expect(await survivorsOf(npm)).toEqual([]);
    expect(postmasterOf(dataDir)).toBeNull();
  });
});
