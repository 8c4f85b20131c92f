import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { apiError, bodyOf } from '../support/clipboard-responses.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';
const { secret, call } = await tenantOf(server);
const bearer = { Authorization: `Bearer ${secret}` };
const json = { ...bearer, 'Content-Type': 'application/json' };

const send = (body: Uint8Array | Iterable<Uint8Array>, headers: Record<string, string> = {}, at = `${path}/push`) =>
  rawRequest(server.base, { method: 'POST', path: at, headers: { ...json, ...headers }, body });

describe('bodies that are no JSON object', () => {
  it.each([
    ['malformed', '{"value": "v"'],
    ['malformed', "{'value': 'v'}"],
    ['malformed', '{"value": "v",}'],
    ['malformed', 'value=v'],
    ['malformed', '<value/>'],
    ['malformed', '{"value": "v"} trailing'],
    ['malformed', '{"value": "\\x"}'],
    ['malformed', '{"value": NaN}'],
    ['an array', '[]'],
    ['an array', '[{"value": "v"}]'],
    ['a string', '"value"'],
    ['a number', '1'],
    ['null', 'null'],
    ['true', 'true'],
    ['deeply nested', '['.repeat(100_000)],
    ['a deep array', '['.repeat(50_000) + ']'.repeat(50_000)],
  ])('I09: %s: 400 Validation error in the clipboard’s shape', async (_title, text) => {
    for (const [method, url] of [
      ['POST', path],
      ['POST', `${path}/push`],
      ['POST', `${path}/get`],
      ['DELETE', path],
    ] as const) {
      const { status, body } = await call(method, url, text);
      expect(status).toBe(400);
      expect(body).toMatchObject({ success: false, error: 'Validation error' });
    }
  });

  it('I09: no body and {}: 400 naming the missing field', async () => {
    for (const body of [undefined, '', '{}']) {
      const set = await call('POST', path, body);
      expect(set.status).toBe(400);
      expect(set.body).toEqual({
        success: false,
        error: 'Validation error',
        details: { name: expect.any(String), value: expect.any(String) },
      });
      const push = await call('POST', `${path}/push`, body);
      expect(push.status).toBe(400);
      expect(push.body).toEqual({ success: false, error: 'Validation error', details: { value: expect.any(String) } });
    }
  });

  it(
    'the content type of JSON on a GET, DELETE or POST without body is fine',
    verifies('everywhere.empty-body'),
    async () => {
      expect((await call('GET', path)).status).toBe(200);
      expect((await call('POST', `${path}/push`, { value: 'v' })).status).toBe(200);
      expect((await call('POST', `${path}/pop`)).status).toBe(200);
      expect((await call('DELETE', `${path}/all`)).status).toBe(200);
    },
  );

  it('A16: bytes that are no UTF-8 are 400, never a silent U+FFFD', async () => {
    const invalid = [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80], [0xe2, 0x82]];
    for (const bytes of invalid) {
      const answer = await send(Buffer.concat([Buffer.from('{"value":"'), Buffer.from(bytes), Buffer.from('"}')]));
      expect([bytes, answer.status]).toEqual([bytes, 400]);
      bodyOf(answer);
    }
  });

  it('A19: a key __proto__ deep in unknown fields is ignored like any other', async () => {
    const { status } = await call('POST', `${path}/push`, '{"value":"v","x":{"__proto__":{"polluted":true}}}');
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('media types, charsets and content encodings', () => {
  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'APPLICATION/JSON',
  ])('%s is understood', async (type) => {
    expect((await send(Buffer.from('{"value":"é"}'), { 'Content-Type': type })).status).toBe(200);
  });

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/xml'],
    ['application/jsonx'],
    ['garbage'],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset=nonsense'],
    ['application/json; charset=utf-7'],
  ])('I09: %s is 415 in the clipboard’s shape', async (type) => {
    const answer = await send(Buffer.from('{"value":"v"}'), { 'Content-Type': type });
    expect(answer.status).toBe(415);
    bodyOf(answer);
  });

  it('I09: a body without content type is taken or refused in the clipboard’s shape', async () => {
    const answer = await rawRequest(server.base, {
      method: 'POST',
      path: `${path}/push`,
      headers: bearer,
      body: Buffer.from('{"value":"v"}'),
    });
    expect([200, 400, 415]).toContain(answer.status);
    if (answer.status !== 200) bodyOf(answer);
  });

  it('A15: a compressed body is read or refused with 415, an unknown or broken compression is 4xx in the clipboard’s shape', async () => {
    const good = await send(gzipSync('{"value":"zipped"}'), { 'Content-Encoding': 'gzip' });
    expect([200, 415]).toContain(good.status);
    if (good.status === 200) expect(JSON.parse(good.text).entry.value).toBe('zipped');
    const unknown = await send(Buffer.from('{"value":"v"}'), { 'Content-Encoding': 'rot13' });
    expect(unknown.status).toBe(415);
    bodyOf(unknown);
    const broken = await send(gzipSync('{"value":"v"}').subarray(0, 12), { 'Content-Encoding': 'gzip' });
    expect([400, 415]).toContain(broken.status);
    bodyOf(broken);
    const lie = await send(Buffer.from('{"value":"v"}'), { 'Content-Encoding': 'gzip' });
    expect([400, 415]).toContain(lie.status);
    bodyOf(lie);
  });
});

describe('A15: bodies over every limit', () => {
  /** 196 MB, for as long as the reader takes them. */
  function* endless() {
    for (let i = 0; i < 3_000; i++) yield Buffer.alloc(65_536, 0x20);
  }

  it('A15: a gzip bomb is refused in the clipboard’s shape without being unpacked whole', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20));
    const before = process.memoryUsage().rss;
    const answer = await send(bomb, { 'Content-Encoding': 'gzip' });
    expect([413, 415]).toContain(answer.status);
    bodyOf(answer);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('A15: a length far over the limit is refused before the body is read', async () => {
    const answer = await rawRequest(server.base, {
      method: 'POST',
      path: `${path}/push`,
      headers: { ...json, 'Content-Length': String(3_000 * 65_536) },
      body: endless(),
    });
    expect(answer.status).toBe(413);
    bodyOf(answer);
    expect(answer.bytesSent).toBeLessThan(32_000_000);
  });

  it('A15: a chunked body without a length is cut off at the cap', verifies('everywhere.too-large'), async () => {
    const answer = await send(endless());
    expect(answer.status).toBe(413);
    bodyOf(answer);
    expect(answer.bytesSent).toBeLessThan(64_000_000);
  });

  it('A15: a small chunked body without a length is read', async () => {
    const text = Buffer.from(JSON.stringify({ value: 'chunk é by chunk' }));
    const answer = await send(Array.from(text, (byte) => Buffer.of(byte)));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).entry.value).toBe('chunk é by chunk');
  });

  it('A15: a body that the client breaks off stores nothing and does not affect other requests', async () => {
    await call('DELETE', `${path}/all`);
    const { port } = new URL(server.base);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST ${path}/push HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
    await new Promise((resolve) => socket.write(`${head}{"value":"v"}`, resolve));
    socket.destroy();
    expect((await call('GET', path)).body.total).toBe(0);
  });

  it('a body over the body limit is 413 in the clipboard’s shape on every route that reads one', async () => {
    const text = `{"value":"${'x'.repeat(20_000_000)}"}`;
    for (const [method, url] of [
      ['POST', path],
      ['POST', `${path}/push`],
      ['POST', `${path}/get`],
      ['DELETE', path],
    ] as const) {
      const answer = await call(method, url, text);
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject(apiError);
    }
  });
});
