import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { runClient } from './conformance/client.ts';

const root = path.resolve(import.meta.dirname, '../..');
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance');
const revisions = ['2026-07-28', '2025-11-25'] as const;

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
}

interface Run {
  readonly revision: string;
  readonly exitCode: number;
  readonly output: string;
  /** Of the scenarios about authorization, by name. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
}

/** Runs scenarios in this process, for adapters that name its socket. @returns The socket. */
async function serveClients(): Promise<string> {
  const folder = await createFolder();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    text(socket)
      .then((scenario) => runClient(JSON.parse(scenario)))
      .then(
        () => socket.end(),
        (error: Error) => socket.end(`${error.stack}\n`),
      );
  });
  cleanUp(() => server.close());
  const place = path.join(folder, 'socket');
  server.listen(place);
  await once(server, 'listening');
  return place;
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-conformance-'));
  cleanUp(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs what a revision requires, and the extensions beside it. */
async function run(revision: string, socket: string): Promise<Run> {
  const folder = await createFolder();
  const { exitCode, output } = await new Promise<Pick<Run, 'exitCode' | 'output'>>((resolve) => {
    const child = execFile(
      process.execPath,
      [
        path.join(suite, 'dist/index.js'),
        'client',
        ...['--command', `${process.execPath} test/oauth/conformance/adapter.ts`],
        ...['--requirements', revision],
        ...['--expected-failures', 'test/oauth/conformance/expected-failures.yml'],
        ...['--output-dir', folder],
        // All scenarios run at once, on whatever the machine has left.
        ...['--timeout', '120000'],
      ],
      { cwd: root, env: { ...process.env, ADAPTER_SOCKET: socket }, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout) => resolve({ exitCode: child.exitCode ?? -1, output: stdout }),
    );
  });
  const results = path.join(folder, 'auth');
  const scenarios = new Map<string, readonly Check[]>();
  for (const name of (await readdir(results)).sort()) {
    const checks: Check[] = JSON.parse(await readFile(path.join(results, name, 'checks.json'), 'utf8'));
    scenarios.set(`auth/${name.replace(/-\d{4}-\d\d-\d\dT[\dA-Z-]+$/, '')}`, checks);
  }
  return { revision, exitCode, output, scenarios };
}

const count = (checks: readonly Check[], ...statuses: Check['status'][]) =>
  checks.filter(({ status }) => statuses.includes(status)).length;
const isPassed = (checks: readonly Check[]) =>
  count(checks, 'SUCCESS') > 0 && count(checks, 'FAILURE', 'WARNING') === 0;

/** The scenarios of `auth/` that a revision requires, in its order; the others are of extensions. */
async function required(revision: string): Promise<readonly string[]> {
  const list = await readFile(path.join(suite, `requirements/${revision}.yaml`), 'utf8');
  const scored = list.slice(0, list.indexOf('\nnot_scored:'));
  return [...scored.matchAll(/^ {2}- (auth\/\S+)$/gm)].map(([, name]) => name as string);
}

async function pageOf(runs: readonly Run[]): Promise<string> {
  const sections = await Promise.all(
    runs.map(async ({ revision, scenarios }) => {
      const names = await required(revision);
      const row = (name: string, kind: string) => {
        const checks = scenarios.get(name) ?? [];
        const passed = `${count(checks, 'SUCCESS')} of ${count(checks, 'SUCCESS', 'FAILURE', 'WARNING')}`;
        return `| ${name} | ${kind} | ${passed} | ${isPassed(checks) ? 'passed' : 'failed'} |`;
      };
      const total = names.reduce((sum, name) => sum + count(scenarios.get(name) ?? [], 'SUCCESS'), 0);
      const others = [...scenarios.keys()].filter((name) => !names.includes(name));
      return [
        `## Revision ${revision}`,
        '',
        `${names.filter((name) => isPassed(scenarios.get(name) ?? [])).length} of ${names.length} required scenarios pass, with ${total} checks.`,
        '',
        '| scenario | kind | checks | result |',
        '|---|---|---|---|',
        ...names.map((name) => row(name, 'required')),
        ...others.map((name) => row(name, 'extension')),
      ].join('\n');
    }),
  );
  const { version } = JSON.parse(await readFile(path.join(suite, 'package.json'), 'utf8'));
  return [
    '# OAuth: results of the MCP conformance suite',
    '',
    `The exchanges of \`src/oauth/exchanges\` against \`@modelcontextprotocol/conformance\` ${version}, driven by`,
    '`test/oauth/conformance/adapter.ts`. `npm run test:slow` runs it and compares this page; `vitest -u` updates it. Each check counts',
    'that has succeeded, failed or warned. What the suite asks of an MCP client beside authorization is in',
    '`test/oauth/conformance/expected-failures.yml`.',
    '',
    'The client of the scenarios registers, as the platform does where it has no https address and so no client id metadata document; in',
    '`auth/basic-cimd` it has one. With a document the check `sep-2207-client-metadata-grant-types` of `auth/offline-access-scope` cannot',
    'pass, for any client: the suite reads the document in `stop()`, after `getChecks()` has recorded the check as INFO and the results are',
    'written. That scenario has 11 checks then in place of 14, and the revision 344. `test/oauth/client-metadata.rest.test.ts` holds the',
    'grant types of the document.',
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}

it('passes every scenario of MCP about authorization, in both revisions and in the extensions', async () => {
  const socket = await serveClients();
  const runs: Run[] = [];
  for (const revision of revisions) runs.push(await run(revision, socket));
  for (const { revision, exitCode, output, scenarios } of runs) {
    const names = await required(revision);
    expect(names.length).toBeGreaterThan(0);
    expect([...scenarios.keys()]).toEqual(expect.arrayContaining([...names]));
    const failed = [...scenarios].filter(([, checks]) => !isPassed(checks)).map(([name]) => name);
    expect(failed, `${revision}\n${output}`).toEqual([]);
    expect(exitCode, output).toBe(0);
  }
  await expect(await pageOf(runs)).toMatchFileSnapshot('../../docs/oauth-conformance.md');
});
