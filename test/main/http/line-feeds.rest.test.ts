import { expect, it } from 'vitest';
import { openEventStream } from '../../support/event-stream.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { startTestServer, tenantOf } from '../../support/server.ts';

const server = await startTestServer();
const { secret, call } = await tenantOf(server);
const json = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
const graph = (query: string) => ({
  method: 'POST',
  path: '/graphql',
  headers: json,
  body: Buffer.from(JSON.stringify({ query })),
});

it.each([
  ['a REST response', 200, { method: 'GET', path: '/api/clipboard', headers: json }],
  ['a REST error', 404, { method: 'GET', path: '/api/clipboard?name=none', headers: json }],
  ['an unknown path', 404, { method: 'GET', path: '/api/nothing', headers: json }],
  ['a body that is not JSON', 400, { method: 'POST', path: '/api/clipboard', headers: json, body: Buffer.from('{') }],
  ['a GraphQL response', 200, graph('{ viewer { user { username } } }')],
  ['a GraphQL document that is not valid', 200, graph('{ nothing }')],
  [
    'a GraphQL request without a query',
    400,
    { method: 'POST', path: '/graphql', headers: json, body: Buffer.from('{}') },
  ],
  ['a GraphQL query by GET', 200, { method: 'GET', path: '/graphql?query=%7B__typename%7D', headers: json }],
  ['/healthz', 200, { method: 'GET', path: '/healthz' }],
  ['/openapi.json', 200, { method: 'GET', path: '/openapi.json' }],
  ['a method that a page does not have', 405, { method: 'DELETE', path: '/healthz' }],
])('%s ends with one line feed, within its Content-Length', async (_what, status, request) => {
  const answer = await rawRequest(server.base, request);
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(/[}\]]\n$/);
  expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text));
  expect(() => JSON.parse(answer.text)).not.toThrow();
});

it('a replayed response has the bytes of the first', async () => {
  const push = { method: 'POST', path: '/api/clipboard/push', body: Buffer.from('{"value":"once"}') };
  const once = () => rawRequest(server.base, { ...push, headers: { ...json, 'Idempotency-Key': 'line-feed' } });
  const [first, again] = [await once(), await once()];
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.text).toBe(first.text);
  expect(again.text).toMatch(/\}\n$/);
});

it('events of a stream have no line of their own for it', async () => {
  const stream = await openEventStream(server.base, 'subscription { clipboardChanged { kind } }', json);
  await call('POST', '/api/clipboard/push', { value: 'x' });
  expect((await stream.next())?.data).toEqual({ data: { clipboardChanged: { kind: 'PUSHED' } } });
});
