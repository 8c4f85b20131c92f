import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentialContext } from '../../src/agents/agent.ts';
import { readConfig } from '../../src/platform/config.ts';
import { encryptionKeysOf } from '../../src/platform/security/encryption-keys.ts';
import { createSecrets } from '../../src/platform/security/secrets.ts';
import { verifies } from '../requirements.ts';
import { type Canaries, hitsIn } from '../support/canaries.ts';
import { type Belongings, carelessCalls, type Told } from '../support/careless-calls.ts';
import { eventually } from '../support/deadline.ts';
import { dumpOf } from '../support/dump.ts';
import {
  newDataDir,
  onSigusr2,
  type Product,
  postmasterOf,
  removeDataDir,
  startProduct,
  withDatabase,
} from '../support/product.ts';
import { callerOf, graphqlOf } from '../support/server.ts';

/** A secret that nothing else looks like. */
const canary = (what: string) => `canary-${what}-${randomBytes(12).toString('hex')}`;

const environment = {
  CRON_SECRET: canary('cron'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CHAT_API_KEY: canary('chat'),
  EMBEDDINGS_API_KEY: canary('embeddings'),
  // None of ours: whatever else the operator's shell holds.
  CLOUD_TOKEN: canary('cloud'),
};
const redisPassword = canary('redis');
const smtpPassword = canary('smtp');

let dataDir: string;
let product: Product;
let redis: Server;
let models: HttpServer;
/** The keys that the endpoint of models was sent. */
const sentKeys = new Set<string | undefined>();
let has: Awaited<ReturnType<typeof belongingsOf>>;
let canaries: Canaries;
let processes: string;
let agentCredential: string;
const told: Told[] = [];

beforeAll(async () => {
  dataDir = await newDataDir();
  redis = await startTalkativeRedis();
  models = await startTalkativeModels();
  const modelsHost = `127.0.0.1:${(models.address() as AddressInfo).port}`;
  product = await startProduct(dataDir, {
    LOG_LEVEL: 'trace',
    REDIS_URL: `redis://patchbay:${redisPassword}@127.0.0.1:${(redis.address() as AddressInfo).port}`,
    // There is no server, so every email fails and is logged.
    CHAT_BASE_URL: `http://${modelsHost}/v1`,
    CHAT_MODEL: 'm',
    EMBEDDINGS_BASE_URL: `http://${modelsHost}/v1`,
    EGRESS_ALLOW: modelsHost,
    SMTP_URL: `smtp://patchbay:${smtpPassword}@127.0.0.1:1`,
    ...environment,
    ...onSigusr2('console.log(process.env.CRON_SECRET); console.error(btoa(process.env.CLOUD_TOKEN))'),
  });
  has = await belongingsOf(product);
  agentCredential = await agentCredentialOf(product);
  canaries = await canariesOf(has);
  processes = await processesOf(dataDir);
  await askModels();
  told.push(...(await carelessCalls(product.base, has)));
  // Operations fail while callers are still cached; then no caller can be identified any more.
  for (const tables of [
    ['clipboard_entries', 'notifications', 'webhooks', 'mcp_servers'],
    ['sessions', 'projects'],
  ])
    await whileTablesAreGone(tables, async () => {
      const page = await graphqlOf(product, has.key)('{ clipboardEntries { nodes { value } } }');
      if (page.errors) told.push(['a page of the graph', JSON.stringify(page)]);
      told.push(...(await carelessCalls(product.base, has)));
    });
  await whileTheDatabaseDies();
});

afterAll(async () => {
  await product?.kill();
  redis?.close();
  models?.closeAllConnections();
  models?.close();
  await removeDataDir(dataDir);
});

/** It refuses every command and repeats it, as Redis does with what it does not know. */
async function startTalkativeRedis(): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const words = String(bytes).match(/(?<=\r\n)[^$*\r\n][^\r\n]*/g) ?? [];
      socket.write(`-ERR unknown command '${words[0]}', with args beginning with: '${words.slice(1).join("' '")}'\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** An endpoint of language models and embeddings that fails each request, and repeats its key. */
async function startTalkativeModels(): Promise<HttpServer> {
  const server = createHttpServer((req, res) => {
    sentKeys.add(req.headers.authorization);
    const message = `the key ${req.headers.authorization} is wrong`;
    res.writeHead(req.url?.includes('chat') ? 401 : 500, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ error: { message } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Questions of the chat, and a document that needs an embedding. */
async function askModels(): Promise<void> {
  const call = callerOf(product, has.key);
  const { sessionId } = (await call('POST', '/api/embedded-chat/sessions', {})).body;
  const question = { sessionId, message: 'Is the key good?' };
  for (const includeContext of [true, false])
    told.push([
      'a question',
      (await call('POST', '/api/embedded-chat/messages', { ...question, includeContext })).text,
    ]);
  told.push(['the messages', (await call('GET', `/api/embedded-chat/sessions/${sessionId}/messages`)).text]);
  const text = { title: 'Keys', content: 'The key is good.', model: { provider: 'x', name: 'y' } };
  const created = await call('POST', '/api/documents/ai', text);
  expect(created.status).toBe(201);
  const document = `/api/documents/${created.body.documentId}`;
  await eventually('the embedding failed', () =>
    product.lines.some((line) => line.includes('a document could not be read')),
  );
  told.push(['a document', (await call('GET', document)).text]);
}

/** A user who signed up, signed in once more, created a key, and changed the password. */
async function belongingsOf({ base }: Product): Promise<Belongings & { rotatedSecret: string }> {
  const call = callerOf({ base }, null);
  const tokenOf = (headers: Headers) => /session_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] as string;
  const first = canary('password');
  const password = canary('password');
  const email = 'careless@example.com';
  const signedUp = await call('POST', '/api/auth/sign-up', { email, username: 'careless', password: first });
  const cookie = { Cookie: `session_token=${tokenOf(signedUp.headers)}` };
  const changed = await call('POST', '/api/auth/password', { currentPassword: first, newPassword: password }, cookie);
  const sessionToken = tokenOf(changed.headers);
  const scopes = ['read', 'write', 'admin'];
  // What is kept of these answers, to be given again, holds a key and a value.
  const idempotencyKey = canary('idempotency');
  const once = { 'Idempotency-Key': idempotencyKey };
  const made = await call(
    'POST',
    '/api/api-keys',
    { name: 'k', scopes },
    { Cookie: `session_token=${sessionToken}`, ...once },
  );
  const key: string = made.body.secret;
  const value = canary('value');
  const withKey = callerOf({ base }, key);
  for (const name of ['kept', 'shared'])
    expect((await withKey('POST', '/api/clipboard', { name, value, visibility: 'workspace' })).status).toBe(200);
  const notification = { title: value, message: value, metadata: { value }, send_email: true };
  expect((await withKey('POST', '/api/notifications', notification)).body.emailSent).toBe(true);
  for (const replayed of [null, 'true']) {
    const pushed = await withKey('POST', '/api/clipboard/push', { value }, once);
    expect([pushed.status, pushed.headers.get('idempotent-replayed')]).toEqual([200, replayed]);
  }
  expect((await withKey('GET', '/api/clipboard')).text).toContain(value);
  // Given, and of one that was rotated: both are stored, and sign a call that goes nowhere.
  const webhookSecret = canary('webhook');
  const hook = { url: 'https://hooks.example.invalid/', events: ['document.deleted'], secret: webhookSecret };
  const { id } = (await withKey('POST', '/api/webhooks', hook, once)).body;
  const { secret: rotatedSecret } = (await withKey('POST', `/api/webhooks/${id}/rotate-secret`, {}, once)).body;
  expect((await withKey('POST', `/api/webhooks/${id}/test`)).body.status).toBe('failed');
  // Of a server that was added, and of one that is asked and not reached with it.
  const serverSecret = canary('server');
  const added = { name: 'x', command: 'npx', env: { TOKEN: serverSecret }, headers: { 'X-Key': serverSecret } };
  const asked = { ...added, command: undefined, url: 'https://mcp.example.invalid/mcp' };
  for (const [body, headers] of [
    [added, once],
    [asked, {}],
  ] as const)
    expect((await withKey('POST', '/api/mcp-servers', body, headers)).status).toBe(200);
  expect((await withKey('GET', '/api/mcp-servers')).text).toContain(serverSecret);
  return {
    email,
    password,
    wrongPassword: canary('wrong'),
    key,
    mistypedKey: key.slice(0, -9) + (key.at(-9) === 'x' ? 'y' : 'x') + key.slice(-8),
    sessionToken,
    value,
    idempotencyKey,
    webhookSecret,
    rotatedSecret,
    serverSecret,
    cronSecret: environment.CRON_SECRET,
  };
}

/** The credential of an agent that has sent its heartbeat, and is refused what it may not do. */
async function agentCredentialOf({ base }: Product): Promise<string> {
  const withKey = callerOf({ base }, has.key);
  const { uuid } = (await withKey('POST', '/api/agents', { name: 'careless' })).body.agent;
  const [row] = await withDatabase(
    dataDir,
    async (client) => (await client.query('SELECT credential FROM agents WHERE uuid = $1', [uuid])).rows,
  );
  const { ENCRYPTION_KEYS } = environment;
  const keys = await encryptionKeysOf({ ...readConfig({ NODE_ENV: 'test', ENCRYPTION_KEYS }), DATA_DIR: dataDir });
  const credential = createSecrets({ keys }).open(row.credential, credentialContext(uuid));
  expect(credential).toMatch(/^pba_/);
  const own = callerOf({ base }, credential);
  const beat = await own('POST', `/api/agents/${uuid}/heartbeat`, { mode: 'SLEEP', uptime_seconds: 1 });
  expect(beat.status).toBe(200);
  for (const [method, url] of [
    ['GET', '/api/agents'],
    ['GET', `/api/clipboard?name=${credential}`],
    ['GET', `/api/agents/${credential}`],
    ['POST', `/api/agents/${uuid}/logs`],
  ] as const)
    told.push([`an agent: ${method}`, (await own(method, url)).text]);
  return credential;
}

async function canariesOf(own: typeof has): Promise<Canaries> {
  const read = async (file: string) => (await readFile(path.join(dataDir, file), 'utf8')).trim();
  const demoKey = product.demoKey();
  const { email: _, ...secrets } = own;
  return new Map(
    Object.entries({
      ...secrets,
      // What is left of a key behind the part that is shown.
      keyTail: own.key.slice(12),
      demoKey,
      demoKeyTail: demoKey.slice(12),
      demoPassword: await read('demo-password'),
      databasePassword: await read('postgres-password'),
      redisPassword,
      smtpPassword,
      encryptionKey: environment.ENCRYPTION_KEYS.slice('k1:'.length),
      cloudToken: environment.CLOUD_TOKEN,
      chatKey: environment.CHAT_API_KEY,
      embeddingsKey: environment.EMBEDDINGS_API_KEY,
      agentCredential,
    }),
  );
}

/** What other users of the machine can see of the processes of the database, and what they inherited. */
async function processesOf(folder: string): Promise<string> {
  if (process.platform !== 'linux') return '';
  const pid = postmasterOf(folder);
  const files = ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => ''));
  return (await Promise.all(files)).join('\n');
}

/** Every statement fails with an error of PostgreSQL's own, which names what it was about. */
async function whileTablesAreGone(tables: readonly string[], work: () => Promise<void>): Promise<void> {
  await withDatabase(dataDir, async (client) => {
    for (const table of tables) await client.query(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
  });
  await work();
  await withDatabase(dataDir, async (client) => {
    for (const table of tables) await client.query(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
  });
}

/** One connection is ended and one killed in the middle of a write, which takes the server with it; it comes back. */
async function whileTheDatabaseDies(): Promise<void> {
  const call = callerOf(product, has.key);
  for (const harm of ['terminate', 'kill'] as const) {
    const written = await withDatabase(dataDir, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE clipboard_entries IN ACCESS EXCLUSIVE MODE');
      const answers = [
        call('POST', '/api/clipboard', { name: 'kept', value: has.value, createdByTool: 'x' }),
        call('POST', '/api/clipboard/push', { value: has.value }),
      ];
      const waiting = 'SELECT pid FROM pg_locks WHERE NOT granted';
      const pid = await eventually('a write waits', async () => (await client.query(waiting)).rows[0]?.pid as number);
      if (harm === 'terminate') await client.query('SELECT pg_terminate_backend($1)', [pid]);
      else process.kill(pid, 'SIGKILL');
      return { answers };
    });
    for (const answer of await Promise.all(written.answers)) {
      expect([200, 500, 503]).toContain(answer.status);
      if (answer.status !== 200) told.push([`a write while the database dies`, answer.text]);
    }
  }
  await eventually('it serves again', async () => (await call('GET', '/api/clipboard')).status === 200);
}

/** Everything that the product and its database said and stored so far. */
async function places(): Promise<[place: string, text: string][]> {
  const call = callerOf(product, null);
  const published = await Promise.all(
    ['/metrics', '/openapi.json', '/healthz', '/readyz'].map(
      async (url) => [`GET ${url}`, (await call('GET', url)).text] as [string, string],
    ),
  );
  return [
    ['standard output', product.lines.join('\n')],
    ['standard error', product.stderr()],
    ['postgres.log', await readFile(path.join(dataDir, 'postgres.log'), 'utf8')],
    ['processes', processes],
    ...published,
    ...(await withDatabase(dataDir, dumpOf)),
    ...told.map(([what, text]): [string, string] => [`answer to ${what}`, text]),
  ];
}

/** A value belongs where it was stored, and into an email that waits; all others belong nowhere. */
const belongs = (secret: string, place: string) =>
  secret === 'value' &&
  (place.startsWith('table pgboss.job') || /^table public\.(clipboard_entries|notifications)$/.test(place));

describe('secrets and values (B06, I06)', () => {
  it(
    'stand nowhere: in no log, error, metric, table or answer, also while everything fails',
    verifies('platform.logs', 'identity.key.at-rest', 'graph.masked-errors'),
    async () => {
      expect(hitsIn(await places(), canaries, belongs)).toEqual([]);
    },
  );

  it('were there to be found: everything was asked, failed, and was logged', async () => {
    expect(told.length).toBeGreaterThan(400);
    for (const code of [400, 401, 404, 405, 413, 415, 500])
      expect(
        product.lines.some((line) => line.includes(`"status":${code}`)),
        String(code),
      ).toBe(true);
    const log = product.lines.join('\n');
    for (const text of [
      'a request failed',
      'an operation failed',
      'Redis is away',
      'an email could not be sent',
      'a language model failed',
      'a document could not be read',
      'PostgreSQL answers again',
    ])
      expect(log).toContain(text);
    for (const key of [environment.CHAT_API_KEY, environment.EMBEDDINGS_API_KEY])
      expect(sentKeys).toContain(`Bearer ${key}`);
    const serverLog = await readFile(path.join(dataDir, 'postgres.log'), 'utf8');
    expect(serverLog).toContain('terminating connection due to administrator command');
    expect(serverLog).toContain('was terminated by signal 9');
  });

  it(
    'are kept as hashes: of a key and a session SHA-256, of a password argon2id',
    verifies('identity.key.at-rest', 'identity.password'),
    async () => {
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
      const { keys, sessions, passwords } = await withDatabase(dataDir, async (client) => ({
        keys: (await client.query("SELECT prefix, encode(key_hash, 'hex') AS hash FROM api_keys")).rows,
        sessions: (await client.query("SELECT encode(token_hash, 'hex') AS hash FROM sessions")).rows,
        passwords: (await client.query('SELECT password_hash AS hash FROM users')).rows,
      }));
      expect(keys).toContainEqual({ prefix: has.key.slice(0, 12), hash: sha256(has.key) });
      expect(sessions).toContainEqual({ hash: sha256(has.sessionToken) });
      expect(passwords).toHaveLength(2);
      for (const { hash } of passwords) expect(hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/);
    },
  );

  it('would be found: each is, wherever it is planted', async () => {
    const before = new Set(hitsIn(await places(), canaries, belongs));
    process.kill(product.child.pid as number, 'SIGUSR2');
    told.push(['a value of a user', (await callerOf(product, has.key)('GET', '/api/clipboard?name=kept')).text]);
    await withDatabase(dataDir, async (client) => {
      await client.query('UPDATE projects SET name = $1', [has.key]);
      await client.query('UPDATE profiles SET name = $1', [Buffer.from(has.sessionToken).toString('hex')]);
      await client.query(`DO $$ BEGIN RAISE LOG '${encodeURIComponent(has.wrongPassword)}'; END $$`);
    });
    await eventually('the leak', () => product.stderr().length > 0);
    const planted = hitsIn(await places(), canaries, belongs).filter((hit) => !before.has(hit));
    expect(planted.map((hit) => hit.slice(0, hit.indexOf(':'))).sort()).toEqual([
      'cloudToken (base64) in standard error',
      'cronSecret (plain) in standard output',
      'key (plain) in table public.projects',
      'keyTail (plain) in table public.projects',
      'sessionToken (hex) in table public.profiles',
      'value (plain) in answer to a value of a user',
      'wrongPassword (plain) in postgres.log',
    ]);
  });
});
