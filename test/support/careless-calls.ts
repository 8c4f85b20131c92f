import { openEventStream } from './event-stream.ts';
import { openSocket } from './graphql-socket.ts';
import { rawRequest } from './raw-http.ts';
import { exchange } from './raw-socket.ts';
import { type Call, callerOf } from './server.ts';

/** What a careless client has, and puts wherever a client can put something. */
export interface Belongings {
  readonly email: string;
  readonly password: string;
  readonly wrongPassword: string;
  /** A key that works. */
  readonly key: string;
  /** One character of it is changed: most of the secret is in it. */
  readonly mistypedKey: string;
  readonly sessionToken: string;
  readonly value: string;
  readonly idempotencyKey: string;
  /** What a webhook of theirs signs with. */
  readonly webhookSecret: string;
  /** Of a server of theirs, in its environment and its headers. */
  readonly serverSecret: string;
  /** The bearer of maintenance calls. */
  readonly cronSecret: string;
}

/** An answer, and what was asked. */
export type Told = readonly [what: string, text: string];

/** Sends wrong requests and some right ones, with the belongings in every place of a request, over all entry points. */
export async function carelessCalls(base: string, has: Belongings): Promise<Told[]> {
  const told: Told[] = [];
  const { key, value } = has;
  const tell = (what: string, text: string) => void told.push([what, text]);
  const telling =
    (inner: Call, who: string): Call =>
    async (method, path, body, headers) => {
      // Another one for each: the same would be refused before anything is tried.
      const once = { 'Idempotency-Key': `${has.idempotencyKey}-${told.length}` };
      const answer = await inner(method, path, body, { ...once, ...headers });
      const what = `${who}: ${method} ${path} ${JSON.stringify(body) ?? ''} ${JSON.stringify(headers) ?? ''}`;
      tell(what, [...answer.headers].join('\n') + answer.text);
      return answer;
    };
  const withKey = telling(callerOf({ base }, key), 'key');
  const nobody = telling(callerOf({ base }, null), 'nobody');
  const withCookie: Call = (method, path, body, headers) =>
    nobody(method, path, body, { Cookie: `session_token=${has.sessionToken}`, ...headers });

  for (const [method, path, body, headers] of [
    ...restCalls(has),
    ...accountCalls(has),
    ...webhookCalls(has),
    ...serverCalls(has),
    ...collectionCalls(has),
  ])
    await withKey(method, path, body, headers);
  for (const [method, path, body, headers] of accountCalls(has)) await withCookie(method, path, body, headers);
  for (const headers of credentialHeaders(has)) {
    await nobody('GET', '/api/clipboard', undefined, headers);
    await nobody('POST', '/graphql', { query: '{ clipboardEntries { totalCount } }' }, headers);
  }
  for (const body of graphqlBodies(has)) {
    await withKey('POST', '/graphql', body);
    await nobody('POST', '/graphql', body);
    await withKey('POST', '/graphql', body, { Accept: 'text/event-stream' });
    const parameters = Object.entries(body).map(([name, part]) => [
      name,
      typeof part === 'string' ? part : JSON.stringify(part),
    ]);
    await withKey('GET', `/graphql?${new URLSearchParams(parameters)}`);
  }
  for (const [what, bytes] of brokenBytes(has))
    tell(`bytes: ${what}`, (await exchange(base, bytes, { answersMax: 1, timeoutMs: 1_000 })).text);
  const host = await rawRequest(base, { method: 'GET', path: '/nothing', headers: { Host: `${value}.example` } });
  tell('a host', host.text);
  for (const told of await socketCalls(base, has)) tell(...told);
  await eventStream(base, has).then((text) => tell('events', text));
  return told;
}

type Request = [method: string, path: string, body?: unknown, headers?: Record<string, string>];

