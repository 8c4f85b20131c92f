import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { httpTimeouts } from '../../../src/main/http/app.ts';
import { verifies } from '../../requirements.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { exchange } from '../../support/raw-socket.ts';
import { type Call, startTestServer, type TestServer, tenantOf } from '../../support/server.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

/** Real patience is ten seconds and a minute; here it is short, so that it can be seen to end. */
const timeouts = { headers: 400, request: 800, every: 50, body: { graceMs: 60_000, bytesPerSecond: 1 } };

let server: TestServer;
let secret: string;
let call: Call;

const sockets: Socket[] = [];

beforeAll(async () => {
  server = await startTestServer({}, undefined, { timeouts });
  ({ secret, call } = await tenantOf(server));
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function connected(base = server.base): Promise<Socket> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends a text byte by byte, again and again, until the server ends the connection. */
async function trickle(first: string, byte: string) {
  const socket = await connected();
  const startedAt = performance.now();
  const countedMs = startStopwatch();
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(first);
  const timer = setInterval(() => socket.write(byte), 20);
  await within('the end of the connection', patienceMs, once(socket, 'close'));
  clearInterval(timer);
  return { text, milliseconds: performance.now() - startedAt, countedMs: countedMs() };
}

const head = (more: string, path = '/api/clipboard') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n${more}`;

const timeout =
  /^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n.*\{"error":\{"code":"VALIDATION_ERROR","message":"Request Timeout"\}\}\n$/s;

describe('a slow sender (I08)', () => {
  it('has ten seconds for headers, and for a body what its pace gives it', verifies('platform.http.limits'), () => {
    expect(httpTimeouts).toEqual({
      headers: 10_000,
      request: 1_200_000,
      every: 1_000,
      body: { graceMs: 10_000, bytesPerSecond: 300_000 },
    });
  });

  it.each([
    ['headers', () => head('X-Slow: ')],
    ['a request line', () => 'GET /api/clip'],
    ['headers behind a request that was answered', () => `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${head('X-Slow: ')}`],
  ])(
    'of %s that never end get a 408 and lose the connection',
    verifies('platform.http.limits'),
    async (_what, first) => {
      const { text, milliseconds, countedMs } = await trickle(first(), 'x');
      expect(text.slice(text.lastIndexOf('HTTP/1.1'))).toMatch(timeout);
      expect(milliseconds).toBeGreaterThanOrEqual(timeouts.headers - 50);
      expect(countedMs).toBeLessThan(3_000);
    },
  );

  it.each([
    ['with a length', 'Content-Length: 100000\r\n\r\n{"value":"', 'x'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ])(
    'of a body %s gets a 408, and none of it is stored',
    verifies('platform.http.limits'),
    async (_what, rest, byte) => {
      const { text, milliseconds, countedMs } = await trickle(head(rest, '/api/clipboard/push'), byte);
      expect(text).toMatch(timeout);
      expect(milliseconds).toBeGreaterThanOrEqual(timeouts.request - 50);
      expect(countedMs).toBeLessThan(4_000);
      expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
    },
  );

  it('of nothing at all loses the connection too', async () => {
    const { countedMs } = await trickle('', '');
    expect(countedMs).toBeLessThan(3_000);
  });

  it('that listens for long is not slow: a stream of events outlives both', async () => {
    const stream = await openEventStream(server.base, 'subscription { clipboardChanged { kind } }', {
      Authorization: `Bearer ${secret}`,
    });
    await delay(timeouts.request + 300);
    const event = stream.next();
    await call('POST', '/api/clipboard', { name: 'late', value: 'x' });
    expect((await event)?.data).toEqual({ data: { clipboardChanged: { kind: 'SET' } } });
    stream.close();
    await call('DELETE', '/api/clipboard/all');
  });
});

describe('many connections (I08)', () => {
  it('a thousand idle ones and a hundred slow ones do not delay others', async () => {
    // None of them is slow yet when a busy machine takes half a minute for this test.
    const patient = await startTestServer({}, undefined, {
      timeouts: { ...httpTimeouts, headers: patienceMs, request: patienceMs },
    });
    const { call: other } = await tenantOf(patient);
    const connections = await Promise.all(Array.from({ length: 1_100 }, () => connected(patient.base)));
    const slow = connections.slice(1_000);
    // Half of the thousand are kept after an answer, as agents and browsers keep them; the others never said anything.
    const kept = connections.slice(0, 500);
    for (const socket of kept) socket.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    for (const socket of slow) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await eventually('the five hundred answers', () => kept.every(({ bytesRead }) => bytesRead > 0));
    const timer = setInterval(() => {
      for (const socket of slow) socket.write('x');
    }, 50);
    let slowestMs = 0;
    for (let count = 0; count < 50; count++) {
      const elapsedMs = startStopwatch();
      expect((await other('POST', '/api/clipboard/push', { value: 'x' })).status).toBe(200);
      slowestMs = Math.max(slowestMs, elapsedMs());
    }
    clearInterval(timer);
    expect(slowestMs).toBeLessThan(1_000);
    expect(connections.filter((socket) => socket.destroyed)).toEqual([]);
  });

  it('thirty requests in one packet are answered in their order, also behind a slow one and a refused one', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
    const body = JSON.stringify({ name: 'piped', value: 'x' });
    const set = `${head(`Content-Length: ${body.length}\r\n`)}\r\n${body}`;
    const round = set + get('/healthz') + get('/nothing');
    const { answers } = await exchange(server.base, round.repeat(10), { answersMax: 30 });
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => [200, 200, 404]).flat());
    for (const [index, { body: text }] of answers.entries())
      expect(Object.keys(JSON.parse(text))[0]).toBe(['success', 'status', 'error'][index % 3]);
  });
});
