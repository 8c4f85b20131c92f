import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { prepareProduct } from '../support/prepared-product.ts';
import { bareEnvironment } from '../support/product.ts';
import { callerOf } from '../support/server.ts';
import { nowhere } from '../support/server-stage.ts';

const stage = prepareProduct();
const root = path.resolve(import.meta.dirname, '../..');

/** `npm run seed` without npm. @returns What it said, and its exit code. */
async function seed(dataDir: string, args: string[] = [], environment: Record<string, string> = {}) {
  const env = { ...bareEnvironment, DATA_DIR: dataDir, ...environment };
  const node = path.join(root, 'node_modules/.bin/node');
  return promisify(execFile)(node, ['src/cli/seed.ts', ...args], { cwd: root, env }).then(
    ({ stdout }) => ({ code: 0, said: stdout.trim() }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr.trim() }),
  );
}

describe('npm run seed', () => {
  it('fills the demo account beside the running product, once', verifies('platform.sample-data'), async () => {
    const dataDir = await stage.dataDirOf();
    const product = await stage.start(dataDir);
    const call = callerOf(product, stage.key);
    expect((await call('GET', '/api/mcp-servers')).body).toEqual([]);
    expect(await seed(dataDir)).toEqual({
      code: 0,
      said: expect.stringContaining('has sample data of the last 30 days'),
    });
    const { body } = await call('GET', '/api/mcp-servers');
    expect(body.length).toBeGreaterThanOrEqual(24);
    expect((await call('GET', `/api/collections/${body[0].profile_uuid}`)).body.total).toBe(3);
    expect(await seed(dataDir)).toEqual({ code: 0, said: expect.stringContaining('nothing was added') });
    expect(await seed(dataDir, ['--profile', nowhere])).toEqual({ code: 1, said: 'Profile not found' });
    expect(product.stderr()).toBe('');
    // On a busy machine the database may be too late for a job, which then tries again.
    const warnings = product.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
    expect(warnings.filter(({ error }) => error?.code !== 'UNAVAILABLE')).toEqual([]);
  });

  it(
    'starts the database where nothing runs, and leaves it as it was found',
    verifies('platform.sample-data'),
    async () => {
      const dataDir = await stage.dataDirOf();
      expect((await seed(dataDir)).said).toContain('has sample data');
      const product = await stage.start(dataDir);
      expect((await callerOf(product, stage.key)('GET', '/api/webhooks')).body.total).toBe(1);
    },
  );

  it.each([
    ['what it does not know', ['--bogus'], {}, 'Unknown option'],
    ['a wrong environment', [], { SAMPLE_DATA: 'perhaps' }, 'SAMPLE_DATA: expected on or off'],
    ['a database that is not there', [], { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' }, 'cannot be used'],
    ['one that is not migrated', [], { DATABASE_URL: inject('postgresUrl') }, 'run npm start first'],
  ])('ends at %s with a sentence', verifies('platform.sample-data'), async (_what, args, environment, sentence) => {
    const { code, said } = await seed(await stage.emptyDataDir(), args, environment);
    expect(code).toBe(1);
    expect(said).toContain(sentence);
    expect(said).not.toContain('    at ');
  });

  it(
    'adds nothing in production unless it is asked for by name',
    verifies('platform.sample-data', 'platform.production'),
    async () => {
      const production = {
        NODE_ENV: 'production',
        APP_URL: 'https://patchbay.example.com',
        CRON_SECRET: '2Jv9qXw7Lr4Tz8Nk1Bf6Hd3Gs5Yc0PmaZ',
        ENCRYPTION_KEYS: 'k1:q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80=',
      };
      const { code, said } = await seed(await stage.emptyDataDir(), [], production);
      expect([code, said]).toEqual([
        1,
        'NODE_ENV is production: sample data requires --in-production --profile <uuid>.',
      ]);
    },
  );
});

describe('the first start', () => {
  it(
    'fills the demo account while it answers already; a stop breaks it off, and the next start goes on',
    verifies('platform.sample-data'),
    async () => {
      const dataDir = await stage.emptyDataDir();
      const first = await stage.start(dataDir, { SAMPLE_DATA: 'on' });
      const key = first.demoKey();
      expect((await callerOf(first, key)('GET', '/api/clipboard')).status).toBe(200);
      expect(await first.terminate()).toBe(0);
      const second = await stage.start(dataDir, { SAMPLE_DATA: 'on' });
      const call = callerOf(second, key);
      await eventually(
        'the demo account is filled',
        async () => (await call('GET', '/api/clipboard')).body.total === 13,
      );
      for (const { lines } of [first, second]) expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
      expect(await second.terminate()).toBe(0);
    },
  );

  it('of an account that was made without it leaves it empty', verifies('platform.sample-data'), async () => {
    const product = await stage.start(await stage.dataDirOf(), { SAMPLE_DATA: 'on' });
    expect((await callerOf(product, stage.key)('GET', '/api/mcp-servers')).body).toEqual([]);
    expect(await product.terminate()).toBe(0);
    expect(product.lines.join('\n')).not.toContain('sample data');
  });
});
