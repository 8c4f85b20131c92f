import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalData, canonicalText, signable, signatureOf } from '../../src/webhooks/signature.ts';
import { verifies } from '../requirements.ts';
import { signedBody } from '../support/signed-body.ts';
import { eventOf, payloads, secretsToSignWith } from './payloads.ts';

const [secret] = secretsToSignWith as [string];
const hmac = (bytes: string | Buffer, key = secret) => createHmac('sha256', key).update(bytes).digest('hex');

/** The three ways in which receivers verify, each of its own. */
function expectVerifiable(body: string, signature: string, key = secret) {
  const sent = Buffer.from(body);
  expect(sent.toString()).toBe(body);
  expect(signature).toBe(hmac(sent, key));
  const parsed = JSON.parse(sent.toString());
  expect(JSON.stringify(parsed) === body).toBe(true);
  const { signature: member, ...others } = parsed;
  expect(member).toBe(`sha256=${hmac(JSON.stringify(others), key)}`);
  const cut = body.replace(/,"signature":"sha256=[0-9a-f]{64}"/, '');
  expect(member).toBe(`sha256=${hmac(cut, key)}`);
}

describe('a signed body (D12)', () => {
  it.each(Object.entries(payloads))(
    'with data %s verifies from the bytes, from what was parsed, and without the member',
    verifies('webhooks.signature.header', 'webhooks.signature.body'),
    (_name, data) => {
      for (const key of secretsToSignWith)
        for (const retryCount of [0, 5]) {
          const { body, signature } = signedBody(eventOf(data, retryCount), key);
          expectVerifiable(body, signature, key);
        }
    },
  );

  it('with any JSON verifies in each way', verifies('webhooks.signature.header', 'webhooks.signature.body'), () => {
    const anything = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }));
    void fc.assert(
      fc.property(anything, fc.nat({ max: 5 }), (data, retryCount) => {
        const { body, signature } = signedBody(eventOf(data, retryCount), secret);
        expectVerifiable(body, signature);
        expect(JSON.parse(body).data).toEqual(JSON.parse(JSON.stringify(data)));
      }),
      { numRuns: 2_000, seed: 18 },
    );
  });

  it('with lone surrogates anywhere verifies too', () => {
    const units = fc.string({ unit: fc.constantFrom('\ud83d', '\udd11', '\\', 'u', 'd', '8', '"') });
    void fc.assert(
      fc.property(fc.dictionary(units, fc.oneof(units, fc.array(units))), (data) => {
        const { body, signature } = signedBody(eventOf(data), secret);
        expectVerifiable(body, signature);
        expect(body).not.toMatch(/(?<!\\)(\\\\)*\\ud/);
      }),
      { numRuns: 2_000, seed: 18 },
    );
  });

  it('has the documented members in the documented order and no others', () => {
    const { body } = signedBody(eventOf({ server_uuid: 's' }, 3), secret);
    expect(Object.entries(JSON.parse(body))).toEqual([
      ['id', '0197b7f0-5a3c-7c11-9d2e-3f4a5b6c7d8e'],
      ['event', 'server.installed'],
      ['timestamp', '2026-07-01T12:00:00.000Z'],
      ['signature', expect.stringMatching(/^sha256=[0-9a-f]{64}$/)],
      ['data', { server_uuid: 's' }],
      ['retry_count', 3],
    ]);
  });

  it('is the one of this example, computed by openssl', () => {
    const { body, signature } = signedBody(eventOf({ name: 'Zoë 🔑', n: 1e21 }), 'whsec_example-of-the-test');
    expect(signature).toBe('0796bc36fe3571d247e2fcdd59645fd508ffa6eea2d7cc635bbe3c6f22d093c5');
    expect(JSON.parse(body).signature).toBe('sha256=c7264d6e46020b62f7c02a6ec07feda17b0c9bdc3add826acc1eaa5817c844b2');
  });

  it('of another attempt, of another secret and of another event have other signatures, and the same data', () => {
    const sign = signable(eventOf({ a: 1 }));
    const signed = [sign(0, secret), sign(1, secret), sign(0, `${secret}x`)];
    expect(new Set(signed.map(({ signature }) => signature)).size).toBe(3);
    expect(new Set(signed.map(({ body }) => JSON.parse(body).signature)).size).toBe(3);
    expect(sign(0, secret)).toEqual(signed[0]);
    expect(signed[1]).toEqual(signedBody(eventOf({ a: 1 }, 1), secret));
  });

  it('is the same from the text of its data', () => {
    for (const data of Object.values(payloads)) {
      const { data: _data, ...head } = eventOf(data, 2);
      const fromText = signedBody({ ...head, dataText: canonicalData(data) }, secret);
      expect(fromText).toEqual(signedBody(eventOf(data, 2), secret));
    }
  });

  it('carries during a rotation a second signature, over the same bytes', () => {
    const { body } = signedBody(eventOf({}), secret);
    expect(signatureOf(body, 'whsec_of-yesterday')).toBe(hmac(body, 'whsec_of-yesterday'));
  });

  it('is not made of what JSON cannot express, or of a count that is none', () => {
    for (const data of [undefined, () => 1, Symbol('x'), { n: 1n }])
      expect(() => signedBody(eventOf(data as object), secret)).toThrow(TypeError);
    for (const count of [-1, 0.5, Number.NaN, 1e21, Number.POSITIVE_INFINITY])
      expect(() => signedBody(eventOf({}, count), secret), String(count)).toThrow(RangeError);
  });
});

describe('data as text from elsewhere', () => {
  it.each([
    ['{"b": 1, "10": 2, "9": 3}', '{"9":3,"10":2,"b":1}'],
    [
      '{"a": 1.0, "b": 100e-2, "c": -0, "d": 1E400, "e": 12345678901234567890}',
      '{"a":1,"b":1,"c":0,"d":null,"e":12345678901234567000}',
    ],
    ['{"a": 1, "a": 2}', '{"a":2}'],
    ['{"__proto__": {"x": 1}}', '{"__proto__":{"x":1}}'],
    ['{"a": "\\u0041\\/\\u2028\\ud83d\\ude00\\ud83d"}', '{"a":"A/\u2028😀\ufffd"}'],
    [' [ ] ', '[]'],
  ])('%s becomes what parsing and writing again gives', (text, canonical) => {
    expect(canonicalText(text)).toBe(canonical);
    expect(canonicalText(canonical)).toBe(canonical);
  });

  it('that is not JSON is refused', () => {
    for (const text of ['', '{', 'undefined', '{"a":1}x']) expect(() => canonicalText(text)).toThrow(SyntaxError);
  });
});
