/** The most bytes that one UTF-16 unit has in JSON: `\u0001`. */
const unitBytesMax = 6;

/** What an ASCII character has in JSON beyond its own byte. The others are written as they are. */
const asciiExtras = new Uint8Array(128).fill(unitBytesMax - 1, 0, 0x20);
for (const character of '\b\t\n\f\r"\\') asciiExtras[character.charCodeAt(0)] = 1;

/** Bytes of a text in JSON, at most. It does not look at the text. */
export const jsonBytesMaxOfText = (text: string): number => unitBytesMax * text.length + 2;

/**
 * Bytes of a text as JSON.stringify writes it, with its quotes, in UTF-8. It builds no string: the JSON of 2 MB of control
 * characters has 12 MB.
 */
export function jsonBytesOfText(text: string): number {
  let bytes = text.length + 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += asciiExtras[unit] as number;
    else if (unit < 0x800) bytes += 1;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 2;
    else if (isPair(unit, text.charCodeAt(i + 1))) {
      // Two units, four bytes.
      bytes += 2;
      i += 1;
    } else bytes += unitBytesMax - 1;
  }
  return bytes;
}

/** Bytes of a value in JSON. What JSON has no form for is counted as null. */
export const jsonBytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null');

/** A surrogate without its partner is written as an escape of six characters. */
const isPair = (high: number, low: number): boolean => high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff;
