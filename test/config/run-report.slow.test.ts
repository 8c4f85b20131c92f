import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A folder below node_modules, from where vitest is found. */
function madeFolder(files: Record<string, string>): string {
  const cache = path.join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'run-report-'));
  cleanUp(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** What `.ci/summary.mjs` prints of a folder, and its exit code. */
function summary(folder: string, ...parts: string[]): { lines: string[]; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['.ci/summary.mjs', folder, ...parts], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { lines: stdout.trimEnd().split('\n'), status };
}

/** Runs the test files of a folder with the report of this repository. @returns the exit code. */
function runTests(folder: string): number | null {
  const reporter = path.join(root, '.config/run-report.ts');
  writeFileSync(
    path.join(folder, 'vitest.config.ts'),
    `import { RunReport } from '${reporter}';
    export default { root: '${folder}', test: {
      include: ['*.check.mjs'],
      maxWorkers: 1,
      experimental: { viteModuleRunner: false, nodeLoader: false },
      reporters: [new RunReport('${folder}/tests.json')],
    } };`,
  );
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  return spawnSync(process.execPath, [vitest, 'run', '--config', path.join(folder, 'vitest.config.ts')], {
    cwd: folder,
    stdio: 'ignore',
  }).status;
}

it('the end of .ci/run names each failed test, file, hook and error outside of tests, with the beginning of its message', () => {
  const imports = "import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n";
  const folder = madeFolder({
    'adds.check.mjs': `${imports}it('passes', () => {}); describe('sums', () => it('adds', () => expect(1).toBe(2)));`,
    'loads.check.mjs': "import './missing.mjs';",
    'hooks.check.mjs': `${imports}describe('group', () => { beforeAll(() => { throw new Error('no stage'); }); it('plays', () => {}); });`,
    'closes.check.mjs': `${imports}afterAll(() => { throw new Error('left open'); }); it('passes', () => {});`,
    'ends.check.mjs': `${imports}it('ends', () => process.kill(process.pid, 'SIGKILL'));`,
    'forgets.check.mjs': `${imports}it('passes', () => void Promise.reject(new Error('forgotten')));`,
  });
  const status = runTests(folder);
  expect(status).toBe(1);

  const { lines, status: end } = summary(folder, `tests=${status}`);
  expect(end).toBe(1);
  const named = lines.filter((line) => line.startsWith('FAILED')).map((line) => line.slice('FAILED  '.length));
  expect(named.toSorted()).toEqual([
    'adds.check.mjs > sums > adds',
    'closes.check.mjs',
    'ends.check.mjs',
    'hooks.check.mjs > group',
    'loads.check.mjs',
    'outside of any test',
    'outside of any test',
  ]);
  const text = lines.join('\n');
  expect(text).toContain(
    'adds.check.mjs > sums > adds\n        AssertionError: expected 1 to be 2 // Object.is equality\n        - Expected\n        + Received',
  );
  expect(text).toContain('hooks.check.mjs > group\n        Error: no stage');
  expect(text).toContain('closes.check.mjs\n        Error: left open');
  expect(text).toContain('missing.mjs');
  expect(text).toContain('Error: forgotten');
  expect(lines.at(-1)).toBe('3 passed, 7 failed');
});

it('the end of .ci/run names failed checks, and parts that ended without a report', () => {
  const folder = madeFolder({
    'tests.json': JSON.stringify({ passed: 5, failures: [] }),
    'check.txt':
      'ok    types  (1.0 s)\nFAIL  biome  (2.0 s)\n      src/a.ts:1 is wrong\n\n      Found 1 error.\n\nFAIL  audit  (0.1 s)\n\n2 passed, 2 failed\n',
    'install.txt': 'services: apt-get could not install chromium\n',
    'generated.txt': 'ok    generated  (9.0 s)\n1 passed, 0 failed\n',
  });
  const { lines, status } = summary(folder, 'install=1', 'tests=0', 'slow=137', 'generated=0', 'check=1', 'services=0');
  expect(lines).toEqual([
    'FAILED  install',
    '        ended with exit code 1',
    '        services: apt-get could not install chromium',
    'FAILED  slow',
    '        ended with exit code 137, without a report',
    'FAILED  check > biome',
    '        src/a.ts:1 is wrong',
    '        ',
    '        Found 1 error.',
    'FAILED  check > audit',
    'FAILED  services',
    '        ended with exit code 0, without a report',
    '8 passed, 5 failed',
  ]);
  expect(status).toBe(1);
});

it('the end of .ci/run shows at most 20 failures, and 10 lines of each', () => {
  const message = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
  const failures = Array.from({ length: 50 }, (_, test) => ({ name: `a.test.ts > ${test}`, message }));
  const folder = madeFolder({ 'tests.json': JSON.stringify({ passed: 0, failures }) });
  const { lines } = summary(folder, 'tests=1');
  expect(lines).toHaveLength(20 * 11 + 2);
  expect(lines.slice(-3)).toEqual(['        line 9', 'FAILED  30 more, named above', '0 passed, 50 failed']);
});

it('the end of .ci/run succeeds where all passed, and fails where nothing ran', () => {
  const folder = madeFolder({ 'tests.json': JSON.stringify({ passed: 5, failures: [] }) });
  expect(summary(folder, 'tests=0')).toEqual({ lines: ['5 passed, 0 failed'], status: 0 });
  writeFileSync(path.join(folder, 'tests.json'), JSON.stringify({ passed: 0, failures: [] }));
  expect(summary(folder, 'tests=0')).toEqual({ lines: ['0 passed, 0 failed'], status: 1 });
});
