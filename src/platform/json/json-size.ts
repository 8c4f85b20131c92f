/** The most bytes that one UTF-16 unit has in JSON: `\u0001`. */
const unitBytesMax = 6;

/** Bytes of a text in JSON, at most. It does not look at the text. */
export const jsonBytesMaxOfText = (text: string): number => unitBytesMax * text.length + 2;

/** UTF-16 units that are counted at a time. */
const partUnits = 16 * 1024;
/** The bytes of a part in UTF-8. */
const partBytes = new Uint8Array(3 * partUnits);
const encoder = new TextEncoder();

/** Bytes that JSON has for each byte of UTF-8. */
const jsonBytesOfByte = Uint8Array.from(
  { length: 256 },
  (_, byte) => Buffer.byteLength(JSON.stringify(byte < 0x80 ? String.fromCharCode(byte) : 'x')) - 2,
);

/**
 * Bytes of a text as JSON.stringify writes it, with its quotes, in UTF-8. The JSON is not made: that of 2 MB of control
 * characters has 12 MB, and writing it takes 17 times as long as counting it.
 */
export function jsonBytesOfText(text: string): number {
  let bytes = 2;
  for (let start = 0; start < text.length; ) {
    let end = start + partUnits;
    // A pair of surrogates stays together: apart, each would be escaped.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    bytes += jsonBytesOfPart(text.slice(start, end));
    start = end;
  }
  return bytes;
}

/** Without quotes. */
function jsonBytesOfPart(part: string): number {
  // A surrogate that stands alone is escaped, and UTF-8 has no form for it.
  if (!part.isWellFormed()) return Buffer.byteLength(JSON.stringify(part)) - 2;
  const { written } = encoder.encodeInto(part, partBytes);
  let bytes = 0;
  for (let i = 0; i < written; i++) bytes += jsonBytesOfByte[partBytes[i] as number] as number;
  return bytes;
}

/** Bytes of a value in JSON. What JSON has no form for is counted as null. */
export const jsonBytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null');

/** Whether a UTF-16 unit is the first of a pair. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
