/** The signs of a vector, as PostgreSQL reads bits: 1 for a number above 0. */
export function signatureOf(vector: Float32Array): string {
  let bits = '';
  for (const each of vector) bits += each > 0 ? '1' : '0';
  return bits;
}

/** The largest number of a rounded vector. */
const roundedMax = 127;

/**
 * A vector in a signed byte per number, as multiples of its largest number / 127. A cosine with it differs from the exact one by some
 * 0.0003, where neighbours differ by 0.001 and more.
 */
export function roundedOf(vector: Float32Array): Buffer {
  const largest = vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const rounded = Buffer.alloc(vector.length);
  if (largest === 0) return rounded;
  const factor = roundedMax / largest;
  for (let index = 0; index < vector.length; index++)
    rounded.writeInt8(Math.round((vector[index] as number) * factor), index);
  return rounded;
}

/** The cosine of a vector of length 1 and a rounded one of as many numbers; null for the vector 0, which has no direction. */
export function cosineOf(vector: Float32Array, rounded: Buffer): number | null {
  const numbers = new Int8Array(rounded.buffer, rounded.byteOffset, rounded.length);
  let sum = 0;
  let squares = 0;
  for (let index = 0; index < vector.length; index++) {
    const number = numbers[index] as number;
    sum += (vector[index] as number) * number;
    squares += number * number;
  }
  return squares === 0 ? null : sum / Math.sqrt(squares);
}
