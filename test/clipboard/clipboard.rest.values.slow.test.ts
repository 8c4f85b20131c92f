import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { apiErrorOf, writes } from '../support/clipboard-responses.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';
const limit = 2_097_152;
const tooLarge = { success: false, error: 'Value exceeds maximum size of 2MB' };

describe('A13: the 2 MB limit counts the UTF-8 bytes of the stored string', () => {
  /** Strings of exactly `limit` bytes, each of which one more character makes too long. */
  const alphabets: [string, string, string, string][] = [
    ['1-byte characters', 'x'.repeat(limit), 'x', 'utf-8'],
    ['2-byte characters', 'é'.repeat(limit / 2), 'x', 'utf-8'],
    ['3-byte characters', `${'€'.repeat((limit - 2) / 3)}xx`, 'x', 'utf-8'],
    ['4-byte characters', '😀'.repeat(limit / 4), 'x', 'utf-8'],
    ['quotes and backslashes', '"\\'.repeat(limit / 2), '"', 'utf-8'],
    ['line ends', '\r\n'.repeat(limit / 2), '\n', 'utf-8'],
    ['base64', 'QUJD'.repeat(limit / 4), 'QUJD', 'base64'],
    ['hex', 'fF'.repeat(limit / 2), '00', 'hex'],
  ];
  it.each(alphabets)(
    'A13: %s: at the limit stored and returned byte-equal; one over is 413',
    verifies('clipboard.value.limit', 'clipboard.entry.size'),
    async (_title, value, more, encoding) => {
      expect(Buffer.byteLength(value)).toBe(limit);
      const { call } = await tenantOf(server);
      for (const [at, selector] of writes) {
        const stored = await call('POST', at, { ...selector, value, encoding });
        expect(stored.status).toBe(200);
        expect(stored.body.entry.sizeBytes).toBe(limit);
        expect(stored.body.entry.value === value).toBe(true);
        const over = await call('POST', at, { ...selector, value: value + more, encoding });
        expect(over.status).toBe(413);
        expect(over.body).toStrictEqual(tooLarge);
      }
      expect((await call('POST', `${path}/get`, { name: 'n' })).body.entry.value === value).toBe(true);
      expect((await call('GET', path)).body.total).toBe(2);
      expect((await call('DELETE', `${path}/pop`)).body.entry.value === value).toBe(true);
    },
  );

  it('A14: 2 MB of U+0001, 12.6 MB as JSON, is stored and returned byte-equal; one more is 413', async () => {
    const { call } = await tenantOf(server);
    const value = '\u0001'.repeat(limit);
    const stored = await call('POST', path, { name: 'n', value });
    expect(stored.status).toBe(200);
    expect(stored.body.entry.sizeBytes).toBe(limit);
    expect((await call('GET', `${path}?name=n`)).body.entry.value === value).toBe(true);
    const over = await call('POST', path, { name: 'n', value: `${value}\u0001` });
    expect(over.status).toBe(413);
    expect(over.body).toStrictEqual(tooLarge);
  });

  it('A13: every character spelled as a JSON escape counts as the character that it is', async () => {
    const { call } = await tenantOf(server);
    const { status, body } = await call('POST', path, `{"name":"n","value":"${'\\u00e9'.repeat(limit / 2)}"}`);
    expect(status).toBe(200);
    expect(body.entry.sizeBytes).toBe(limit);
    const over = await call('POST', path, `{"name":"n","value":"${'\\u00e9'.repeat(limit / 2)}x"}`);
    expect(over.status).toBe(413);
    expect(over.body).toStrictEqual(tooLarge);
  });

  it('a value far over the limit but within the body limit gets the clipboard’s own 413', async () => {
    const { call } = await tenantOf(server);
    for (const [at, selector] of writes) {
      const { status, body } = await call('POST', at, { ...selector, value: 'x'.repeat(12_000_000) });
      expect(status).toBe(413);
      expect(body).toStrictEqual(tooLarge);
    }
  });
});

