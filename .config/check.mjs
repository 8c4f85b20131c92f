/**
 * `npm run check`: everything that can be checked without running the product.
 *
 *     npm run check                         all steps
 *     npm run check -- direction openapi    only these
 *     npm run check -- but generated        all others
 *
 * All steps run even if one fails. The last line is `N passed, N failed`, and the exit code agrees with it. It starts
 * under any Node from 18 on; the tools run with the project's own.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// It only ends what hangs: beside the slow suites the tools give way to all else.
const stepSecondsMax = 1_200;
const colours = Boolean(process.stdout.isTTY && !process.env.NO_COLOR);
const environment = {
  ...process.env,
  PATH: path.join(root, 'node_modules', '.bin') + path.delimiter + process.env.PATH,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  // The compiler is written in Go, which by default collects garbage so often that it takes a quarter of its time.
  GOGC: '400',
  ...(colours && { FORCE_COLOR: '1' }),
};

/** What `npm run generate` writes and git keeps. */
const generatedPaths = [
  'schema/schema.graphql',
  'rest-adapter/generated',
  '.env.example',
  'README.md',
  'docs/agents.md',
];

/** In this order; the first runs alone, because it writes what the others read. */
const steps = {
  generated: generatedIsUnchanged,
  biome: () =>
    run('biome', 'ci', '--config-path=.config', '--error-on-warnings', `--colors=${colours ? 'force' : 'off'}`),
  // One checker: several check many types twice, and other steps use the other cores meanwhile.
  types: () => run('tsc', '--noEmit', '--project', 'tsconfig.json', '--checkers', '1'),
  direction,
  unused: () => run('knip', '--config', '.config/knip.json', '--no-config-hints', '--no-progress'),
  migrations: () => run('node', 'prisma/migrate-new.mjs', '--check'),
  regexps: () => run('node', '.config/regexps.mjs'),
  sources: () => run('node', '.config/sources.mjs'),
  words: () => run('node', '.config/words.mjs'),
  openapi,
  audit,
};

/** Runs a tool in the project's root. @returns {Promise<{ passed: boolean, output: string, stdout: string }>} */
function run(command, ...args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout = [];
    const both = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, stepSecondsMax * 1000);
    child.stdout.on('data', (chunk) => {
      stdout.push(chunk);
      both.push(chunk);
    });
    child.stderr.on('data', (chunk) => both.push(chunk));
    const end = (passed, note) => {
      clearTimeout(timer);
      const output = Buffer.concat(both).toString() + note;
      resolve({ passed, output, stdout: Buffer.concat(stdout).toString() });
    };
    child.on('error', (error) => end(false, `${command} cannot be started: ${error.message}\n`));
    child.on('close', (code, signal) => {
      const killed = timedOut ? `stopped after ${stepSecondsMax} s\n` : `stopped by ${signal}\n`;
      end(code === 0, signal ? killed : code === 0 ? '' : `exit code ${code}\n`);
    });
  });
}

