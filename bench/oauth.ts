import { createCipheriv, createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { secretHash } from '../src/auth/secret-hash.ts';
import { tokenContext } from '../src/oauth/sealed-tokens.ts';
import { createSecrets } from '../src/platform/security/secrets.ts';
import { type Bench, type Measured, measure, medianOf, printTable, ratioOf, shown } from './measure.ts';
import { type BenchAuthorizationServer, startBenchAuthorizationServer } from './oauth-authorization-server.ts';
import type { ServerProcess } from './server-process.ts';

const connectionCount = 16;
const cronSecret = randomBytes(32).toString('base64');
/** A refresh within ten seconds of another is shared: each server is refreshed once in a round. */
const serversOf = (isQuick: boolean) => (isQuick ? 4_000 : 16_000);
const statesOf = (isQuick: boolean) => (isQuick ? 50_000 : 1_000_000);

interface Stage {
  readonly cookie: string;
  readonly servers: readonly string[];
}

/**
 * Flows that are started and tokens that are refreshed in a second, beside a server written by hand, against an authorization server on
 * loopback; and the cleanup of expired states.
 */
export async function printOauth(bench: Bench): Promise<void> {
  const authorization = await startBenchAuthorizationServer();
  const stage = await seed(bench, authorization);
  const environment = { NODE_ENV: 'development', EGRESS_ALLOW: '127.0.0.0/8', CRON_SECRET: cronSecret };
  const servers = {
    patchbay: await bench.startProduct(environment),
    byHand: await bench.startBaseline('oauth-express.ts'),
  };
  const rows = [['operation', 'server', 'req/s', 'per CPU-s', 'p50 ms', 'p99 ms', 'SQL/op', 'SQL ms/op', 'ratio']];
  const rounds = bench.isQuick ? 2 : 5;
  for (const operation of ['initiate', 'refresh'] as const) {
    const results = { patchbay: [] as Measured[], byHand: [] as Measured[] };
    const next = { patchbay: 0, byHand: 0 };
    for (let round = -1; round < rounds; round++)
      for (const name of ['patchbay', 'byHand'] as const) {
        const connections = Array.from({ length: connectionCount }, () => ({
          port: servers[name].port,
          next: () => requestFor(operation, stage, next[name]++),
        }));
        const milliseconds = bench.isQuick ? 500 : 1_500;
        const measured = await measure(bench, [servers[name]], connections, milliseconds);
        if (round >= 0) results[name].push(measured);
      }
    const ratio = ratioOf(results.patchbay, results.byHand, 'perCpuSecond');
    for (const [name, title] of [
      ['patchbay', 'patchbay'],
      ['byHand', 'express + pg + oauth4webapi'],
    ] as const) {
      const of = (figure: keyof Measured) => shown(medianOf(results[name], figure));
      rows.push([
        operation,
        title,
        of('perSecond'),
        of('perCpuSecond'),
        of('p50Ms'),
        of('p99Ms'),
        of('statements'),
        of('databaseMs'),
        name === 'patchbay' ? shown(ratio) : '',
      ]);
    }
  }
  console.log('\nOAuth: flows started and tokens refreshed, 16 connections; the ratio is of requests per CPU-second');
  printTable(rows);
  console.log(`  ${authorization.tokenRequests()} token requests`);
  await printCleanup(bench, servers.patchbay);
  authorization.close();
}

function requestFor(operation: string, { cookie, servers }: Stage, turn: number): Buffer {
  const text = JSON.stringify({ serverUuid: servers[turn % servers.length] });
  const head = [
    `POST /api/oauth/${operation} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Cookie: session_token=${cookie}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** A signed-in user with servers that are authorized already, for both. */
async function seed(
  { pool, newTenants, encryptionKeys, isQuick }: Bench,
  authorization: BenchAuthorizationServer,
): Promise<Stage> {
  const [tenant] = await newTenants(1);
  const { rows } = await pool.query('SELECT user_uuid FROM projects LIMIT 1');
  const userUuid = rows[0].user_uuid as string;
  const cookie = randomBytes(32).toString('base64url');
  await pool.query('UPDATE users SET active_profile_uuid = $2 WHERE uuid = $1', [userUuid, tenant?.profileUuid]);
  await pool.query(
    `INSERT INTO sessions (uuid, user_uuid, token_hash, created_at, expires_at) VALUES ($1, $2, $3, now(), now() + interval '1 day')`,
    [randomUUID(), userUuid, secretHash(cookie)],
  );
  const servers = Array.from({ length: serversOf(isQuick) }, () => randomUUID());
  await pool.query(
    `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, transports, url, created_at, updated_at)
      SELECT u, $2, u::text, 'bench', 'http', '{http}', $3, now(), now() FROM unnest($1::uuid[]) u`,
    [servers, tenant?.profileUuid, authorization.serverUrl],
  );
  const [id = '', key = ''] = encryptionKeys.split(':');
  const secrets = createSecrets({ keys: [{ id, key: createSecretKey(key, 'base64') }] });
  const sessions = servers.map((serverUuid) => ({ serverUuid, sessionUuid: randomUUID(), clientUuid: randomUUID() }));
  const sealed = (field: 'access_token' | 'refresh_token') =>
    sessions.map(({ serverUuid, sessionUuid }) =>
      secrets.seal(randomBytes(24).toString('base64url'), tokenContext({ userUuid, serverUuid, sessionUuid }, field)),
    );
  const redirectUri = 'http://127.0.0.1/api/oauth/callback';
  await pool.query(
    `INSERT INTO oauth_clients (uuid, server_uuid, user_uuid, kind, issuer, client_id, authentication_method, redirect_uri, created_at)
      SELECT c, s, $3, 'registered', $4, 'bench', 'none', $5, now() FROM unnest($1::uuid[], $2::uuid[]) t (c, s)`,
    [sessions.map(({ clientUuid }) => clientUuid), servers, userUuid, authorization.origin, redirectUri],
  );
  const metadata = JSON.stringify({ issuer: authorization.origin, token_endpoint: `${authorization.origin}/token` });
  await pool.query(
    `INSERT INTO oauth_sessions (uuid, profile_uuid, user_uuid, server_uuid, server_url, provider, client_uuid, issuer, metadata, resource,
        redirect_uri, scopes, status, access_token, refresh_token, expires_at, created_at, updated_at)
      SELECT u, $6, $7, s, $8, 'bench', c, $9, $10, $8, $11, '{}', 'active', a, r, now() + interval '1 hour', now(), now()
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) t (u, s, c, a, r)`,
    [
      sessions.map(({ sessionUuid }) => sessionUuid),
      servers,
      sessions.map(({ clientUuid }) => clientUuid),
      sealed('access_token'),
      sealed('refresh_token'),
      tenant?.profileUuid,
      userUuid,
      authorization.serverUrl,
      authorization.origin,
      metadata,
      redirectUri,
    ],
  );
  await pool.query(`
    CREATE TABLE bench_oauth_states (state_hash bytea PRIMARY KEY, user_uuid uuid, server_uuid uuid, verifier text, hash bytea,
      expires_at timestamptz);
    CREATE INDEX ON bench_oauth_states (expires_at);
    CREATE TABLE bench_oauth_tokens (uuid uuid PRIMARY KEY, server_uuid uuid, issuer text, access_token text, refresh_token text,
      expires_at timestamptz, is_used boolean NOT NULL DEFAULT false);
    CREATE INDEX ON bench_oauth_tokens (server_uuid)`);
  await pool.query(
    `INSERT INTO bench_oauth_tokens (uuid, server_uuid, issuer, access_token, refresh_token, expires_at)
      SELECT gen_random_uuid(), s, $2, r, r, now() FROM unnest($1::uuid[], $3::text[]) t (s, r)`,
    [servers, authorization.origin, servers.map(() => sealedByHand(randomBytes(24).toString('base64url')))],
  );
  await pool.query('VACUUM ANALYZE');
  return { cookie, servers };
}

/** As oauth-express.ts seals. */
function sealedByHand(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update('bench').digest(), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** Expired states beside some that wait, removed by POST /api/oauth/cleanup-pkce: all of them, and when there is none. */
async function printCleanup({ pool, isQuick }: Bench, { port }: ServerProcess): Promise<void> {
  const count = statesOf(isQuick);
  await pool.query('TRUNCATE oauth_pkce_states');
  await pool.query(
    `INSERT INTO oauth_pkce_states (state_hash, user_uuid, issuer, metadata, scopes, redirect_uri, verifier, integrity_hash, created_at,
        expires_at)
      SELECT sha256(n::text::bytea), (SELECT uuid FROM users LIMIT 1), 'https://auth.example.com', repeat('m', 300), '{}', 'x',
        repeat('v', 100), repeat('h', 50), now() - interval '1 day', CASE WHEN n % 100 = 0 THEN now() + interval '4 minutes'
          ELSE now() - interval '1 hour' END
      FROM generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query('VACUUM ANALYZE oauth_pkce_states');
  const cleaned = async () => {
    const start = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/oauth/cleanup-pkce`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${cronSecret}` },
    });
    const { deleted } = (await response.json()) as { deleted: number };
    return { deleted, ms: performance.now() - start };
  };
  const [all, none] = [await cleaned(), await cleaned()];
  const { rows } = await pool.query('SELECT count(*)::int AS left FROM oauth_pkce_states');
  console.log('\nOAuth: cleanup of expired PKCE states in batches');
  printTable([
    ['states', 'deleted', 'left', 'seconds', 'deleted/s', 'with none ms'],
    [
      String(count),
      String(all.deleted),
      String(rows[0].left),
      shown(all.ms / 1_000),
      shown((1_000 * all.deleted) / all.ms),
      shown(none.ms),
    ],
  ]);
}
