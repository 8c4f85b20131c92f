import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import { verifies } from '../requirements.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { encryptionKeys } from '../support/services.ts';

const server = await startTestServer();
const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = path.resolve(import.meta.dirname, '../../src/cli/registry-import.ts');
const environment = { ...process.env, NODE_ENV: 'test', DATABASE_URL: server.url, ENCRYPTION_KEYS: encryptionKeys };

const run = (...args: string[]) => runWith({}, ...args);

async function runWith(over: Record<string, string>, ...args: string[]) {
  const env = { ...environment, ...over };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (text) => out.push(String(text)));
  child.stderr.on('data', (text) => err.push(String(text)));
  const [code] = await once(child, 'close');
  return { code, out: out.join(''), err: err.join('') };
}

function fileOf(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const documentOf = (name: string) => ({ name, description: 'A server.', version: '1.0.0' });

describe('npm run registry:import', () => {
  it(
    'takes up a file beside the running product, and says with its exit code whether all was',
    verifies('registry.import'),
    async () => {
      const good = fileOf(
        'good.json',
        JSON.stringify([documentOf('io.github.program/a'), documentOf('io.github.program/b')]),
      );
      const first = await run(good);
      expect(first).toMatchObject({ code: 0, out: '2 imported, 0 unchanged, 0 refused\n' });
      const { host, pathname, password } = new URL(server.url);
      expect(first.err).toContain(`Importing into the database "${pathname.slice(1)}" on ${host} (DATABASE_URL)\n`);
      if (password) expect(first.err).not.toContain(password);
      expect((await (await tenantOf(server)).call('GET', '/api/registry/health')).body.total_servers).toBe(2);
      const mixed = fileOf('mixed.jsonl', `${JSON.stringify(documentOf('io.github.program/a'))}\n{"name":7}\n`);
      const answer = await run(mixed);
      expect(answer).toMatchObject({ code: 2, out: '0 imported, 1 unchanged, 1 refused\n' });
      expect(answer.err).toMatch(/^line 2: name: /m);
    },
  );

  it(
    'that was killed in the middle goes on where it is run again, and nothing is there twice',
    verifies('registry.import'),
    async () => {
      const count = 6_000;
      const text = Array.from({ length: count }, (_, at) => JSON.stringify(documentOf(`io.github.killed/s${at}`))).join(
        '\n',
      );
      const file = fileOf('killed.jsonl', text);
      const child = spawn(process.execPath, [program, file], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
      // The first batch is committed when the first line of progress comes.
      for await (const text of child.stderr) if (String(text).includes('imported')) break;
      child.kill('SIGKILL');
      await once(child, 'close');
      const kept = async () =>
        (
          await server.database.query<{ versions: number; servers: number }>({
            text: `SELECT count(*)::int AS versions, count(DISTINCT r.server_uuid)::int AS servers FROM registry_servers r
            JOIN registry_versions v ON v.registry_uuid = r.uuid AND v.is_latest WHERE r.name LIKE 'io.github.killed/%'`,
          })
        )[0];
      const before = await kept();
      expect(before?.versions).toBeGreaterThan(0);
      expect(before).toEqual({ versions: before?.versions, servers: before?.versions });
      const [, imported, unchanged] =
        /^(\d+) imported, (\d+) unchanged, 0 refused\n$/.exec((await run(file)).out) ?? [];
      expect(Number(imported) + Number(unchanged)).toBe(count);
      // The batch that was under way may have been committed after we looked.
      expect(Number(unchanged)).toBeGreaterThanOrEqual(before?.versions ?? count);
      expect(await kept()).toEqual({ versions: count, servers: count });
    },
  );

  it('does not migrate a database of others, and says so', async () => {
    const file = fileOf('any.json', JSON.stringify(documentOf('io.github.program/c')));
    expect(await runWith({ DATABASE_URL: inject('postgresUrl') }, file)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^Importing into .+\nThe database is not migrated: run npm start first\.\n$/),
    });
  });

  it('says in a sentence what failed', async () => {
    expect(await run()).toMatchObject({ code: 1, err: 'Usage: npm run registry:import -- <file>\n' });
    const missing = path.join(folder, 'nothing.json');
    expect(await run(missing)).toMatchObject({ code: 1, err: `${missing} cannot be read (ENOENT)\n` });
    expect((await run(folder)).code).toBe(1);
  });
});

describe('the progress', () => {
  const written = (isTTY: boolean) => {
    const texts: string[] = [];
    let now = 0;
    const out = { isTTY, columns: 60, write: (text: string) => texts.push(text) > 0 };
    const progress = createProgress(out as never, 200, () => now);
    return { progress, texts, advance: (ms: number) => (now += ms) };
  };

  it('is a bar on a terminal, redrawn in its place', () => {
    const { progress, texts, advance } = written(true);
    progress.show(50, '1 imported');
    progress.show(60, '2 imported');
    advance(100);
    progress.show(200, '3 imported');
    progress.say('line 3: wrong');
    progress.end();
    expect(texts[0]).toBe(`\r\u001b[K[${'█'.repeat(8)}${'░'.repeat(22)}] 25 %  1 imported`);
    expect(texts[1]).toMatch(/100 % {2}3 imported$/);
    expect(texts.slice(2)).toEqual(['\r\u001b[Kline 3: wrong\n', texts[1], '\r\u001b[K']);
  });

  it('is plain lines elsewhere, one in ten seconds', () => {
    const { progress, texts, advance } = written(false);
    progress.show(50, '1 imported');
    advance(9_999);
    progress.show(60, '2 imported');
    advance(1);
    progress.show(100, '3 imported');
    progress.say('line 3: wrong');
    progress.end();
    expect(texts).toEqual(['25 %  1 imported\n', '50 %  3 imported\n', 'line 3: wrong\n']);
  });
});
