import { connectedSocket, openSocket } from '../support/graphql-socket.ts';
import { type Check, type Outcome, outcomeOf, refusedOutright, seen, skipped } from './check.ts';
import { ask, type Outgoing, send, type Target } from './target.ts';

const evil = 'https://evil.example';
const mark = 'made by an attack';
const mutation = `mutation M { clipboardPush(input: { value: "${mark}" }) { entry { uuid } } }`;
const foreign = { Origin: evil, 'Sec-Fetch-Site': 'cross-site' };

/** A write that must not happen: refused in words, and nothing is stored by the end. */
function forged(name: string, severity: Check['severity'], request: Outgoing): Check {
  return {
    name,
    severity,
    async attack(target) {
      if (request.as === 'session' && target.session === null) return skipped('no session to borrow');
      const reply = await send(target, request);
      const stored = await ask(target, '{ clipboardEntries(first: 100) { nodes { value } } }', {
        as: request.as ?? 'key',
      });
      const isStored = stored.text.includes(mark) || stored.json?.errors !== undefined;
      return outcomeOf(isStored || refusedOutright(reply).verdict === 'exposed', seen(reply));
    },
  };
}

const body = JSON.stringify({ query: mutation });
const form = new URLSearchParams({ query: mutation }).toString();
const boundary = '----x';
const part = (name: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const parts = `${part('operations', body)}${part('map', '{}')}--${boundary}--\r\n`;
const search = `?${new URLSearchParams({ query: mutation })}`;
const ofType = (type: string, content: string, as: Outgoing['as'] = 'session'): Outgoing => ({
  headers: { 'Content-Type': type, ...(as === 'session' && foreign) },
  body: content,
  as,
});

/** What another site, or another reader of the same bytes, could make of a request. */
export const forgery: readonly Check[] = [
  forged('mutation over GET', 'high', { method: 'GET', search }),
  forged('mutation over GET with the cookie', 'high', { method: 'GET', search, as: 'session', headers: foreign }),
  forged('mutation over GET, chosen by operationName', 'high', {
    method: 'GET',
    search: `?${new URLSearchParams({ query: `query Q { __typename } ${mutation}`, operationName: 'M' })}`,
  }),
  forged('mutation over GET, called POST by a header', 'high', {
    method: 'GET',
    search,
    headers: { 'X-HTTP-Method-Override': 'POST', 'X-HTTP-Method': 'POST', 'X-Method-Override': 'POST' },
  }),
  forged('mutation in the address of a POST', 'medium', {
    search,
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  }),
  forged('mutation by PUT', 'medium', { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body }),
  forged('url-encoded POST', 'high', ofType('application/x-www-form-urlencoded', form, 'key')),
  forged('url-encoded POST of another site with the cookie', 'high', ofType('application/x-www-form-urlencoded', form)),
  forged('text/plain POST of another site with the cookie', 'high', ofType('text/plain', body)),
  forged(
    'multipart POST of another site with the cookie',
    'high',
    ofType(`multipart/form-data; boundary=${boundary}`, parts),
  ),
  forged('multipart upload', 'medium', ofType(`multipart/form-data; boundary=${boundary}`, parts, 'key')),
  forged('application/graphql', 'medium', ofType('application/graphql', mutation, 'key')),
  forged('JSON of another site with the cookie', 'high', ofType('application/json', body)),
  forged('no content type', 'medium', { body: new TextEncoder().encode(body) }),
  forged('text/plain that mentions application/json', 'high', ofType('text/plain; application/json', body)),
  forged('two content types in one', 'medium', ofType('application/json, text/plain', body, 'key')),
  forged('JSON in another charset', 'medium', ofType('application/json; charset=utf-7', body, 'key')),
  {
    name: 'queries over GET',
    severity: 'medium',
    decided: 'GraphQL over HTTP; a query changes nothing, and no other site can read the answer',
    async attack(target) {
      const reply = await send(target, { method: 'GET', search: '?query={__typename}' });
      return outcomeOf(Boolean(reply.json?.data?.__typename), seen(reply));
    },
  },
  {
    name: 'answers with the cookie that another site may read',
    severity: 'high',
    async attack(target) {
      const replies = [
        await send(target, { method: 'GET', search: '?query={viewer{user{id}}}', as: 'session', headers: foreign }),
        await send(target, {
          method: 'OPTIONS',
          headers: {
            ...foreign,
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'content-type',
          },
        }),
      ];
      const told = replies.map(({ headers }) => headers.get('access-control-allow-credentials'));
      return outcomeOf(
        told.some((value) => value !== null),
        `Access-Control-Allow-Credentials: ${told.join(', ')}`,
      );
    },
  },
  {
    name: 'subscription over GET with the cookie of another site',
    severity: 'medium',
    async attack(target) {
      if (target.session === null) return skipped('no session to borrow');
      const reply = await send(target, {
        method: 'GET',
        search: '?query=subscription{clipboardChanged{kind}}',
        as: 'session',
        headers: { Accept: 'text/event-stream', ...foreign },
      });
      // A page of another site can open it and read nothing: no header lets it.
      const isReadable = reply.headers.get('access-control-allow-credentials') !== null;
      return outcomeOf(isReadable || reply.status >= 500, `${seen(reply)}; not readable`);
    },
  },
  {
    name: 'subscription that is answered as a query',
    severity: 'low',
    async attack(target) {
      const reply = await ask(target, 'subscription { clipboardChanged { kind } }');
      return outcomeOf(reply.status >= 500 || reply.status === 0, seen(reply));
    },
  },
  {
    name: 'persisted queries: stored without a credential, run by a hash',
    severity: 'high',
    async attack(target) {
      const { createHash } = await import('node:crypto');
      const sha256Hash = createHash('sha256').update('{ __typename }').digest('hex');
      const extensions = { persistedQuery: { version: 1, sha256Hash } };
      await ask(target, '{ __typename }', { extensions });
      const headers = { 'Content-Type': 'application/json' };
      const byPost = await send(target, { headers, body: JSON.stringify({ extensions }) });
      const byGet = await send(target, {
        method: 'GET',
        search: `?extensions=${encodeURIComponent(JSON.stringify(extensions))}`,
      });
      const ran = [byPost, byGet].find((reply) => refusedOutright(reply).verdict === 'exposed');
      return outcomeOf(ran !== undefined, seen(ran ?? byPost));
    },
  },
  socket('a socket of another site with the cookie', 'high', async (target) => {
    if (target.session === null) return skipped('no session to borrow');
    const connection = await openSocket(target.base, {
      headers: { Cookie: `session_token=${target.session}`, Origin: evil },
    });
    connection.send({ type: 'connection_init' });
    const { code } = await connection.closed;
    return outcomeOf(connection.waiting.length > 0, `closed with ${code}`);
  }),
  socket('an operation before connection_init', 'high', async ({ base }) => {
    const connection = await openSocket(base);
    connection.send({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } });
    const { code } = await connection.closed;
    return outcomeOf(connection.waiting.length > 0, `closed with ${code}`);
  }),
  socket('a frame of 1 MB before connection_init', 'medium', async ({ base }) => {
    const connection = await openSocket(base);
    connection.send('x'.repeat(1_000_000));
    const { code } = await connection.closed;
    return outcomeOf(![1009, 1006].includes(code), `closed with ${code}`);
  }),
  socket('1 000 subscriptions on one socket', 'high', async ({ base, key }) => {
    const connection = await connectedSocket(base, key);
    const query = 'subscription { clipboardChanged { kind } }';
    for (let i = 0; i < 1_000; i++) connection.send({ type: 'subscribe', id: `s${i}`, payload: { query } });
    const { code } = await connection.closed;
    return outcomeOf(code !== 4429, `closed with ${code} after ${connection.waiting.length} refusals`);
  }),
  socket('the limits of documents over a socket', 'high', async ({ base, key }) => {
    const connection = await connectedSocket(base, key);
    const query = `{ ${Array.from({ length: 101 }, (_, i) => `a${i}: __typename`).join(' ')} }`;
    connection.send({ type: 'subscribe', id: '1', payload: { query } });
    const message = await connection.next();
    connection.socket.close();
    return outcomeOf(message.type !== 'error', JSON.stringify(message).slice(0, 120));
  }),
];

/** A check over a socket; one that is neither answered nor closed in time is exposed. */
function socket(name: string, severity: Check['severity'], attack: (target: Target) => Promise<Outcome>): Check {
  return {
    name,
    severity,
    async attack(target) {
      const late = new Promise<Outcome>((resolve) => {
        setTimeout(() => resolve(outcomeOf(true, 'neither answered nor closed in 10 s')), 10_000).unref();
      });
      return Promise.race([attack(target), late]).catch((error) => outcomeOf(true, String(error)));
    },
  };
}
