import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { connectedSocket } from '../../support/graphql-socket.ts';
import { startTestServer, tenantOf } from '../../support/server.ts';

const server = await startTestServer();
const { call, secret } = await tenantOf(server);

const query = '{ viewer { user { username } } }';
const sha256Hash = createHash('sha256').update(query).digest('hex');
const extensions = { persistedQuery: { version: 1, sha256Hash } };
const notSupported = [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }];
const inAddress = (parameters: Record<string, string>) => `/graphql?${new URLSearchParams(parameters)}`;

describe('a hash of a persisted query without a text', verifies('graph.persisted-queries'), () => {
  it.each([
    ['no query', {}],
    ['null', { query: null }],
    ['an empty query', { query: '' }],
    ['a name and variables', { operationName: 'A', variables: { a: 1 } }],
  ])('by POST with %s is asked for the text', async (_what, more) => {
    const { status, body } = await call('POST', '/graphql', { ...more, extensions });
    expect([status, body]).toEqual([200, { errors: notSupported }]);
  });

  it.each(['*/*', 'application/json', 'application/graphql-response+json', 'text/html,*/*'])(
    'by GET that accepts %s has the same error, and no cache keeps it',
    async (accept) => {
      const path = inAddress({ extensions: JSON.stringify(extensions), variables: '{}' });
      const { status, body, headers } = await call('GET', path, undefined, { Accept: accept });
      expect([status, body]).toEqual([200, { errors: notSupported }]);
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it('over a socket has the same error, and the socket stays open', async () => {
    const { send, next } = await connectedSocket(server.base, secret);
    for (const [id, payload] of Object.entries({
      a: { extensions },
      b: { query: '', extensions },
      c: { query: null, extensions },
    })) {
      send({ id, type: 'subscribe', payload });
      expect(await next()).toEqual({ id, type: 'error', payload: notSupported });
    }
    send({ id: 'd', type: 'subscribe', payload: { query, extensions } });
    expect(await next()).toMatchObject({ id: 'd', type: 'next', payload: { data: { viewer: expect.any(Object) } } });
  });

  it('is counted like any request that runs nothing', async () => {
    const strict = await startTestServer({ RATE_LIMITS: '{"*": "off", "general": "2/1m"}' });
    const tenant = await tenantOf(strict);
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) statuses.push((await tenant.call('POST', '/graphql', { extensions })).status);
    expect(statuses).toEqual([200, 200, 429]);
    const { send, next } = await connectedSocket(strict.base, tenant.secret);
    send({ id: 'a', type: 'subscribe', payload: { extensions } });
    expect((await next()).payload).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
  });
});

it('a text with its hash runs as if it had none', async () => {
  const answers = [
    await call('POST', '/graphql', { query, extensions }),
    await call('GET', inAddress({ query, extensions: JSON.stringify(extensions) })),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body.data.viewer.user.username).toEqual(expect.any(String));
  }
});

describe('a request without a query', verifies('graph.http'), () => {
  const apiError = {
    errors: [
      {
        message: 'Validation error',
        extensions: { code: 'VALIDATION_ERROR', details: { query: 'query is required and must be a string' } },
      },
    ],
  };

  it.each(['*/*', 'application/json', 'application/graphql-response+json', 'text/event-stream'])(
    'by GET that accepts %s is 400',
    async (accept) => {
      for (const path of ['/graphql', '/graphql?operationName=A', '/graphql?variables=%7B%7D']) {
        const { status, body } = await call('GET', path, undefined, { Accept: accept });
        expect([status, body]).toEqual([400, apiError]);
      }
    },
  );

  it.each([
    {},
    { query: null },
    { query: 7 },
    { extensions: {} },
    { extensions: { persistedQuery: null } },
    { extensions: 'x' },
  ])('by POST with %j is 400', async (body) => {
    const answer = await call('POST', '/graphql', body);
    expect([answer.status, answer.body]).toEqual([400, apiError]);
  });

  it('is the page where a browser opens the address', async () => {
    const { status, headers } = await call('GET', '/graphql', undefined, { Accept: 'text/html,application/xhtml+xml' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});
