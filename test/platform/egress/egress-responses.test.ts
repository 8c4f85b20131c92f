import { afterAll, describe, expect, it } from 'vitest';
import { allowancesOf, noAllowances } from '../../../src/platform/egress/allowances.ts';
import { createEgress, type EgressRequest } from '../../../src/platform/egress/egress.ts';
import { eventually } from '../../support/deadline.ts';
import { failureOf } from '../../support/failed-request.ts';
import { type Answer, answering, createReceiver } from '../../support/receiver.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

const allow = allowancesOf('127.0.0.0/8') ?? noAllowances;
const egress = createEgress({ isProduction: false, allow });
afterAll(() => egress.close());

/** Sends a request to a receiver that answers as told, and sees that no connection is left where none may be. */
async function send(answer: Answer, request: Partial<EgressRequest> = {}) {
  const receiver = await createReceiver(answer);
  const startedAt = performance.now();
  const countedMs = startStopwatch();
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const sent = egress.request({ url, method: 'POST', body: 'hello', totalTimeoutMs: 2_000, ...request });
  return {
    receiver,
    sent,
    elapsedMs: () => performance.now() - startedAt,
    countedMs,
    [Symbol.asyncDispose]: receiver[Symbol.asyncDispose],
  };
}

const later = (milliseconds: number, work: () => void) => setTimeout(work, milliseconds);
const drip =
  (start: string, piece: string): Answer =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.on('close', () => clearInterval(timer));
  };

describe('the deadline (D06)', () => {
  it('lets an answer pass that comes just in time', async () => {
    await using call = await send(
      (socket) => later(480, () => answering('late')(socket, { head: '', body: '', number: 1 })),
      {
        totalTimeoutMs: 600,
      },
    );
    const { status, ms } = await call.sent;
    expect(status).toBe(200);
    expect(ms).toBeGreaterThanOrEqual(475);
  });

  const patient: readonly [string, Answer, number | null][] = [
    [
      'an answer that comes too late',
      (socket) => later(400, () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')),
      null,
    ],
    ['no answer at all', () => undefined, null],
    ['headers in slow drips', drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n'), null],
    ['one header that never ends', drip('HTTP/1.1 200 OK\r\nX: ', 'y'), null],
    ['interim answers without an end', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), null],
    ['a body in slow drips', drip('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', 'x'), 200],
    ['chunks without an end', drip('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'), 200],
    ['a body that stops short', (socket) => socket.write('HTTP/1.1 202 OK\r\nContent-Length: 9\r\n\r\nx'), 202],
    [
      'a body that ends with the connection, which never does',
      (socket) => socket.write('HTTP/1.1 500 No\r\n\r\nx'),
      500,
    ],
  ];
  it.each(patient)('ends %s, and destroys the socket', async (_what, answer, status) => {
    await using call = await send(answer, { totalTimeoutMs: 250 });
    const failure = await failureOf(call.sent);
    expect([failure.reason, failure.status]).toEqual(['timeout', status]);
    expect(call.elapsedMs()).toBeGreaterThan(240);
    expect(call.countedMs()).toBeLessThan(1_000);
    await eventually('the socket is gone', () => call.receiver.open() === 0);
  });

  it('covers the name and the connection too', async () => {
    const neverResolved = createEgress({ isProduction: false, allow, resolve: () => new Promise(() => undefined) });
    const elapsedMs = startStopwatch();
    const request = { url: 'http://example.com/', method: 'GET', totalTimeoutMs: 150 } as const;
    expect((await failureOf(neverResolved.request(request))).reason).toBe('timeout');
    expect(elapsedMs()).toBeLessThan(1_000);
  });

  it('spares an answer that was there in time, when this process was too busy to read it', async () => {
    const busy: Answer = (socket, request) => {
      answering('there')(socket, request);
      const until = performance.now() + 300;
      while (performance.now() < until);
    };
    await using call = await send(busy, { totalTimeoutMs: 150 });
    expect((await call.sent).body.toString()).toBe('there');
  });

  it('gives up at once when the caller does', async () => {
    const signal = AbortSignal.timeout(50);
    await using call = await send(() => undefined, { signal });
    expect((await failureOf(call.sent)).reason).toBe('aborted');
    await eventually('the socket is gone', () => call.receiver.open() === 0);
    expect(
      (await failureOf(egress.request({ url: 'https://example.com', method: 'GET', totalTimeoutMs: 50, signal })))
        .reason,
    ).toBe('aborted');
  });
});

describe('an answer', () => {
  it.each([301, 302, 303, 307, 308])('of %i is a status, and is not followed (D07)', async (status) => {
    await using target = await createReceiver(answering('target'));
    const location = `Location: http://127.0.0.1:${target.port}/\r\n`;
    await using call = await send(answering('moved', `${status} Moved`, location));
    expect(await call.sent).toMatchObject({ status, headers: { location: `http://127.0.0.1:${target.port}/` } });
    expect(target.connections()).toBe(0);
  });

  it('has the status, the headers and the body as they came; nothing is decompressed', async () => {
    const headers = 'X-A: 1\r\nX-A: 2\r\nContent-Encoding: gzip\r\nSet-Cookie: a=b\r\n';
    await using call = await send(answering('nö gzip', '418 Teapot', headers));
    const { status, headers: seen, body, isTruncated, ms } = await call.sent;
    expect([status, body.toString(), isTruncated]).toEqual([418, 'nö gzip', false]);
    expect(seen).toMatchObject({ 'x-a': ['1', '2'], 'content-encoding': 'gzip' });
    expect(Number.isInteger(ms)).toBe(true);
  });

  it.each([
    [99, 'x'.repeat(99), false],
    [100, 'x'.repeat(100), false],
    [101, 'x'.repeat(100), true],
    [5_000_000, 'x'.repeat(100), true],
  ])('of %i bytes is read up to a cap of 100, and the rest is left', async (length, expected, isTruncated) => {
    await using call = await send(answering('x'.repeat(length)), { responseBytesMax: 100 });
    const response = await call.sent;
    expect([response.body.toString(), response.isTruncated]).toEqual([expected, isTruncated]);
    if (isTruncated) await eventually('the socket is gone', () => call.receiver.open() === 0);
  });

  it('without an end is cut at 64 KB, long before the deadline', async () => {
    const piece = `2000\r\n${'x'.repeat(8_192)}\r\n`;
    const endless: Answer = (socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece));
        if (!socket.destroyed) socket.once('drain', more);
      };
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      more();
    };
    await using call = await send(endless);
    const { body, isTruncated } = await call.sent;
    expect([body.length, isTruncated]).toEqual([65_536, true]);
    await eventually('the socket is gone', () => call.receiver.open() === 0);
  });

  it.each([
    ['text', 'SSH-2.0-OpenSSH_9.2\r\n', 'protocol'],
    ['HTTP/2', '\0\0\x12\x04\0\0\0\0\0', 'protocol'],
    [
      'too many bytes of headers',
      `HTTP/1.1 200 OK\r\n${'X-Filler: yyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(600)}\r\n`,
      'protocol',
    ],
    ['an unsolicited upgrade', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 'protocol'],
    ['nothing, and the connection ends', '', 'interrupted'],
    ['half a body, and the connection ends', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx', 'interrupted'],
  ])('that is %s is a failure', async (_what, text, reason) => {
    await using call = await send((socket) => socket.end(text));
    expect((await failureOf(call.sent)).reason).toBe(reason);
    await eventually('the socket is gone', () => call.receiver.open() === 0);
  });
});

