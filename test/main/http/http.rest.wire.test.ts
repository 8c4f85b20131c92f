import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { startHttpStage } from '../../support/http-stage.ts';
import { exchange } from '../../support/raw-socket.ts';
import type { Call, TestServer } from '../../support/server.ts';

let server: TestServer;
let secret: string;
let call: Call;

beforeAll(async () => {
  ({ server, secret, call } = await startHttpStage());
});

describe('bytes on the wire (I08)', () => {
  const head = (more: string, path = '/api/clipboard', method = 'GET') =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n${more}\r\n`;

  /** A refusal of the transport: an answer in our shape, and the end of the connection. */
  async function expectEnd(bytes: string, status: number) {
    const { answers: found, isClosed, text } = await exchange(server.base, bytes);
    expect(
      found.map((answer) => answer.status),
      text.slice(0, 400),
    ).toEqual([status]);
    expect(isClosed).toBe(true);
    expect(found[0]?.head).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(found[0]?.body ?? '')).toMatchObject({
      error: { code: expect.any(String), message: expect.any(String) },
    });
  }

  it('100 KB of headers are 431', verifies('platform.http.limits'), async () => {
    await expectEnd(head(`X-Large: ${'x'.repeat(100 * 1024)}\r\n`), 431);
    await expectEnd(
      head(Array.from({ length: 2_000 }, (_, index) => `X-${index}: ${'x'.repeat(50)}\r\n`).join('')),
      431,
    );
  });

  it('a path of 100 KB is refused', async () => {
    const {
      answers: [answer],
    } = await exchange(server.base, head('', `/api/clipboard/${'x'.repeat(100 * 1024)}`), { answersMax: 1 });
    expect([404, 414, 431]).toContain(answer?.status);
  });

  it.each([
    ['words', 'hello\r\n\r\n'],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a wrong version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /api/clipboard HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /api/clipboard HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['one host twice', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n'],
    [
      'two hosts on an upgrade',
      'GET /graphql HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    ],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n'],
  ])('garbage (%s) is 400 as JSON', verifies('platform.http.limits'), async (_what, bytes) => {
    await expectEnd(bytes, 400);
  });

  const smuggled = 'GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n';
  it.each([
    ['both a length and chunks', `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    [
      'both the other way round',
      `Transfer-Encoding: chunked\r\nContent-Length: ${smuggled.length}\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', `Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}${smuggled}`],
    ['a length of +2', `Content-Length: +2\r\n\r\n{}${smuggled}`],
    ['a length of 0x2', `Content-Length: 0x2\r\n\r\n{}${smuggled}`],
    ['a length below nought', `Content-Length: -2\r\n\r\n{}${smuggled}`],
    ['another coding than chunked', `Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${smuggled}`],
    ['a wrong size of a chunk', `Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n${smuggled}`],
    [
      'a size of a chunk that no number holds',
      `Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'chunks that are not the last coding',
      `Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n${smuggled}`,
    ],
    ['chunks in a folded header', `Transfer-Encoding:\r\n chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${smuggled}`],
    ['chunks behind a vertical tab', `Transfer-Encoding: \u000bchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${smuggled}`],
    ['a space before the colon of the coding', `Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${smuggled}`],
    [
      'a bare CR in the extension of a chunk',
      `Transfer-Encoding: chunked\r\n\r\n2;a=\rb\r\n{}\r\n0\r\n\r\n${smuggled}`,
    ],
    ['a bare LF behind the size of a chunk', `Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n${smuggled}`],
    ['a bare LF in the extension of a chunk', `Transfer-Encoding: chunked\r\n\r\n2;a=b\n{}\r\n0\r\n\r\n${smuggled}`],
    ['a list of lengths', `Content-Length: 2, 4\r\n\r\n{}${smuggled}`],
    ['a length in a folded header', `Content-Length:\r\n 2\r\n\r\n{}${smuggled}`],
    ['a bare CR between headers', `X-A: a\rContent-Length: 2\r\n\r\n{}${smuggled}`],
  ])(
    'ambiguous framing (%s) is 400 and nothing behind it is heard',
    verifies('platform.http.limits'),
    async (_what, rest) => {
      const {
        answers: found,
        isClosed,
        text,
      } = await exchange(server.base, head(rest, '/api/clipboard/get', 'POST').replace(/\r\n$/, ''), {
        timeoutMs: 3_000,
      });
      expect(
        found.map(({ status }) => status),
        text.slice(0, 400),
      ).toEqual([400]);
      expect(isClosed).toBe(true);
      expect(text).not.toContain('"status":"ok"');
    },
  );

  it('two requests in one packet are answered in order', async () => {
    const push = (value: string) => {
      const body = JSON.stringify({ value });
      return `${head(`Content-Length: ${body.length}\r\n`, '/api/clipboard/push', 'POST')}${body}`;
    };
    const { answers: found } = await exchange(server.base, push('first') + push('second') + head('', '/healthz'), {
      answersMax: 3,
    });
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(found.slice(0, 2).map(({ body }) => JSON.parse(body).entry.value)).toEqual(['first', 'second']);
    await call('DELETE', '/api/clipboard/all');
  });

  it('what follows an unread body is not taken for a request', async () => {
    // The refusal comes before the body: its bytes must not be read as the next request.
    const inner = `POST /api/clipboard/push HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n{"value":"smuggled!"}`;
    for (const path of ['/api/clipboard', '/graphql', '/nothing']) {
      const outer = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Type: text/plain\r\nContent-Length: ${inner.length}\r\n\r\n`;
      const { answers: found } = await exchange(server.base, outer + inner, { timeoutMs: 1_000 });
      expect(found, path).toHaveLength(1);
      expect(found[0]?.status, path).toBeGreaterThanOrEqual(400);
    }
    expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it('a client that goes away in the middle of a body leaves nothing behind', async () => {
    await exchange(server.base, `${head('Content-Length: 100\r\n', '/api/clipboard/push', 'POST')}{"value":`, {
      timeoutMs: 200,
    });
    expect((await call('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it('Expect: 100-continue is answered', async () => {
    const { text } = await exchange(
      server.base,
      head('Content-Length: 13\r\nExpect: 100-continue\r\n', '/api/clipboard/push', 'POST'),
      { timeoutMs: 500 },
    );
    expect(text).toContain('100 Continue');
  });
});
