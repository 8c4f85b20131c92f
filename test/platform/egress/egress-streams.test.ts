import { afterAll, describe, expect, it } from 'vitest';
import { allowancesOf, noAllowances } from '../../../src/platform/egress/allowances.ts';
import { createEgress, type EgressRequest } from '../../../src/platform/egress/egress.ts';
import { eventually } from '../../support/deadline.ts';
import { failureOf } from '../../support/failed-request.ts';
import { type Answer, answering, createReceiver } from '../../support/receiver.ts';

const allow = allowancesOf('127.0.0.0/8') ?? noAllowances;
const egress = createEgress({ isProduction: false, allow });
afterAll(() => egress.close());

async function stream(answer: Answer, request: Partial<EgressRequest> = {}) {
  const receiver = await createReceiver(answer);
  const url = `http://127.0.0.1:${receiver.port}/events`;
  return {
    receiver,
    sent: egress.stream({ url, method: 'GET', totalTimeoutMs: 2_000, ...request }),
    [Symbol.asyncDispose]: receiver[Symbol.asyncDispose],
  };
}

const textOf = (body: ReadableStream<Uint8Array>) => new Response(body).text();
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const endless = 'HTTP/1.1 200 OK\r\nX-Kind: stream\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('a streamed answer', () => {
  it('is there with its headers, and each piece when it comes', async () => {
    let more: (text: string) => void = () => undefined;
    await using call = await stream((socket) => {
      socket.write(endless + chunk('one'));
      more = (text) => socket.write(text);
    });
    const { status, headers, body } = await call.sent;
    expect([status, headers['x-kind']]).toEqual([200, 'stream']);
    const reader = body.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('one');
    more(chunk('two'));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('two');
    more('0\r\n\r\n');
    expect((await reader.read()).done).toBe(true);
  });

  it('leaves its connection to the next request once it has ended', async () => {
    await using call = await stream(answering('all of it'));
    expect(await textOf((await call.sent).body)).toBe('all of it');
    const url = `http://127.0.0.1:${call.receiver.port}/`;
    expect(await textOf((await egress.stream({ url, method: 'GET', totalTimeoutMs: 2_000 })).body)).toBe('all of it');
    expect(call.receiver.connections()).toBe(1);
  });

  it('ends with its connection when it is cancelled', async () => {
    await using call = await stream((socket) => socket.write(endless + chunk('one')));
    const { body } = await call.sent;
    await body.cancel();
    await eventually('the socket is gone', () => call.receiver.open() === 0);
  });

  it.each<[string, Answer, () => Partial<EgressRequest>, string]>([
    ['the deadline', (socket) => socket.write(endless + chunk('one')), () => ({ totalTimeoutMs: 200 }), 'timeout'],
    [
      'the cap',
      (socket) => socket.write(endless + chunk('x'.repeat(2_000))),
      () => ({ responseBytesMax: 1_999 }),
      'oversized',
    ],
    ['an end before its time', (socket) => socket.end(endless + chunk('one')), () => ({}), 'interrupted'],
    [
      'the signal',
      (socket) => socket.write(endless + chunk('one')),
      () => ({ signal: AbortSignal.timeout(200) }),
      'aborted',
    ],
  ])('fails by %s, and no connection is left', async (_what, answer, request, reason) => {
    await using call = await stream(answer, request());
    const { body } = await call.sent;
    expect(await failureOf(textOf(body))).toMatchObject({ name: 'EgressError', reason });
    await eventually('the socket is gone', () => call.receiver.open() === 0);
  });

  it('of exactly the cap is whole', async () => {
    await using call = await stream(answering('x'.repeat(1_000)), { responseBytesMax: 1_000 });
    expect(await textOf((await call.sent).body)).toHaveLength(1_000);
  });

  it('fails before its headers as any request does', async () => {
    await using call = await stream(() => undefined, { totalTimeoutMs: 150 });
    expect((await failureOf(call.sent)).reason).toBe('timeout');
    const request = { method: 'GET', totalTimeoutMs: 1_000 } as const;
    expect((await failureOf(egress.stream({ ...request, url: 'http://10.0.0.1/' }))).reason).toBe('forbidden');
    expect((await failureOf(egress.stream({ ...request, url: 'http://169.254.169.254/' }))).reason).toBe('forbidden');
    const gone = AbortSignal.abort();
    expect((await failureOf(egress.stream({ ...request, url: 'http://127.0.0.1:9/', signal: gone }))).reason).toBe(
      'aborted',
    );
  });

  it('is not redirected anywhere', async () => {
    await using call = await stream(answering('', '302 Found', 'Location: http://169.254.169.254/\r\n'));
    expect((await call.sent).status).toBe(302);
  });
});
