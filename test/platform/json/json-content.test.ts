import { describe, expect, it } from 'vitest';
import { jsonContentOf } from '../../../src/platform/json/json-content.ts';
import { largeTextUnits } from '../../../src/platform/json/large-steps.ts';

const large = 'x'.repeat(largeTextUnits + 1);
/** A pair of surrogates on each side of the place where a part ends. */
const emoji = `${'x'.repeat(largeTextUnits - 1)}😀${'y'.repeat(largeTextUnits - 2)}😀`;

describe('jsonContentOf', () => {
  it.each([
    ['a large text', large],
    ['a text at the limit', 'x'.repeat(largeTextUnits)],
    ['large texts in objects and arrays', { a: [large, { b: large }, null], c: 1, d: 'd', e: undefined }],
    ['undefined in an array', [undefined, large]],
    ['pairs of surrogates at the ends of parts', { emoji }],
    ['surrogates that stand alone', `${'x'.repeat(largeTextUnits - 1)}\ud83d${'\udc00'.repeat(3)}`],
    ['characters that are escaped six times as long', '\u0001'.repeat(3 * largeTextUnits)],
    ['characters of three bytes', '€'.repeat(3 * largeTextUnits)],
    ['quotes and backslashes', '"\\'.repeat(largeTextUnits)],
    ['a name that needs escapes', { '"\n': large }],
    ['a date beside a large text', { at: new Date(0), large }],
    ['small values', { a: 1, b: [true, null, 'x'] }],
  ])('writes %s as JSON.stringify does', async (_name, value) => {
    expect((await jsonContentOf(value)).toString()).toBe(JSON.stringify(value));
  });

  it('is a string for small values, and bytes where a text is large', async () => {
    expect(typeof (await jsonContentOf({ a: 'x'.repeat(largeTextUnits) }))).toBe('string');
    expect(await jsonContentOf({ a: large })).toBeInstanceOf(Buffer);
  });
});