const restCalls = ({ key, mistypedKey, sessionToken, password, value, cronSecret }: Belongings): Request[] => [
  ['POST', '/api/clipboard', `{"name": "a", "value": "${value}`],
  ['POST', '/api/clipboard', `${value}{}`],
  ['POST', '/api/clipboard', { name: 'a', value: [value] }],
  ['POST', '/api/clipboard', { name: `${value} !`, value }],
  ['POST', '/api/clipboard', { name: 'a', value, encoding: 'hex' }],
  ['POST', '/api/clipboard', { name: 'a', value, encoding: value }],
  ['POST', '/api/clipboard', { name: 'a', value, visibility: value }],
  ['POST', '/api/clipboard', { name: 'a', value, ttlSeconds: value }],
  ['POST', '/api/clipboard', { name: 'a', value, contentType: `${value}\u0001` }],
  ['POST', '/api/clipboard', { name: 'a', value: `${value}\u0000` }],
  ['POST', '/api/clipboard', { name: 'a', value: 'x', [value]: value, apiKey: key }],
  ['POST', '/api/clipboard', { name: 'a', value: value.repeat(100_000) }],
  ['POST', '/api/clipboard', { name: 'a', value }, { 'Content-Type': `application/${value}` }],
  ['POST', '/api/clipboard', { name: 'a', value }, { 'Content-Encoding': value }],
  ['POST', '/api/clipboard/get', { name: key }],
  ['POST', '/api/clipboard/get', { name: value, idx: 0 }],
  ['GET', `/api/projects?api_key=${key}&token=${sessionToken}`],
  ['GET', `/api/clipboard?limit=${value}`],
  ['GET', `/api/clipboard?limit=${key}&limit=${key}`],
  ['GET', `/api/clipboard?${value}=%zz`],
  ['GET', `/api/clipboard?name=${value}`],
  ['DELETE', '/api/clipboard', { name: value, idx: value }],
  ['POST', '/api/notifications', { message: [value], title: value }],
  ['POST', '/api/notifications', { message: value, title: `${value}\n`, send_email: true }],
  ['POST', '/api/notifications', { message: value, severity: value }],
  ['POST', '/api/notifications', { message: value, send_email: value }],
  ['POST', '/api/notifications', { message: value, metadata: { [value]: `${value}\u0000` } }],
  ['POST', '/api/notifications', { message: `${value}\u0000` }],
  ['GET', `/api/notifications?unread=${value}&limit=${value}`],
  ['PATCH', `/api/notifications/${key}/read`],
  ['PATCH', `/api/notifications/${value}/completed`, { completed: value }],
  ['DELETE', `/api/notifications/${key}`],
  ['PATCH', '/api/users/profile', { bio: [value], social_links: { [key]: value, github: `javascript:${key}` } }],
  ['GET', `/api/check-username?username=${key}`],
  ['POST', `/api/users/${key}/follow`],
  // A secret in the place of an id: a client that revokes a key has it at hand.
  ['GET', `/api/clipboard/entries/${key}`],
  ['GET', `/api/clipboard/entries/${key}%zz`],
  ['DELETE', `/api/api-keys/${key}`],
  ['DELETE', `/api/api-keys/${mistypedKey}`],
  ['GET', `/nothing/${key}`],
  ['GET', `/${key}`],
  ['PUT', `/api/clipboard/entries/${key}`],
  ['OPTIONS', `/api/${key}`, undefined, { Origin: `https://${value}.example` }],
  ['GET', `/healthz?key=${key}`],
  ['GET', '/readyz', undefined, { 'User-Agent': key, Referer: `https://x.example/?token=${sessionToken}` }],
  ['GET', '/nothing', undefined, { 'X-Forwarded-For': value, 'X-Request-Id': `${key} ${value}`, Forwarded: value }],
  ['POST', '/api/oauth/cleanup-pkce', {}, { Authorization: `Bearer ${cronSecret}` }],
  ['GET', '/metrics', undefined, { 'X-Password': password }],
];

const accountCalls = ({ email, password, wrongPassword, key, sessionToken, value }: Belongings): Request[] => [
  ['POST', '/api/auth/sign-in', { email, password: wrongPassword }],
  ['POST', '/api/auth/sign-in', { email, password: [password] }],
  ['POST', '/api/auth/sign-in', { email: { password }, username: [password], password }],
  ['POST', '/api/auth/sign-in', { username: password, password }],
  ['POST', '/api/auth/sign-in', `{"email": "${email}", "password": "${password}"`],
  ['POST', '/api/auth/sign-up', { email, username: 'somebody-else', password: wrongPassword }],
  ['POST', '/api/auth/sign-up', { email: password, username: `${password}!`, password: { password } }],
  ['POST', '/api/auth/sign-up', { email: 'x@example.com', username: 'x', password: `${password}\u0000` }],
  ['POST', '/api/auth/password', { currentPassword: wrongPassword, newPassword: `${wrongPassword}-next` }],
  ['POST', '/api/auth/password', { currentPassword: password, newPassword: password }],
  ['POST', '/api/auth/password', { currentPassword: [password], newPassword: { password } }],
  ['POST', '/api/api-keys', { name: 'x', expiresAt: key, scopes: [key], channel: key }],
  ['POST', '/api/api-keys', { name: 'x', profileUuid: key }],
  ['GET', `/api/api-keys?profileUuid=${key}&limit=${sessionToken}`],
  ['POST', `/api/profiles/${sessionToken}/activate`],
  ['POST', '/api/projects', { name: `${value}\u0001` }],
];

