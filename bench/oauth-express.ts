import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import express from 'express';
import * as oauth from 'oauth4webapi';
import { Pool } from 'pg';
import { systemClock } from '../src/platform/clock.ts';

/*
 * The baseline of `--only=oauth`: a flow and a refresh as one would write them by hand with express, pg and oauth4webapi. It has the
 * session check, encrypted tokens, a row lock, a mark of the used token and a signed state; metadata and the client are read once and
 * kept for good. It has no audit, no metrics, no rate limits, no egress guard and no sharing between callers.
 */

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const key = createHash('sha256').update('bench').digest();
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json());

const insecure = { [oauth.allowInsecureRequests]: true };
const client: oauth.Client = { client_id: 'bench' };
const metadata = new Map<string, oauth.AuthorizationServer>();

async function serverOf(issuer: string): Promise<oauth.AuthorizationServer> {
  const known = metadata.get(issuer);
  if (known) return known;
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(url, response);
  metadata.set(issuer, server);
  return server;
}

function seal(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function open(sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28));
  return cipher.update(bytes.subarray(28), undefined, 'utf8') + cipher.final('utf8');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

async function userOf(cookie: string | undefined): Promise<string | null> {
  const token = /session_token=([^;]+)/.exec(cookie ?? '')?.[1];
  if (!token) return null;
  const { rows } = await pool.query({
    name: 'session',
    text: 'SELECT user_uuid FROM sessions WHERE token_hash = $1 AND expires_at > now()',
    values: [digest(token)],
  });
  return rows[0]?.user_uuid ?? null;
}

app.post('/api/oauth/initiate', async (req, res) => {
  const user = await userOf(req.headers.cookie);
  if (user === null) return void res.status(401).json({ error: 'unauthorized' });
  const { rows } = await pool.query({
    name: 'server',
    text: `SELECT s.uuid, s.url FROM mcp_servers s JOIN profiles p ON p.uuid = s.profile_uuid JOIN projects j ON j.uuid = p.project_uuid
      WHERE s.uuid = $1 AND j.user_uuid = $2`,
    values: [req.body.serverUuid, user],
  });
  if (!rows[0]) return void res.status(404).json({ error: 'not_found' });
  const server = await serverOf(new URL(rows[0].url).origin);
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
  const url = new URL(server.authorization_endpoint as string);
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: 'http://127.0.0.1/api/oauth/callback',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: rows[0].url,
  }))
    url.searchParams.set(name, value);
  const expiresAt = new Date(systemClock.now().getTime() + 300_000);
  const hash = createHmac('sha256', key).update(`${state}${user}${rows[0].uuid}${verifier}`).digest();
  await pool.query({
    name: 'state',
    text: 'INSERT INTO bench_oauth_states (state_hash, user_uuid, server_uuid, verifier, hash, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
    values: [digest(state), user, rows[0].uuid, seal(verifier), hash, expiresAt],
  });
  return void res.json({ authorizationUrl: url.href, state, expiresAt });
});

app.post('/api/oauth/refresh', async (req, res) => {
  const user = await userOf(req.headers.cookie);
  if (user === null) return void res.status(401).json({ error: 'unauthorized' });
  const db = await pool.connect();
  let row: { uuid: string; issuer: string; refresh_token: string };
  try {
    await db.query('BEGIN');
    const { rows } = await db.query({
      name: 'hold',
      text: `SELECT t.uuid, t.issuer, t.refresh_token FROM bench_oauth_tokens t JOIN mcp_servers s ON s.uuid = t.server_uuid
        JOIN profiles p ON p.uuid = s.profile_uuid JOIN projects j ON j.uuid = p.project_uuid
        WHERE t.server_uuid = $1 AND j.user_uuid = $2 AND NOT t.is_used FOR UPDATE OF t`,
      values: [req.body.serverUuid, user],
    });
    row = rows[0];
    if (row)
      await db.query({
        name: 'mark',
        text: 'UPDATE bench_oauth_tokens SET is_used = true WHERE uuid = $1',
        values: [row.uuid],
      });
    await db.query('COMMIT');
  } finally {
    db.release();
  }
  if (!row) return void res.status(403).json({ error: 'forbidden' });
  const server = await serverOf(row.issuer);
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    open(row.refresh_token),
    insecure,
  );
  const tokens = await oauth.processRefreshTokenResponse(server, client, response);
  const expiresAt = new Date(systemClock.now().getTime() + (tokens.expires_in ?? 0) * 1_000);
  await pool.query({
    name: 'store',
    text: 'UPDATE bench_oauth_tokens SET access_token = $2, refresh_token = $3, expires_at = $4, is_used = false WHERE uuid = $1',
    values: [row.uuid, seal(tokens.access_token), seal(tokens.refresh_token as string), expiresAt],
  });
  return void res.json({ success: true, expiresAt });
});

app.listen(Number(process.env.PORT), '127.0.0.1');