/** @returns {Map<string, string>} content by path of all generated files that exist. */
function generatedFiles() {
  const files = new Map();
  const read = (relative) => {
    const absolute = path.join(root, relative);
    if (!existsSync(absolute)) return;
    files.set(relative, readFileSync(absolute, 'utf8'));
  };
  for (const relative of generatedPaths) {
    if (path.extname(relative) !== '' || relative.startsWith('.')) read(relative);
    else if (existsSync(path.join(root, relative))) {
      for (const entry of readdirSync(path.join(root, relative), { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) read(path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
      }
    }
  }
  return files;
}

/**
 * Compares the files before and after `npm run generate`, so that it is correct in a dirty tree too. On a clean
 * clone (CI) an earlier step may have generated already, so there the files must also equal the commit.
 */
async function generatedIsUnchanged() {
  const before = generatedFiles();
  const generation = await run('npm', 'run', '--silent', 'generate');
  if (!generation.passed) return generation;
  const after = generatedFiles();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  );
  if (changed.length > 0) {
    return { passed: false, output: `These files were out of date and are new now; commit them:\n${list(changed)}` };
  }
  if (!process.env.CI) return { passed: true, output: '' };
  const status = await run('git', 'status', '--porcelain', '--', ...generatedPaths);
  const passed = status.passed && status.stdout === '';
  return { passed, output: `The generated files differ from the commit:\n${status.output}` };
}

/** Who may import whom. */
function direction() {
  const config = './.config/dependency-cruiser.cjs';
  const rooms = ['src', 'schema', 'rest-adapter', 'test', 'bench', 'docs', 'prisma', 'codegen.ts'];
  const present = rooms.filter((room) => existsSync(path.join(root, room)));
  return run(
    'node',
    '--require',
    './.config/typescript-6.cjs',
    'node_modules/.bin/depcruise',
    '--config',
    config,
    ...present,
  );
}

/** Prints the OpenAPI document and lints it with Redocly and Spectral, offline. Warnings fail, too. */
async function openapi() {
  const document = await run('node', 'rest-adapter/print.ts');
  if (!document.passed) return document;
  const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-openapi-'));
  try {
    const file = path.join(folder, 'openapi.json');
    writeFileSync(file, document.stdout);
    const results = await Promise.all([
      run('redocly', 'lint', '--config', '.config/redocly.yaml', file),
      run('node', '.config/spectral.mjs', file),
    ]);
    const failed = results.filter(({ passed }) => !passed);
    return { passed: failed.length === 0, output: failed.map(({ output }) => output).join('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fails on a known vulnerability of high or critical severity; an unreachable registry is not a failure. */
async function audit() {
  const answer = await run(
    'npm',
    'audit',
    '--json',
    '--audit-level=high',
    '--fetch-retries=1',
    '--fetch-timeout=30000',
  );
  let report;
  try {
    report = JSON.parse(answer.stdout);
  } catch {
    return { passed: false, output: answer.output };
  }
  if (report.metadata?.vulnerabilities) {
    const { high, critical } = report.metadata.vulnerabilities;
    const severe = Object.values(report.vulnerabilities).filter(({ severity }) => /^(high|critical)$/.test(severity));
    return { passed: high + critical === 0, output: list(severe.map(({ name, severity }) => `${severity}: ${name}`)) };
  }
  if (report.message && !report.error?.code) {
    const missing = [400, 404, 405, 410, 501].includes(report.statusCode);
    return { skipped: `not asked, ${missing ? 'the registry has no audit endpoint' : report.message}` };
  }
  return { passed: false, output: answer.output };
}

const list = (lines) => lines.map((line) => `  ${line}\n`).join('');

/** Runs one step and prints its line, with its output if it failed. */
async function report(name, totals) {
  const start = performance.now();
  const result = await steps[name]().catch((error) => ({ passed: false, output: `${error.stack}\n` }));
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (result.skipped) {
    console.log(`--    ${name}: ${result.skipped}  (${seconds})`);
    return;
  }
  totals[result.passed ? 'passed' : 'failed'] += 1;
  console.log(`${result.passed ? 'ok  ' : 'FAIL'}  ${name}  (${seconds})`);
  if (!result.passed) console.log(`${result.output.trimEnd().replace(/^/gm, '      ')}\n`);
}

const isBut = process.argv[2] === 'but';
const named = process.argv.slice(isBut ? 3 : 2);
const unknown = named.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}; the steps are ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}
const queue = Object.keys(steps).filter((name) => named.length === 0 || named.includes(name) !== isBut);
const totals = { passed: 0, failed: 0 };
if (queue[0] === 'generated') await report(queue.shift(), totals);
const worker = async () => {
  for (let name = queue.shift(); name; name = queue.shift()) await report(name, totals);
};
await Promise.all([worker(), worker()]);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;