const webhookCalls = ({ key, value, webhookSecret: secret }: Belongings): Request[] => {
  const good = { url: 'https://hooks.example.com/', events: ['document.deleted'] };
  return [
    ['GET', '/api/webhooks'],
    ['POST', '/api/webhooks', { ...good, secret: `${secret} ` }],
    ['POST', '/api/webhooks', { ...good, secret: [secret] }],
    ['POST', '/api/webhooks', { ...good, secret: secret.repeat(20) }],
    ['POST', '/api/webhooks', { ...good, secret, active: secret }],
    ['POST', '/api/webhooks', { url: secret, events: [secret, value], secret }],
    ['POST', '/api/webhooks', { ...good, url: `https://${key}:${value}@hooks.example.com/${secret}`, secret }],
    ['POST', '/api/webhooks', `{"url": "https://hooks.example.com/", "secret": "${secret}"`],
    // Fails where the tables are gone; where they are there, the list is soon full.
    ['POST', '/api/webhooks', { ...good, secret }],
    ['GET', `/api/webhooks/${secret}`],
    ['PATCH', `/api/webhooks/${secret}`, { secret }],
    ['DELETE', `/api/webhooks/${secret}`],
    ['POST', `/api/webhooks/${secret}/test`, { event: secret }],
    ['POST', `/api/webhooks/${secret}/replay`, { since: secret }],
    ['POST', `/api/webhooks/${secret}/rotate-secret`, { secret }],
    ['GET', `/api/webhooks/${secret}/deliveries?status=${secret}&limit=${secret}`],
    ['POST', `/api/webhooks/${secret}/deliveries/${secret}/replay`],
  ];
};

const serverCalls = ({ key, serverSecret: secret }: Belongings): Request[] => {
  const good = { name: 'x', command: 'npx' };
  return [
    ['POST', '/api/mcp-servers', { ...good, env: { TOKEN: secret }, name: '' }],
    ['POST', '/api/mcp-servers', { ...good, env: { TOKEN: [secret] } }],
    ['POST', '/api/mcp-servers', { ...good, env: { [`${secret} `]: secret } }],
    ['POST', '/api/mcp-servers', { ...good, env: secret }],
    ['POST', '/api/mcp-servers', { ...good, env: { TOKEN: `${secret}\u0000` } }],
    ['POST', '/api/mcp-servers', { ...good, headers: { Authorization: `${secret}\n` } }],
    [
      'POST',
      '/api/mcp-servers',
      { name: 'x', url: `https://${key}:${secret}@mcp.example.com/`, env: { TOKEN: secret } },
    ],
    ['POST', '/api/mcp-servers', { name: secret.repeat(20), transport: secret, env: { TOKEN: secret } }],
    ['POST', '/api/mcp-servers', `{"name": "x", "env": {"TOKEN": "${secret}"}`],
    // Fails where the tables are gone; where they are there, it is masked.
    ['POST', '/api/mcp-servers', { ...good, env: { TOKEN: secret }, headers: { Authorization: secret } }],
    ['GET', `/api/servers/${secret}`],
    ['GET', `/api/servers/${secret}/stats`],
    ['POST', `/api/servers/${secret}/capabilities`, { tools: secret }],
    ['POST', `/api/discover/${secret}`],
    ['GET', `/api/tools?prefix_tools=${secret}`],
    ['GET', `/api/resolve/tool?name=${secret}`],
    ['POST', '/api/notifications/mcp-activity', { action: secret, serverUuid: secret, success: secret }],
  ];
};

const collectionCalls = ({ serverSecret: secret }: Belongings): Request[] => [
  ['POST', '/api/collections', { name: secret.repeat(20), serverUuids: [secret], isPublic: secret }],
  ['POST', '/api/collections', { name: 'x', serverUuids: [secret] }],
  ['POST', '/api/collections', { name: 'x', profileUuid: secret }],
  ['GET', `/api/collections/${secret}?limit=${secret}`],
  ['GET', `/api/collections/public/${secret}`],
  ['PATCH', `/api/collections/${secret}`, { description: [secret] }],
  ['DELETE', `/api/collections/${secret}`],
  ['POST', `/api/collections/import/${secret}`],
];

