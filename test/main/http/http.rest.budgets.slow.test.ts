import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { expectApiError } from '../../support/http-stage.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type Call, callerOf, startTestServer, type TestServer, tenantOf } from '../../support/server.ts';

const push = '/api/clipboard/push';
const patient = { headers: 10_000, request: 60_000, every: 50, body: { graceMs: 60_000, bytesPerSecond: 1 } };
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection that has sent this much of a POST and keeps quiet. */
async function begun(server: TestServer, secret: string, text: string, path = push) {
  const { hostname, port } = new URL(server.base);
  // Half open: it does not close its side because the server closes the other.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  sockets.push(socket);
  const answer = { text: '' };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    answer.text += chunk;
  });
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n${text}`,
  );
  return { socket, answer };
}

/** Bytes that the server counts as held. */
const heldBy = async ({ base }: TestServer) =>
  Number(/^patchbay_body_bytes_in_flight (\d+)$/m.exec(await (await fetch(`${base}/metrics`)).text())?.[1]);

const announced = (bytes: number) => `Content-Length: ${bytes}\r\n\r\n{"value":"`;
const bodyOf = (characters: number) => ({ value: 'x'.repeat(characters) });
const statusOf = async (call: Call, characters: number) => (await call('POST', push, bodyOf(characters))).status;

describe('bytes of bodies in flight (J03)', () => {
  it(
    "over a caller's own are 429 before a byte is read, until the response is out",
    verifies('platform.bodies.in-flight'),
    async () => {
      const bytesInFlight = { caller: 1_000_000, process: 100_000_000 };
      const server = await startTestServer({}, undefined, { bytesInFlight, timeouts: patient });
      const { secret, call } = await tenantOf(server);
      const { call: other } = await tenantOf(server);
      const { socket } = await begun(server, secret, announced(800_000));
      await eventually('the body is counted', async () => (await heldBy(server)) === 800_000);

      const unread = await begun(server, secret, announced(300_000).split('{')[0] as string);
      await eventually('the answer', () => unread.answer.text.includes('retryAfter'));
      expect(unread.answer.text).toMatch(/^HTTP\/1\.1 429 [\s\S]*\r\nRetry-After: 1\r\n/);
      const refused = await call('POST', push, bodyOf(300_000));
      expectApiError(refused, 429, push);
      const graph = await call('POST', '/graphql', { query: '{ __typename }', variables: bodyOf(300_000) });
      expect([graph.status, graph.body.errors[0].extensions]).toEqual([429, { code: 'RATE_LIMITED', retryAfter: 1 }]);

      expect(await statusOf(call, 100_000)).toBe(200);
      expect(await statusOf(other, 300_000)).toBe(200);
      socket.destroy();
      await eventually('all bytes are given back', async () => (await heldBy(server)) === 0);
      expect(await statusOf(call, 700_000)).toBe(200);
    },
  );

  it('are read one after the other where they are large: 30 calls of 2 MB at once are all answered', async () => {
    const server = await startTestServer({}, undefined, { timeouts: patient });
    const { call } = await tenantOf(server);
    const large = () => call('POST', '/api/clipboard/push', { value: 'x'.repeat(2_000_000) });
    const answers = await Promise.all(Array.from({ length: 30 }, large));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  it('leave room for four values of 2 MB side by side, with every character escaped', async () => {
    const server = await startTestServer();
    const { call } = await tenantOf(server);
    const body = `{"value":"${'\\u0001'.repeat(2_097_152)}"}`;
    const answers = await Promise.all(Array.from({ length: 4 }, () => call('POST', push, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it(
    'over those of the process are 503, and a small body of another caller still finds room',
    verifies('platform.bodies.in-flight'),
    async () => {
      const bytesInFlight = { caller: 1_000_000, process: 1_000_000 };
      const server = await startTestServer({}, undefined, { bytesInFlight, timeouts: patient });
      const { secret } = await tenantOf(server);
      const { call: other } = await tenantOf(server);
      await begun(server, secret, announced(400_000));
      await eventually('the body is counted', async () => (await heldBy(server)) === 400_000);
      const refused = await other('POST', push, bodyOf(400_000));
      expectApiError(refused, 503, push);
      expect(refused.headers.get('Retry-After')).toBe('1');
      expect(await statusOf(other, 200_000)).toBe(200);
    },
  );

  it(
    'count the unpacked size of a packed body, and the size of chunks',
    verifies('platform.bodies.in-flight'),
    async () => {
      const bytesInFlight = { caller: 500_000, process: 100_000_000 };
      const server = await startTestServer({}, undefined, { bytesInFlight, timeouts: patient });
      const { secret, call } = await tenantOf(server);
      const packed = gzipSync(JSON.stringify({ value: randomBytes(300_000).toString('hex') }));
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      const request = { method: 'POST', path: push };
      const unpacked = await rawRequest(server.base, {
        ...request,
        headers: { ...headers, 'Content-Encoding': 'gzip' },
        body: packed,
      });
      expect(unpacked.status).toBe(429);
      const chunk = Buffer.alloc(100_000, ' ');
      expect((await rawRequest(server.base, { ...request, headers, body: Array(8).fill(chunk) })).status).toBe(429);
      expect(await statusOf(call, 400_000)).toBe(200);
    },
  );
});

describe('a body of a caller whose budget is spent (J03)', () => {
  it(
    "is not read where the operation's budget is spent, and the call counts once",
    verifies('platform.bodies.budget'),
    async () => {
      const limits = { '*': 'off', 'clipboard.write': '2/1m', general: '2/1m' };
      const server = await startTestServer({ RATE_LIMITS: JSON.stringify(limits) });
      const { secret, call } = await tenantOf(server);
      for (let i = 0; i < 2; i++) expect(await statusOf(call, 10)).toBe(200);
      for (let i = 0; i < 3; i++) {
        const { answer } = await begun(server, secret, 'Transfer-Encoding: chunked\r\n\r\n');
        await eventually('the answer, although nothing of the body was sent', () => answer.text.includes('retryAfter'));
        expect(answer.text).toMatch(/^HTTP\/1\.1 429 /);
        expect(answer.text).toContain('X-RateLimit-Limit: 2\r\nX-RateLimit-Remaining: 0\r\n');
      }
      const general = await call('GET', '/api/projects');
      expect([general.status, general.headers.get('X-RateLimit-Remaining')]).toEqual([200, '1']);
      const text = await (await fetch(`${server.base}/metrics`)).text();
      expect(text).toContain('patchbay_rate_limit_refusals_total{class="clipboard.write"} 3');
    },
  );

  it(
    'is not read: large bodies cost their megabytes, small ones nothing',
    verifies('platform.bodies.budget'),
    async () => {
      const server = await startTestServer({ RATE_LIMITS: JSON.stringify({ '*': 'off', bodies: '4/1m' }) });
      const { secret, call } = await tenantOf(server);
      for (let i = 0; i < 5; i++) expect(await statusOf(call, 200_000)).toBe(200);
      expect(await statusOf(call, 1_500_000)).toBe(200);
      expect(await statusOf(call, 1_500_000)).toBe(200);
      const { answer } = await begun(server, secret, 'Transfer-Encoding: chunked\r\n\r\n');
      await eventually('the answer, although nothing of the body was sent', () => answer.text.includes('retryAfter'));
      expect(answer.text).toMatch(/^HTTP\/1\.1 429 /);
      expect(answer.text).toContain('X-RateLimit-Limit: 4\r\n');
      expect(answer.text).toContain('X-RateLimit-Remaining: 0\r\n');
      expect((await call('GET', '/api/clipboard')).status).toBe(200);
    },
  );
});

describe('the structure of a body (J03)', async () => {
  const server = await startTestServer();
  const { call } = await tenantOf(server);
  const wide = (elements: number) => `{"value":"v","ignored":[${'{},'.repeat(elements / 2 - 2)}1]}`;
  const deep = (levels: number) => `{"value":"v","ignored":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

  it(
    'has at most 100 000 elements and 64 levels, in ignored fields too',
    verifies('platform.bodies.structure'),
    async () => {
      expect((await call('POST', push, wide(100_000))).status).toBe(200);
      expect((await call('POST', push, deep(64))).status).toBe(200);
      for (const [body, message] of [
        [wide(100_010), 'The body has more than 100000 elements'],
        [wide(4_000_000), 'The body has more than 100000 elements'],
        [deep(65), 'The body is nested more than 64 levels deep'],
        [deep(1_000_000), 'The body is nested more than 64 levels deep'],
      ] as const)
        for (const headers of [undefined, { 'Idempotency-Key': 'k' }]) {
          const answer = await call('POST', push, body, headers);
          expectApiError(answer, 400, push);
          expect(answer.body.details).toEqual({ body: message });
        }
    },
  );

  it('has at most 10 000 elements without a credential', verifies('platform.bodies.structure'), async () => {
    const unauthenticated = callerOf(server, null);
    const answer = await unauthenticated('POST', '/api/auth/sign-in', wide(10_010));
    expect(answer.body.error.details).toEqual({ body: 'The body has more than 10000 elements' });
    const graph = await unauthenticated('POST', '/graphql', `{"query":"{ __typename }","variables":${wide(10_010)}}`);
    expect(graph.body.errors[0].extensions.details).toEqual({ body: 'The body has more than 10000 elements' });
  });

  it(
    'is bounded in GraphQL too, and in the variables of an address',
    verifies('platform.bodies.structure'),
    async () => {
      const body = (variables: string) => `{"query":"{ __typename }","variables":${variables}}`;
      expect((await call('POST', '/graphql', body(deep(63)))).status).toBe(200);
      for (const variables of [deep(64), wide(100_010)]) {
        const { status, body: answer } = await call('POST', '/graphql', body(variables));
        expect([status, answer.errors[0].extensions.code]).toEqual([400, 'VALIDATION_ERROR']);
      }
      const get = (variables: string) =>
        call('GET', `/graphql?query={__typename}&variables=${encodeURIComponent(variables)}`);
      expect((await get(deep(64))).status).toBe(200);
      expect((await get(deep(65))).status).toBe(400);
    },
  );
});

describe('how a body comes (J03)', async () => {
  const server = await startTestServer({}, undefined, {
    timeouts: { headers: 10_000, request: 60_000, every: 50, body: { graceMs: 200, bytesPerSecond: 1_000_000 } },
  });
  const { secret, call } = await tenantOf(server);
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };

  it.each([
    ['with a length', announced(200_000)],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
    ['packed', 'Content-Encoding: gzip\r\nContent-Length: 100000\r\n\r\n'],
  ])(
    'too slowly, %s: 408, the end of the connection, and its bytes are given back',
    verifies('platform.http.limits'),
    async (_how, text) => {
      const { socket, answer } = await begun(server, secret, text);
      await within('the end of the connection', patienceMs, once(socket, 'end'));
      expect(answer.text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      // It has not closed its side.
      expect(socket.writable).toBe(true);
      await eventually('its bytes are given back', async () => (await heldBy(server)) === 0);
      expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
    },
  );

  it('is asked for with 100 Continue only when it is read', verifies('platform.bodies.budget'), async () => {
    const expecting = (bytes: number) => `Expect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`;
    const refused = await begun(server, secret, expecting(20_000_000));
    await eventually('the answer', () => refused.answer.text.includes('\r\n\r\n{'));
    expect(refused.answer.text).toMatch(/^HTTP\/1\.1 413 /);
    const body = '{"value":""}';
    const { socket, answer } = await begun(server, secret, expecting(body.length));
    await eventually('the invitation', () => answer.text.includes('\r\n\r\n'));
    expect(answer.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    await eventually('the answer', () => answer.text.includes('"success":true'));
  });

  it('in pieces of one byte: 400 after some of them', verifies('platform.bodies.structure'), async () => {
    const pieces = `Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(5_000)}`;
    const { answer } = await begun(server, secret, pieces, '/api/collections');
    await eventually('the answer', () => answer.text.includes('The body comes in too many pieces'));
    expect(answer.text).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('packed a thousand to one: 413, beyond 256 kB', verifies('platform.bodies.structure'), async () => {
    const send = (body: unknown) =>
      rawRequest(server.base, { method: 'POST', path: push, headers, body: gzipSync(JSON.stringify(body)) });
    const refused = await send(bodyOf(2_000_000));
    expect(refused.status).toBe(413);
    expect(refused.text).toContain('The body unpacks to more than 100 times its size');
    expect((await send(bodyOf(200_000))).status).toBe(200);
  });

  it('packed from more than 8 MB: 413, and taken as it is', verifies('platform.bodies.structure'), async () => {
    const body = Buffer.from(JSON.stringify({ value: 'x', ignored: randomBytes(4_100_000).toString('hex') }));
    const send = (request: { headers: Record<string, string>; body: Buffer }) =>
      rawRequest(server.base, { method: 'POST', path: push, ...request });
    const refused = await send({ headers, body: gzipSync(body, { level: 1 }) });
    expect(refused.status).toBe(413);
    expect(refused.text).toContain('The body unpacks to more than 8 MB: send it without Content-Encoding');
    const { 'Content-Encoding': _, ...plain } = headers;
    expect((await send({ headers: plain, body })).status).toBe(200);
  });
});
