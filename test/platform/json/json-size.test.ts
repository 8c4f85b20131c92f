import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBytesOf, jsonBytesOfText } from '../../../src/platform/json/json-size.ts';

const bytesOfJson = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
/** Any UTF-16 units, so that surrogates stand alone, in pairs and in the wrong order. */
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
const surrogates = fc.array(fc.constantFrom('\ud83d', '\ude00', 'a', '"', '\\', '\u0001', '\n'), { maxLength: 20 });

describe('bytes of JSON', () => {
  it('counts every UTF-16 unit as JSON.stringify writes it', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const text = String.fromCharCode(code);
      if (jsonBytesOfText(text) !== bytesOfJson(text)) expect.fail(`U+${code.toString(16)}`);
    }
  });

  it('counts any text as JSON.stringify writes it', () => {
    void fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 40 }),
          units.map((codes) => String.fromCharCode(...codes)),
          surrogates.map((parts) => parts.join('')),
        ),
        (text) => jsonBytesOfText(text) === bytesOfJson(text),
      ),
      { numRuns: 300 },
    );
  });

  it('counts long texts as JSON.stringify writes them, whatever stands at the seams of their parts', () => {
    for (const unit of ['x', 'é', '漢', '😀', 'a😀', '\ud83d', '\ude00', '"', '\u0001'])
      for (const count of [16_383, 16_384, 16_385, 32_768, 50_001])
        for (const front of ['', 'x']) {
          const text = front + unit.repeat(count);
          expect(jsonBytesOfText(text), `${count} of ${JSON.stringify(unit)}`).toBe(bytesOfJson(text));
        }
  });

  it('counts any JSON as JSON.stringify writes it', () => {
    void fc.assert(fc.property(fc.jsonValue(), (value) => jsonBytesOf(value) === bytesOfJson(value)));
  });

  it('counts what JSON has no form for as null', () => {
    expect([undefined, () => 1, Symbol('x'), null].map(jsonBytesOf)).toEqual([4, 4, 4, 4]);
  });
});