const credentialHeaders = ({ key, mistypedKey, sessionToken, cronSecret }: Belongings): Record<string, string>[] => [
  { Authorization: `Bearer ${mistypedKey}` },
  { Authorization: `Bearer ${key} ${key}` },
  { Authorization: `Token ${key}` },
  { Authorization: key },
  { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  { Authorization: `Bearer ${sessionToken}` },
  { Authorization: `Bearer ${cronSecret}` },
  { 'X-Api-Key': key, 'Proxy-Authorization': `Bearer ${key}` },
  { Cookie: `session_token=${key}; key=${key}` },
  { Cookie: `session_token=${sessionToken}x` },
];

interface Body extends Record<string, unknown> {
  query: string;
}

const graphqlBodies = (has: Belongings): Body[] => {
  const { email, password, wrongPassword, key, sessionToken, value, webhookSecret, serverSecret } = has;
  const set = 'mutation ($input: ClipboardSetInput!) { clipboardSet(input: $input) { entry { uuid } } }';
  const signIn = 'mutation ($input: UserSignInInput!) { userSignIn(input: $input) { user { uuid } } }';
  return [
    { query: set, variables: { input: { name: 'a', value: [value] } } },
    { query: set, variables: { input: { name: 'a', value, ttlSeconds: value } } },
    { query: set, variables: { input: { name: 'a', value, values: value } } },
    { query: set, variables: { input: value } },
    { query: set, variables: { input: { name: `${value} !`, value, encoding: 'HEX' } } },
    { query: set, variables: { [value]: value } },
    { query: set, variables: { input: { name: 'a', value } }, operationName: value },
    { query: `mutation { clipboardSet(input: { name: "a", value: "${value}", ttlSeconds: 0 }) { entry { uuid } } }` },
    { query: `mutation { clipboardSet(input: { name: 7, value: ["${value}"] }) { entry { uuid } } }` },
    { query: `{ clipboardEntry(by: { name: "${value}" }) { uuid ` },
    { query: `{ clipboardEntry(by: { name: "${value}", idx: 0 }) { uuid } }` },
    { query: `# ${value}\n{ nothing(value: "${value}") }` },
    { query: `{ clipboardEntry(by: { name: "unterminated ${value}` },
    { query: `{ clipboardEntry(by: { name "${value}" }) { uuid } }` },
    { query: `{ clipboardEntry(by: """${value}""" """${value}""") { uuid } }` },
    { query: `{ clipboardEntry(by: "${value}") { uuid } }` },
    { query: `{ clipboardEntry(by: [{ name: "${value}" }]) { uuid } }` },
    { query: `{ clipboardEntries(first: "${value}") { totalCount } }` },
    {
      query: 'query ($by: ClipboardEntrySelector!) { clipboardEntry(by: $by) { uuid } }',
      variables: { by: { name: value, idx: 0 } },
    },
    { query: `mutation { apiKeyCreate(input: { name: "x", expiresAt: "${value}" }) { apiKey { uuid } } }` },
    {
      query: 'mutation ($at: DateTime) { apiKeyCreate(input: { name: "x", expiresAt: $at }) { apiKey { uuid } } }',
      variables: { at: value },
    },
    { query: `query { node(id: "${key}") { id } }` },
    { query: `query { nodes(ids: ["${Buffer.from(`ApiKey:${key}`).toString('base64')}"]) { id } }` },
    { query: `{ clipboardEntries(first: 1, after: "${key}") { totalCount } }` },
    { query: '{ __typename }', extensions: { persistedQuery: { sha256Hash: key } } },
    { query: signIn, variables: { input: { email, password: wrongPassword } } },
    { query: signIn, variables: { input: { email, password: { password } } } },
    { query: signIn, variables: { input: { email, password: [password, sessionToken] } } },
    { query: signIn, variables: { input: { email, passwort: password } } },
    { query: `mutation { userSignIn(input: { email: "${email}", password: "${wrongPassword}" }) { user { uuid } } }` },
    {
      query: 'mutation ($input: NotificationCreateInput!) { notificationCreate(input: $input) { emailSent } }',
      variables: { input: { message: value, metadata: { [value]: `${value}\u0000` } } },
    },
    { query: `mutation { notificationCreate(input: { message: "${value}", metadata: "${value}" }) { emailSent } }` },
    { query: `mutation { notificationMarkRead(input: { uuid: "${key}" }) { notification { uuid } } }` },
    { query: `subscription { notificationAdded(sinceId: "${key}") { uuid } }` },
    { query: `mutation { apiKeyRevoke(input: { uuid: "${key}" }) { apiKey { uuid } } }` },
    {
      query: `mutation { webhookSecretReplace(input: { uuid: "x", secret: "${webhookSecret} x" }) { webhook { uuid } } }`,
    },
    {
      query: `mutation { webhookCreate(input: { url: 7, events: ["${value}"], secret: "${webhookSecret}" }) { secret } }`,
    },
    {
      query: 'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { webhook { uuid } } }',
      variables: {
        input: { url: webhookSecret, events: [webhookSecret], secret: [webhookSecret], secrets: webhookSecret },
      },
    },
    {
      query: 'mutation ($input: ServerCreateInput!) { serverCreate(input: $input) { server { uuid env headers } } }',
      variables: { input: { name: 'x', command: 'npx', env: { TOKEN: serverSecret, OTHER: [serverSecret] } } },
    },
    {
      query: 'mutation ($input: ServerUpdateInput!) { serverUpdate(input: $input) { server { uuid } } }',
      variables: { input: { uuid: serverSecret, env: serverSecret, headers: { Authorization: serverSecret } } },
    },
    { query: '{ ownServers { nodes { env headers command url } } proxiedServers { env headers } }' },
    { query: `{ webhook(uuid: "${webhookSecret}") { url } webhooks { nodes { url status } } }` },
  ];
};

const brokenBytes = ({ key, value }: Belongings): [what: string, bytes: string][] => {
  const head = `GET /api/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  return [
    ['no HTTP', `${key} ${value}\r\n\r\n`],
    ['a secret as the method', `${key} / HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a header without a colon', `${head}${key}\r\n\r\n`],
    ['too many headers', `${head}X-Large: ${value.repeat(3_000)}\r\n\r\n`],
    ['no host', `GET /${key} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n\r\n`],
    ['an absolute address', `GET http://${key}@x/${key} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['an upgrade elsewhere', `${head}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: ${key}\r\n\r\n`],
    ['both framings', `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${value}`],
  ];
};

async function socketCalls(base: string, { key, mistypedKey, value, password }: Belongings): Promise<Told[]> {
  const told: Told[] = [];
  const init = (Authorization: unknown) => ({ type: 'connection_init', payload: { Authorization, password } });
  const subscribe = (query: string, variables?: Record<string, unknown>) => ({
    type: 'subscribe',
    id: '1',
    payload: { query, variables },
  });
  const set = 'mutation ($input: ClipboardSetInput!) { clipboardSet(input: $input) { entry { uuid } } }';
  const conversations: unknown[][] = [
    [init(`Bearer ${mistypedKey}`)],
    [init([key])],
    [init(`Basic ${key}`)],
    [`{"type": "connection_init", "payload": "${key}`],
    [init(`Bearer ${key}`), { type: value, id: value }],
    [init(`Bearer ${key}`), `${value}`],
    [init(`Bearer ${key}`), subscribe(set, { input: { name: 'a', value: [value] } })],
    [init(`Bearer ${key}`), subscribe(set, { input: { name: `${value} !`, value } })],
    [init(`Bearer ${key}`), subscribe(`{ clipboardEntry(by: { name: "${value}" }) { uuid `)],
    [init(`Bearer ${key}`), subscribe('subscription { clipboardChanged { kind } }', { secret: key })],
  ];
  await Promise.all(
    conversations.map(async (messages) => {
      const connection = await openSocket(base, { headers: { 'X-Key': key } });
      const what = `socket: ${JSON.stringify(messages)}`;
      for (const message of messages) {
        if (connection.socket.readyState !== connection.socket.OPEN) break;
        connection.send(message as never);
        const answer = await Promise.race([connection.next(1_000).catch(String), connection.closed]);
        told.push([what, JSON.stringify(answer)]);
      }
      connection.socket.close();
      told.push([what, JSON.stringify(await connection.closed)]);
    }),
  );
  return told;
}

/** A stream that ends while it is listened to. */
async function eventStream(base: string, { key, value }: Belongings): Promise<string> {
  const query = `subscription ($secret: String) { clipboardChanged { kind } } # ${value}`;
  const stream = await openEventStream(base, query, { Authorization: `Bearer ${key}` }, { secret: key });
  const first = stream.next(300).catch(String);
  await callerOf({ base }, key)('POST', '/api/clipboard', { name: 'streamed', value });
  const text = JSON.stringify(await first);
  stream.close();
  return text;
}
