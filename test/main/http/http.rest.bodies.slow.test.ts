import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import {
  bodied,
  expectApiError,
  type HttpStage,
  itAnswersWithoutSecrets,
  startHttpStage,
  titled,
} from '../../support/http-stage.ts';
import { type RawResponse, rawRequest } from '../../support/raw-http.ts';
import { writeThenRead } from '../../support/raw-socket.ts';
import type { Call, TestServer } from '../../support/server.ts';

let http: HttpStage;
let server: TestServer;
let secret: string;
let call: Call;

beforeAll(async () => {
  http = await startHttpStage();
  ({ server, secret, call } = http);
});

describe('a body that is not a JSON object (I09)', () => {
  it.each(titled(bodied))('is 400 in the shape of %s', verifies('everywhere.malformed-json'), async (_title, route) => {
    for (const body of ['{', '{"a":1}}', '[]', '[{"name":"a"}]', 'null', '"text"', '42', 'true', '\u0000', "{'a':1}"]) {
      const answer = await http.callRoute(route, body);
      expectApiError(answer, 400, route.path);
    }
  });

  it.each(titled(bodied))(
    'of another media type is 415 in the shape of %s',
    verifies('everywhere.media-type'),
    async (_title, route) => {
      const wrong: [contentType: string, body: string][] = [
        ['text/plain', '{}'],
        ['application/x-www-form-urlencoded', 'name=a'],
        ['multipart/form-data; boundary=x', '--x--'],
        ['application/xml', '<a/>'],
        ['application/json; charset=latin1', '{}'],
        ['application/json; charset=nonsense', '{}'],
        ['json', '{}'],
      ];
      for (const [contentType, body] of wrong)
        expectApiError(await http.callRoute(route, body, { 'Content-Type': contentType }), 415, route.path);
      expectApiError(await http.callRoute(route, '{}', { 'Content-Encoding': 'nonsense' }), 415, route.path);
    },
  );

  it('without any content type is 415', verifies('everywhere.media-type'), async () => {
    const answer = await rawRequest(server.base, {
      method: 'POST',
      path: '/api/clipboard/push',
      headers: { Authorization: `Bearer ${secret}` },
      body: Buffer.from('{"value":"a"}'),
    });
    expect(answer.status).toBe(415);
    expect(JSON.parse(answer.text)).toMatchObject({ success: false });
  });

  it.each(titled(bodied))(
    'may be empty on %s, with the content type of JSON',
    verifies('everywhere.empty-body'),
    async (_title, route) => {
      // What it means is the route's affair; the transport does not mind.
      const answer = await http.callRoute(route);
      expect([200, 400, 401, 403, 404, 409]).toContain(answer.status);
      expect(answer.body).not.toHaveProperty('details.body');
      expect(answer.body).not.toHaveProperty('error.details.body');
    },
  );

  it('may be empty on GET too', verifies('everywhere.empty-body', 'everywhere.success'), async () => {
    expect((await call('GET', '/api/clipboard')).status).toBe(200);
  });

  it('may be deep: ten thousand brackets are 400 or ignored, never 500', async () => {
    const answer = await call(
      'POST',
      '/api/clipboard/push',
      `{"value":"a","deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    );
    expect([200, 400]).toContain(answer.status);
    // With a length of its own, which bounds are compared with.
    const deep = `{"length":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    for (const [path, body] of [
      ['/api/clipboard/push', `{"value":${deep}}`],
      ['/api/mcp-servers', `{"name":"a","category":${deep}}`],
      ['/api/mcp-servers', `{"name":"a","env":{"A":${deep}}}`],
      ['/api/collections', `{"name":${deep}}`],
    ] as const)
      expect([path, (await call('POST', path, body)).status]).toEqual([path, 400]);
  });

  it('may name __proto__ and constructor: nothing is polluted and nothing fails', async () => {
    const answer = await call(
      'POST',
      '/api/clipboard/push',
      '{"value":"a","__proto__":{"visibility":"public"},"constructor":{"prototype":{"x":1}}}',
    );
    expect(answer.status).toBe(200);
    expect(answer.body.entry.visibility).toBe('private');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('may begin with a byte order mark: answered, not failed', async () => {
    expect([200, 400]).toContain((await call('POST', '/api/clipboard/push', '\ufeff{"value":"a"}')).status);
  });

  it('in bytes that are no UTF-8 is 400, or is read without a fault', async () => {
    const answer = await rawRequest(server.base, {
      method: 'POST',
      path: '/api/clipboard/push',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0x76, 0xff, 0xfe, 0x22, 0x7d]),
    });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ success: false });
  });
});

