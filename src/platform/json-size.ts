/** The most bytes that one UTF-16 unit has in JSON: `\u0001`. */
const unitBytesMax = 6;

/** Bytes of a text in JSON, at most. It does not look at the text. */
export const jsonBytesMaxOfText = (text: string): number => unitBytesMax * text.length + 2;

/** UTF-16 units that are written at a time. A loop of our own over all units takes longer than JSON.stringify. */
const partUnits = 16 * 1024;

/**
 * Bytes of a text as JSON.stringify writes it, with its quotes, in UTF-8. It never holds more than a part of the JSON: that of
 * 2 MB of control characters has 12 MB.
 */
export function jsonBytesOfText(text: string): number {
  let bytes = 2;
  for (let start = 0; start < text.length; ) {
    let end = start + partUnits;
    // A pair of surrogates stays together: apart, each would be escaped.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    bytes += Buffer.byteLength(JSON.stringify(text.slice(start, end))) - 2;
    start = end;
  }
  return bytes;
}

/** Bytes of a value in JSON. What JSON has no form for is counted as null. */
export const jsonBytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null');

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
