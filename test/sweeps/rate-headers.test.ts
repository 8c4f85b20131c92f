import { describe, expect, it } from 'vitest';
import type { Route } from '../../rest-adapter/route.ts';
import { verifies } from '../requirements.ts';
import { bodied, distinctRoutes, pathOf, titled } from '../support/http-stage.ts';
import { sessionOf } from '../support/people.ts';
import { type Answer, type Call, callerOf, startTestServer, tenantOf } from '../support/server.ts';

const everyClass = (limit: string) => ({ RATE_LIMITS: JSON.stringify({ '*': limit }) });
const server = await startTestServer(everyClass('100000/1m'));
const nobody = callerOf(server, null);
const wrongKey = callerOf(server, `pbk_${'a'.repeat(49)}`);
const { call: withKey } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
const { call: withCookie } = await sessionOf(server);

function expectRateHeaders({ status, headers, text }: Answer, expected?: number): void {
  if (expected !== undefined) expect(status, text).toBe(expected);
  const label = `${status}: ${text.slice(0, 200)}`;
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
    expect(headers.get(name), `${name} of ${label}`).toMatch(/^\d+$/);
  expect(headers.has('Retry-After'), label).toBe(status === 429);
}

const callOf = ({ access }: Route): Call => (access === 'session' ? withCookie : withKey);
const closed = distinctRoutes.filter(({ access }) => access !== 'public');

describe('every answer that counts tells what is left', verifies('everywhere.rate-headers'), () => {
  it.each(titled(closed))('%s without a key, and with a wrong one, is 401', async (_title, route) => {
    expectRateHeaders(await nobody(route.method, pathOf(route)), 401);
    expectRateHeaders(await wrongKey(route.method, pathOf(route)), 401);
  });

  it.each(titled(bodied))('%s with a body that is no JSON is 400, and of another type 415', async (_title, route) => {
    const call = callOf(route);
    expectRateHeaders(await call(route.method, pathOf(route), '{'), 400);
    expectRateHeaders(await call(route.method, pathOf(route), '{}', { 'Content-Type': 'text/plain' }), 415);
  });

  it.each(titled(distinctRoutes))('%s with an id that leads nowhere, or without its fields', async (_title, route) => {
    expectRateHeaders(await callOf(route)(route.method, pathOf(route)));
    expectRateHeaders(await callOf(route)(route.method, `${pathOf(route)}?limit=x&limit=y`), 400);
  });

  it('an unknown path is 404, for everybody', async () => {
    for (const call of [nobody, withKey, withCookie]) expectRateHeaders(await call('GET', '/api/nothing'), 404);
  });

  it('every route over its limit is 429, also for a body that is no JSON', async () => {
    const strict = await startTestServer(everyClass('1/1m'));
    for (const route of distinctRoutes) {
      const { call } =
        route.access === 'session'
          ? await sessionOf(strict)
          : await tenantOf(strict, { scopes: ['read', 'write', 'admin'] });
      await call(route.method, pathOf(route));
      expectRateHeaders(await call(route.method, pathOf(route)), 429);
      const body = route.method === 'GET' ? undefined : '{';
      expectRateHeaders(await call(route.method, pathOf(route), body), 429);
    }
  });

  it('a 429 tells of the class whose limit it exceeds, whatever else was counted', async () => {
    const limits = { '*': 'off', bodies: '1/1m', general: '100/1m', 'clipboard.write': '100/1m' };
    const strict = await startTestServer({ RATE_LIMITS: JSON.stringify(limits) });
    const { call } = await tenantOf(strict);
    const push = () => call('POST', '/api/clipboard/push', { value: 'x'.repeat(300_000) });
    expect((await push()).status).toBe(200);
    const refused = await push();
    expectRateHeaders(refused, 429);
    expect(refused.headers.get('X-RateLimit-Limit')).toBe('1');
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('0');
  });

  it('calls without a key, and with wrong keys, are 429 in the end', async () => {
    const strict = await startTestServer(everyClass('1/1m'));
    for (const secret of [null, `pbk_${'a'.repeat(49)}`]) {
      const call = callerOf(strict, secret);
      expectRateHeaders(await call('GET', '/api/clipboard'), 401);
      expectRateHeaders(await call('GET', '/api/clipboard'), 429);
      expectRateHeaders(await call('GET', '/api/nothing'), 429);
      expectRateHeaders(await call('POST', '/graphql', { query: '{ __typename }' }), 429);
    }
  });
});

describe('every answer of GraphQL that counts tells what is left', () => {
  const json = { 'Content-Type': 'application/json' };
  const get = (query: string) => ({ method: 'GET', path: `/graphql?query=${encodeURIComponent(query)}` });
  const post = (body: unknown, headers: Record<string, string> = json) => ({
    method: 'POST',
    path: '/graphql',
    body,
    headers,
  });
  const viewer = '{ viewer { user { uuid } } }';
  const tooMuch = `{ clipboardEntries(first: 100) { ${Array.from({ length: 90 }, (_, i) => `a${i}: nodes { uuid name value }`).join(' ')} } }`;

  it.each([
    ['a query', post({ query: viewer })],
    ['a query by GET', get(viewer)],
    ['a query as a stream', post({ query: viewer }, { ...json, Accept: 'text/event-stream' })],
    ['a document that is not valid', post({ query: '{ nothingOfThat }' })],
    ['a document that is not valid, by GET', get('{ nothingOfThat }')],
    ['text that is no document', post({ query: '{' })],
    ['text that is no document, by GET', get('{')],
    ['an operation that is not in the document', post({ query: 'query A { __typename }', operationName: 'B' })],
    ['too much at once', post({ query: tooMuch })],
    ['a mutation by GET', get('mutation { clipboardPop { entry { uuid } } }')],
    ['variables that are no object', post({ query: viewer, variables: 'x' })],
    ['a parameter that there is not', post({ query: viewer, surplus: 1 })],
    [
      'variables in the address that are no JSON',
      { method: 'GET', path: '/graphql?query=%7B__typename%7D&variables=x' },
    ],
    ['a body without a query', post({})],
    ['a body that is no JSON', post('{')],
    ['another type of body', post('{}', { 'Content-Type': 'text/plain' })],
  ] satisfies [string, { method: string; path: string; body?: unknown; headers?: Record<string, string> }][])(
    '%s',
    async (_what, { method, path, ...rest }) => {
      const { body, headers } = rest as { body?: unknown; headers?: Record<string, string> };
      const { call } = await tenantOf(server);
      const [first, second] = [await call(method, path, body, headers), await call(method, path, body, headers)];
      for (const answer of [first, second]) expectRateHeaders(answer);
      // Each counts once, and not once for each step that looks at it.
      const remaining = [first, second].map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
      expect((remaining[0] as number) - (remaining[1] as number)).toBe(1);
      expectRateHeaders(await nobody(method, path, body, headers));
      expectRateHeaders(await wrongKey(method, path, body, headers), 401);
    },
  );

  it('over its limit each of them is 429', async () => {
    const strict = await startTestServer(everyClass('1/1m'));
    for (const body of [{ query: viewer }, { query: '{' }, { query: viewer, surplus: 1 }, {}, '{']) {
      const { call } = await tenantOf(strict);
      await call('POST', '/graphql', body);
      expectRateHeaders(await call('POST', '/graphql', body), 429);
    }
  });
});