describe('a body that is too large (A15)', () => {
  const large = bodied.filter(({ bodyBytesMax = 256 * 1024 }) => bodyBytesMax <= 256 * 1024);

  it.each(titled(large))('is 413 in the shape of %s', verifies('everywhere.too-large'), async (_title, route) => {
    expectApiError(await http.callRoute(route, JSON.stringify({ pad: 'x'.repeat(300 * 1024) })), 413, route.path);
  });

  const chunk = Buffer.alloc(1024 * 1024, ' ');

  /**
   * Sends chunks without a length until the server has enough. Who sends on and on may lose the answer with the connection
   * (RFC 9112, 9.6), so a reset means another try; but most senders must hear it.
   */
  async function flood(path: string, megabytes: number): Promise<RawResponse> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await rawRequest(server.base, {
          method: 'POST',
          path,
          headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
          body: Array.from({ length: megabytes }, () => chunk),
        });
      } catch (error) {
        if (attempt === 8 || !/EPIPE|ECONNRESET/.test(String(error))) throw error;
      }
    }
  }

  it('without a length is read to the limit and no further', verifies('everywhere.too-large'), async () => {
    const answer = await flood('/api/clipboard/push', 200);
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ success: false });
    expect(answer.bytesSent).toBeLessThan(60 * 1024 * 1024);
  });

  describe.each([
    ['POST /api/clipboard/push', true, 413],
    ['POST /api/webhooks', true, 413],
    ['POST /graphql', true, 413],
    ['POST /api/clipboard/push', false, 401],
    ['POST /graphql', false, 401],
    ['POST /nothing', true, 404],
  ])('of 20 MB to %s (with the key: %s), written to its end before anything is read,', (line, hasKey, status) => {
    const head = (more: string) =>
      `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hasKey ? secret : 'none'}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
    const pieces = 20;

    it.each([
      ['with a length', () => [head(`Content-Length: ${pieces * chunk.length}`), ...Array(pieces).fill(chunk)]],
      [
        'in chunks',
        () => [
          head('Transfer-Encoding: chunked'),
          ...Array(pieces).fill(Buffer.concat([Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')])),
          '0\r\n\r\n',
        ],
      ],
    ])(`is ${status} %s, and the connection ends in order`, async (_how, bytes) => {
      const { answers, wasReset } = await writeThenRead(server.base, bytes());
      expect(answers.map((answer) => answer.status)).toEqual([status]);
      expect(answers[0]?.head).toMatch(/^connection: close$/im);
      expect(wasReset).toBe(false);
    });
  });

  it('after decompression is 413: a gzip bomb is not unpacked', verifies('everywhere.too-large'), async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
    const before = process.memoryUsage().rss;
    const answer = await rawRequest(server.base, {
      method: 'POST',
      path: '/api/clipboard/push',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: bomb,
    });
    expect(answer.status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('over /graphql is 413 with and without a length', verifies('everywhere.too-large'), async () => {
    const withLength = await rawRequest(server.base, {
      method: 'POST',
      path: '/graphql',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Content-Length': String(20 * chunk.length),
      },
      body: Array.from({ length: 20 }, () => chunk),
    });
    expect(withLength.status).toBe(413);
    const chunked = await flood('/graphql', 60);
    expect(chunked.status).toBe(413);
    expect(JSON.parse(chunked.text).errors[0].extensions.code).toBe('TOO_LARGE');
    expect(chunked.bytesSent).toBeLessThan(40 * 1024 * 1024);
  });
});

itAnswersWithoutSecrets(() => http);
