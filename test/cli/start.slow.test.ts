import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { prepareProduct } from '../support/prepared-product.ts';
import { endOfProduct, postmasterOf, withDatabase } from '../support/product.ts';
import { callerOf } from '../support/server.ts';

const stage = prepareProduct();
const { dataDirOf, emptyDataDir, start } = stage;

describe('a second start on the same data folder', () => {
  it(
    'ends with a clear sentence and leaves the first alone; so does one on its port, which leaves no database behind',
    verifies('platform.one-owner', 'platform.embedded'),
    async () => {
      const dataDir = await dataDirOf();
      const first = await start(dataDir);
      const { code, stderr } = await endOfProduct(dataDir);
      expect(code).toBe(1);
      expect(stderr).toContain(dataDir);
      expect(stderr).toContain(`process ${first.child.pid}`);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      const other = await dataDirOf();
      const { port } = new URL(first.base);
      const onItsPort = await endOfProduct(other, { PORT: port });
      expect(onItsPort.code).toBe(1);
      expect(onItsPort.stderr).toContain(port);
      expect(onItsPort.stderr.trim().split('\n')).toHaveLength(1);
      expect(postmasterOf(other)).toBeNull();
      expect((await callerOf(first, stage.key)('POST', '/api/clipboard/push', { value: 'still here' })).status).toBe(
        200,
      );
    },
  );
});

describe('the environment', () => {
  const secrets = {
    APP_URL: 'https://patchbay.example.com',
    CRON_SECRET: '2Jv9qXw7Lr4Tz8Nk1Bf6Hd3Gs5Yc0Pm',
    ENCRYPTION_KEYS: 'k1:q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80=',
  };
  // 33 characters, none of them taken from an example.
  secrets.CRON_SECRET += 'aZ';

  it(
    'that is wrong ends the start, naming all variables at once and repeating no value',
    verifies('platform.config'),
    async () => {
      const dataDir = await emptyDataDir();
      const wrong = {
        PORT: 'canary-1',
        TRUST_PROXY: 'canary-2',
        DATABASE_URL: 'canary-3',
        REDIS_URL: 'canary-4',
        NODE_ENV: 'canary-5',
        ENCRYPTION_KEYS: 'canary-6',
      };
      const { code, stdout, stderr } = await endOfProduct(dataDir, wrong);
      expect(code).toBe(1);
      for (const name of Object.keys(wrong)) expect(stderr).toContain(`${name}: expected `);
      expect(stdout + stderr).not.toContain('canary');
      expect(stderr).not.toContain('    at ');
      expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
    },
  );

  it('of a database that is not there ends the start with its host and name, and without its password', async () => {
    const dataDir = await emptyDataDir();
    const { code, stdout, stderr } = await endOfProduct(dataDir, {
      DATABASE_URL: 'postgres://someone:canary-7@127.0.0.1:1/platform',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot use the database "platform" on 127\.0\.0\.1:1 \(DATABASE_URL\): .*ECONNREFUSED/m);
    expect(stdout + stderr).not.toContain('canary');
  });

  it(
    'of production without secrets, or with weak ones, ends the start (I15)',
    verifies('platform.production'),
    async () => {
      const dataDir = await emptyDataDir();
      const weak = {
        APP_URL: secrets.APP_URL,
        CRON_SECRET: 'changeme-changeme-changeme-changeme',
        ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      };
      const [bare, poor] = await Promise.all([
        endOfProduct(dataDir, { NODE_ENV: 'production' }),
        endOfProduct(dataDir, { NODE_ENV: 'production', ...weak }),
      ]);
      expect([bare.code, poor.code]).toEqual([1, 1]);
      for (const name of ['APP_URL', 'CRON_SECRET', 'ENCRYPTION_KEYS'])
        expect(bare.stderr).toContain(`${name}: expected `);
      for (const name of ['CRON_SECRET', 'ENCRYPTION_KEYS']) expect(poor.stderr).toContain(`${name}: expected `);
      expect(poor.stderr).not.toContain(weak.CRON_SECRET);
      expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
    },
  );

  it(
    'of production with secrets starts, and makes no account and no key (I15)',
    verifies('platform.production'),
    async () => {
      const dataDir = await emptyDataDir();
      const product = await start(dataDir, { NODE_ENV: 'production', ...secrets });
      expect((await callerOf(product, null)('GET', '/readyz')).status).toBe(200);
      for (const file of ['demo-api-key', 'demo-password']) expect(existsSync(path.join(dataDir, file))).toBe(false);
      expect((await callerOf(product, stage.key)('GET', '/api/clipboard')).status).toBe(401);
      const output = product.lines.join('\n');
      for (const secret of [secrets.CRON_SECRET, secrets.ENCRYPTION_KEYS, 'pbk_']) expect(output).not.toContain(secret);
      expect(await product.terminate()).toBe(0);
    },
  );
});

describe('the first start', () => {
  it(
    'leaves a key that works in a file of its owner alone, and prints no secret (B06)',
    verifies('platform.demo', 'identity.key.at-rest'),
    async () => {
      for (const file of ['demo-api-key', 'demo-password', 'postgres-password'])
        expect((await stat(path.join(stage.prepared, file))).mode & 0o777, file).toBe(0o600);
      expect(stage.firstLines.join('\n')).not.toContain(stage.key);
      expect(stage.firstLines.join('\n')).not.toContain('pbk_');
      expect(stage.firstLines.join('\n')).not.toMatch(/postgres:\/\/[^"]*:[^"]*@/);
      for (const line of stage.firstLines) expect(() => JSON.parse(line), line).not.toThrow();
      const product = await start(await dataDirOf());
      expect((await callerOf(product, stage.key)('GET', '/api/clipboard')).status).toBe(200);
      expect(product.demoKey()).toBe(stage.key);
      const home = await (await fetch(product.base)).text();
      for (const file of ['demo-api-key', 'demo-password']) expect(home).toContain(path.join(product.dataDir, file));
      expect(home).not.toContain(stage.key);
      const password = (await readFile(path.join(product.dataDir, 'demo-password'), 'utf8')).trim();
      const body = new URLSearchParams({ name: 'demo-user', password });
      const signedIn = await fetch(`${product.base}/sign-in`, { method: 'POST', redirect: 'manual', body });
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/']);
    },
  );
});

describe('a start that finds no key file', () => {
  it(
    'makes a key that works: because it was removed, and because the first start was killed before there was a key',
    verifies('platform.demo'),
    async () => {
      const dataDir = await dataDirOf();
      let product = await start(dataDir);
      let last = stage.key;
      for (const sql of ['SELECT 1', 'DELETE FROM api_keys']) {
        await withDatabase(dataDir, (client) => client.query(sql));
        expect(await product.terminate()).toBe(0);
        await rm(path.join(dataDir, 'demo-api-key'));
        product = await start(dataDir);
        const key = product.demoKey();
        expect(key).not.toBe(last);
        expect((await callerOf(product, key)('GET', '/api/clipboard')).status).toBe(200);
        expect((await stat(path.join(dataDir, 'demo-api-key'))).mode & 0o777).toBe(0o600);
        last = key;
      }
    },
  );

  it('makes none once the password of the file is not that of the demo user', verifies('platform.demo'), async () => {
    const dataDir = await dataDirOf();
    await rm(path.join(dataDir, 'demo-api-key'));
    await writeFile(path.join(dataDir, 'demo-password'), 'another password\n');
    const product = await start(dataDir);
    expect(existsSync(path.join(dataDir, 'demo-api-key'))).toBe(false);
    expect((await callerOf(product, stage.key)('GET', '/api/clipboard')).status).toBe(200);
  });
});
