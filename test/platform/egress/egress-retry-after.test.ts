import { expect, it } from 'vitest';
import { retryAfterMsOf } from '../../../src/platform/egress/retry-after.ts';

it.each([
  ['0', 0],
  ['7', 7_000],
  ['999999', 999_999_000],
  ['1000000', null],
  ['-1', null],
  ['1.5', null],
  ['', null],
  ['Fri, 31 Dec 1999 23:59:59 GMT', null],
])('Retry-After: %s is %s ms', (value, milliseconds) => {
  expect(retryAfterMsOf({ 'retry-after': value })).toBe(milliseconds);
});

it('an answer without Retry-After, or with two of them, does not say how long to wait', () => {
  expect(retryAfterMsOf({})).toBe(null);
  expect(retryAfterMsOf({ 'retry-after': ['1', '2'] })).toBe(null);
});
