import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { createDocumentCache } from '../../../src/main/graphql/document-cache.ts';

const document = parse('{ a }');

it('F01: keeps documents up to so many characters together, and drops those asked for longest ago', () => {
  const cache = createDocumentCache(30);
  for (const text of ['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(10)]) cache.set(text, document);
  expect(cache.get('a'.repeat(10))).toBe(document);
  cache.set('d'.repeat(10), document);
  expect(cache.get('b'.repeat(10))).toBeUndefined();
  expect(cache.get('a'.repeat(10))).toBe(document);
  // One that is set again counts once, and one that is too large by itself leaves nothing behind.
  for (let i = 0; i < 5; i++) cache.set('d'.repeat(10), document);
  expect(cache.get('a'.repeat(10))).toBe(document);
  cache.set('e'.repeat(31), document);
  expect(cache.get('e'.repeat(31))).toBeUndefined();
});
