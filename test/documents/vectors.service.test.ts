import { expect, test } from 'vitest';
import { normalise } from '../../src/documents/embedding/model.ts';
import { cosineOf, roundedOf, signatureOf } from '../../src/documents/search/vectors.ts';

const dims = 512;

/** A vector of length 1 whose numbers follow from a seed. */
function madeVector(seed: number): Float32Array {
  const vector = Float32Array.from({ length: dims }, (_, index) => Math.sin((index + 1) * (seed + 1) * 0.7919));
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

test('a rounded vector has nearly the cosines of the exact one', () => {
  const asked = madeVector(0);
  for (let seed = 0; seed < 200; seed++) {
    const vector = madeVector(seed);
    const exact = vector.reduce((sum, each, index) => sum + each * (asked[index] as number), 0);
    expect(Math.abs((cosineOf(asked, roundedOf(vector)) ?? 2) - exact)).toBeLessThan(0.002);
  }
  expect(cosineOf(asked, roundedOf(asked))).toBeGreaterThan(0.9999);
});

test('a vector that has no length because a number is too large becomes the vector 0', () => {
  expect(normalise(Float32Array.of(1e39, 1))).toEqual(new Float32Array(2));
  expect(normalise(Float32Array.of(3, 4))).toEqual(Float32Array.of(0.6, 0.8));
});

test('the vector 0 has no cosine', () => {
  expect(roundedOf(new Float32Array(dims))).toEqual(Buffer.alloc(dims));
  expect(cosineOf(madeVector(0), Buffer.alloc(dims))).toBeNull();
  expect(signatureOf(Float32Array.of(0, -1, 1))).toBe('001');
});
