import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealedColumns } from '../../src/main/sealed-columns.ts';
import { nameOf } from '../../src/platform/security/sealed-columns.ts';
import { verifies } from '../requirements.ts';
import { authorizableServer, authorizedServer, pendingSession, protectedUrl } from '../support/oauth/authorized.ts';
import { sessionOf } from '../support/people.ts';
import { startRegistryStage } from '../support/registry-stage.ts';
import { callerOf, startTestServer } from '../support/server.ts';
import { encryptionKeys } from '../support/services.ts';
import { registered } from '../support/webhook-stage.ts';

const program = path.resolve(import.meta.dirname, '../../src/cli/secrets-reencrypt.ts');
const fresh = `fresh:${createHash('sha256').update('another key').digest('base64')}`;

async function run(url: string, keys: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: url, ENCRYPTION_KEYS: keys },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (text) => out.push(String(text)));
  child.stderr.on('data', (text) => err.push(String(text)));
  const [code] = await once(child, 'close');
  return { code, out: out.join(''), err: err.join('') };
}

/** A product with a secret in every column that holds secrets. */
async function stage() {
  const registry = await startRegistryStage();
  const { server } = registry;
  const { call, secret, session } = await registry.submitter();
  await session('GET', '/api/registry/github/link');
  const webhook = await registered(call);
  await call('POST', `/api/webhooks/${webhook.id}/rotate-secret`);
  const remote = { name: 'remote', transport: 'http', url: 'https://mcp.example.com/mcp' };
  await call('POST', '/api/mcp-servers', { ...remote, headers: { Authorization: 'Bearer of-the-owner' } });
  await call('POST', '/api/mcp-servers', { name: 'local', transport: 'stdio', command: 'x', env: { TOKEN: 'of-env' } });
  await call('POST', '/api/agents', { name: 'sealed' });
  const { user } = await sessionOf(server);
  const serverUuid = await authorizableServer(server.services, user);
  const client = { issuer: new URL(await protectedUrl()).origin, clientId: 'by-hand', clientSecret: 'of-the-client' };
  await server.services.oauth.serverSettings.configure(user, { serverUuid, client });
  await authorizedServer(server.services, user);
  await pendingSession(server.services, user);
  return { server, call, secret };
}

/** The columns in which the database holds sealed secrets, with the ids of their keys. */
async function sealedIn({ database }: Awaited<ReturnType<typeof stage>>['server']): Promise<Map<string, string[]>> {
  const texts = await database.query<{ table_name: string; column_name: string }>({
    text: `SELECT table_name, column_name FROM information_schema.columns JOIN pg_tables ON tablename = table_name AND schemaname = table_schema
      WHERE table_schema = 'public' AND data_type IN ('text', 'character varying')`,
  });
  const found = new Map<string, string[]>();
  for (const { table_name: table, column_name: column } of texts) {
    const ids = await database.query<{ id: string }>({
      text: `SELECT DISTINCT split_part("${column}", '.', 2) AS id FROM "${table}"
        WHERE "${column}" ~ '^1\\.[A-Za-z0-9_-]{1,32}\\.[A-Za-z0-9_-]{38,}$'`,
    });
    if (ids.length > 0) found.set(`${table}.${column}`, ids.map(({ id }) => id).toSorted());
  }
  return found;
}

describe('npm run secrets:reencrypt', () => {
  it(
    're-encrypts every secret of a product that serves, so that the old key can go',
    verifies('platform.secrets.reencrypted'),
    async () => {
      const { server, call, secret } = await stage();
      const before = await sealedIn(server);
      // Every column with sealed secrets is described, and each description is of one.
      expect([...before.keys()].toSorted()).toEqual(
        ['encryption_keys.sealed', ...sealedColumns.map(nameOf)].toSorted(),
      );
      const shown = (await call('GET', '/api/mcp-servers')).body;
      expect(JSON.stringify(shown)).toContain('of-env');

      const counted = await run(server.url, `${fresh},${encryptionKeys}`, '--count');
      expect(counted).toMatchObject({ code: 1, out: expect.stringContaining('test still seals ') });
      const ended = await run(server.url, `${fresh},${encryptionKeys}`);
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.err).toMatch(/^webhooks\.secret: 1 of 1$/m);
      expect(ended.out).toContain(
        'test seals none: it can be taken out of ENCRYPTION_KEYS once fresh is the first key',
      );
      const { 'encryption_keys.sealed': noted, ...after } = Object.fromEntries(await sealedIn(server));
      expect(noted).toEqual(['fresh', 'test']);
      for (const [column, ids] of Object.entries(after)) expect(ids, column).toEqual(['fresh']);

      const alone = await run(server.url, fresh, '--count');
      expect(alone.code).toBe(0);
      const next = await startTestServer({ ENCRYPTION_KEYS: fresh }, server.url);
      expect((await callerOf(next, secret)('GET', '/api/mcp-servers')).body).toEqual(shown);
      await run(server.url, fresh);
      expect((await sealedIn(server)).get('encryption_keys.sealed')).toEqual(['fresh']);
    },
  );

  it('ends with 1 and says what failed, without a secret', async () => {
    const { server } = await stage();
    const { code, err } = await run(server.url, fresh);
    expect(code).toBe(1);
    expect(err).toContain('ENCRYPTION_KEYS: expected the key test,');
    expect((await run(server.url, encryptionKeys, '--cuont')).err).toContain("Unknown option '--cuont'");
  });
});