describe('A16: strings that are hard to carry', () => {
  it.each([
    ['a byte order mark', '\ufeffabc'],
    ['right-to-left marks', '\u202eabc\u202c \u05d0\u05d1'],
    ['line ends of all kinds', 'a\r\nb\nc\rd\u0085e\u2028f\u2029g'],
    ['unassigned and private characters', '\ufffe\uffff\ue000\u{10ffff}'],
    ['the replacement character itself', '\ufffd'],
    ['combining characters, not normalised', 'e\u0301 \u00e9 \ufb01 \u212b'],
    ['control characters', '\u0001\u0008\u001b[31m\u007f\u0080'],
    ['JSON in a string', '{"a":"\\u0000","b":"\\\\"}'],
    ['SQL', "'; DROP TABLE clipboard_entries; -- \\' $1 %s"],
    ['HTML', '<script>alert(1)</script></textarea>&amp;'],
    ['leading and trailing spaces', '  \t a \n '],
    ['long emoji', '👩‍👩‍👧‍👦🏳️‍🌈'],
  ])('A16: %s comes back byte-exact on every path', verifies('clipboard.value.any'), async (_title, value) => {
    const { call } = await tenantOf(server);
    const set = await call('POST', path, { name: 'n', value });
    expect(set.status).toBe(200);
    expect(set.body.entry).toMatchObject({ value, sizeBytes: Buffer.byteLength(value) });
    expect((await call('GET', `${path}?name=n`)).body.entry.value).toBe(value);
    await call('POST', `${path}/push`, { value });
    expect((await call('GET', path)).body.entries.map((entry: { value: string }) => entry.value)).toEqual([
      value,
      value,
    ]);
    expect((await call('DELETE', `${path}/pop`)).body.entry.value).toBe(value);
  });

  it.each([
    ['NUL', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\ude00b'],
    ['surrogates the wrong way round', '\ude00\ud83d'],
  ])(
    'A16: %s in value or in any other text is 400 naming the field',
    verifies('clipboard.value.storable', 'everywhere.nasty-values'),
    async (_title, text) => {
      const { call } = await tenantOf(server);
      for (const [at, selector] of writes) {
        for (const field of ['value', 'contentType', 'createdByTool', 'createdByModel']) {
          const { status, body } = await call('POST', at, { ...selector, value: 'v', [field]: text });
          expect(status).toBe(400);
          expect(body).toEqual(apiErrorOf(field));
        }
      }
      expect((await call('GET', path)).body.total).toBe(0);
      const filtered = await call('GET', `${path}?contentType=%00`);
      expect(filtered.status).toBe(400);
      expect(filtered.body).toMatchObject({ success: false, error: 'Validation error' });
    },
  );
});

describe('A17: encodings', () => {
  it.each([
    ['base64', ''],
    ['base64', 'AA=='],
    ['base64', 'AAA='],
    ['base64', '+/+/'],
    ['base64', 'aGVsbG8='],
    ['hex', ''],
    ['hex', '00'],
    ['hex', 'DEADbeef'],
    ['utf-8', 'not base64!'],
  ])('A17: %s %j is stored as it is; sizeBytes counts the stored string', async (encoding, value) => {
    const { call } = await tenantOf(server);
    for (const [at, selector] of writes) {
      const { status, body } = await call('POST', at, { ...selector, value, encoding });
      expect(status).toBe(200);
      expect(body.entry).toMatchObject({ value, encoding, sizeBytes: value.length });
    }
  });

  it.each([
    ['base64', 'A'],
    ['base64', 'AA'],
    ['base64', 'AAA'],
    ['base64', 'AA='],
    ['base64', 'AAAA='],
    ['base64', '===='],
    ['base64', 'AA==AA=='],
    ['base64', 'AB=='],
    ['base64', 'AAB='],
    ['base64', '-_-_'],
    ['base64', 'AA AA'],
    ['base64', 'AAAA\n'],
    ['base64', ' AAAA'],
    ['base64', 'ÄÄÄÄ'],
    ['hex', '0'],
    ['hex', '000'],
    ['hex', '0g'],
    ['hex', '0x00'],
    ['hex', '00 00'],
    ['hex', '00\n'],
    ['hex', '٠٠'],
  ])('A17: %s %j is 400 naming value', verifies('clipboard.encoding.canonical'), async (encoding, value) => {
    const { call } = await tenantOf(server);
    for (const [at, selector] of writes) {
      const { status, body } = await call('POST', at, { ...selector, value, encoding });
      expect(status).toBe(400);
      expect(body).toEqual(apiErrorOf('value'));
    }
    expect((await call('GET', path)).body.total).toBe(0);
  });

  it.each<[string, unknown]>([
    ['encoding', 'UTF_8'],
    ['encoding', 'utf8'],
    ['encoding', 'UTF-8'],
    ['encoding', ''],
    ['encoding', 1],
    ['encoding', ['hex']],
    ['encoding', '__proto__'],
    ['encoding', 'constructor'],
    ['visibility', 'PRIVATE'],
    ['visibility', 'team'],
    ['visibility', ''],
    ['visibility', 0],
    ['visibility', 'toString'],
  ])('enums: %s %j is 400 naming the field', async (field, given) => {
    const { call } = await tenantOf(server);
    for (const [at, selector] of writes) {
      const { status, body } = await call('POST', at, { ...selector, value: 'v', [field]: given });
      expect(status).toBe(400);
      expect(body).toEqual(apiErrorOf(field));
    }
  });
});