describe('a request', () => {
  it('carries the body and the headers that it was given, and no more than it needs', async () => {
    await using call = await send(answering(''), {
      headers: { 'Content-Type': 'text/plain', 'X-Test': 'a\tb' },
      body: 'größe',
    });
    await call.sent;
    const [request] = call.receiver.requests;
    expect(request?.body).toBe('größe');
    expect(request?.head.split('\r\n').sort()).toEqual(
      [
        'POST /hook HTTP/1.1',
        `host: 127.0.0.1:${call.receiver.port}`,
        'connection: keep-alive',
        'accept-encoding: identity',
        'Content-Type: text/plain',
        'X-Test: a\tb',
        'user-agent: Patchbay',
        'content-length: 7',
      ].sort(),
    );
  });

  it('goes straight to the receiver, whatever proxy the environment names', async () => {
    await using proxy = await createReceiver(answering('proxy'));
    const names = ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names)
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`;
    const own = createEgress({ isProduction: false, allow });
    await using receiver = await createReceiver(answering('receiver'));
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect((await own.request({ url, method: 'GET', totalTimeoutMs: 500 })).body.toString()).toBe('receiver');
    expect(proxy.connections()).toBe(0);
    for (const name of names) delete process.env[name];
    own.close();
  });

  it('takes no header that would make two of it, or another (D10)', async () => {
    await using receiver = await createReceiver(answering(''));
    const url = `http://127.0.0.1:${receiver.port}/`;
    const names = [
      'Host',
      'content-length',
      'Transfer-Encoding',
      'CONNECTION',
      'Upgrade',
      'Expect',
      'TE',
      'Accept-Encoding',
    ];
    names.push('', 'a b', 'a:b', 'a\r\nb', 'ü', 'Proxy-Authorization');
    const values = ['a\r\nX-Injected: b', 'a\nb', 'a\rb', 'a\0b', '€', '\u0100', 'a\u000bb'];
    const headers = [...names.map((name) => ({ [name]: '1' })), ...values.map((value) => ({ 'x-test': value }))];
    for (const header of headers) {
      const sent = egress.request({ url, method: 'GET', headers: header, totalTimeoutMs: 500 });
      expect((await failureOf(sent)).reason, JSON.stringify(header)).toBe('header');
    }
    expect(receiver.connections()).toBe(0);
  });
});
