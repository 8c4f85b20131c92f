import { isUtf8 } from 'node:buffer';
import { largeStep } from '../../platform/json/large-steps.ts';

/** How much structure a JSON text may have. What its strings hold is bounded by its bytes. */
export interface JsonLimits {
  /** Values of all objects and arrays together. */
  readonly elements: number;
  /** Objects and arrays inside each other. */
  readonly depth: number;
}

/** For an authenticated caller. A route carries some thousand elements at most. */
export const jsonLimits: JsonLimits = { elements: 100_000, depth: 64 };

/** For an unauthenticated caller. */
export const anonymousJsonLimits: JsonLimits = { elements: 10_000, depth: 64 };

/** A text that is not JSON within the limits. The message is a predicate, such as `is not valid JSON`. */
export class InvalidJson extends Error {
  override name = 'InvalidJson';
}

/**
 * Parses JSON in UTF-8 with bounded structure. The limits are checked before a value is created, because millions of
 * small values take a hundred times the memory of their text.
 *
 * @throws {InvalidJson} For text that is not UTF-8 or not JSON, or is over a limit.
 */
export function parseJson(bytes: Buffer, limits: JsonLimits): unknown {
  return parsedText(checkedText(bytes, limits));
}

/**
 * Parses a large text as `parseJson` does, with turns of the event loop between its steps.
 *
 * @throws {InvalidJson} like `parseJson`.
 */
export async function parseLargeJson(bytes: Buffer, limits: JsonLimits): Promise<unknown> {
  const text = await largeStep(() => checkedText(bytes, limits));
  return largeStep(() => parsedText(text));
}

function checkedText(bytes: Buffer, limits: JsonLimits): string {
  // Decoding would put U+FFFD in place of invalid bytes, and store a text that the client did not send.
  if (!isUtf8(bytes)) throw new InvalidJson('is not valid UTF-8');
  checkStructure(bytes, limits);
  return bytes.toString();
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidJson('is not valid JSON');
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** What a byte means outside of strings; 0 for all that are no structure. */
const roles = new Uint8Array(256);
const [begins, opens, closes, separates] = [1, 2, 3, 4];
roles[quote] = begins;
for (const bracket of '{[') roles[bracket.charCodeAt(0)] = opens;
for (const bracket of '}]') roles[bracket.charCodeAt(0)] = closes;
roles[','.charCodeAt(0)] = separates;

/**
 * Counts the structural characters outside of strings, in one pass over the bytes. Whether the text is JSON at all is left to
 * the parser.
 *
 * @throws {InvalidJson} Over a limit.
 */
export function checkStructure(bytes: Buffer, { elements: elementsMax, depth: depthMax }: JsonLimits): void {
  const { length } = bytes;
  let elements = 0;
  let strings = 0;
  let depth = 0;
  for (let at = 0; ; at++) {
    while (at < length && roles[bytes[at] as number] === 0) at++;
    if (at >= length) return;
    const role = roles[bytes[at] as number];
    if (role === begins) {
      at = endOfString(bytes, at);
      // A name and a value for each element.
      strings += 1;
    } else if (role === closes) {
      depth -= 1;
    } else {
      elements += 1;
      if (role === opens) depth += 1;
    }
    if (depth > depthMax) throw new InvalidJson(`is nested more than ${depthMax} levels deep`);
    if (elements > elementsMax || strings > 2 * elementsMax)
      throw new InvalidJson(`has more than ${elementsMax} elements`);
  }
}

/** Bytes of a string that are read one by one before a native search takes over, which costs more to start. */
const shortString = 256;

/** @returns The place of the quote that ends a string; the end of the bytes where there is none. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    for (const end = Math.min(at + shortString, bytes.length); at < end; at++) {
      const byte = bytes[at];
      if (byte === quote) return at;
      if (byte === backslash) at += 1;
    }
    const found = bytes.indexOf(quote, at);
    if (found === -1) return bytes.length;
    let backslashes = 0;
    while (found - backslashes > at && bytes[found - backslashes - 1] === backslash) backslashes += 1;
    // An odd number of backslashes before a quote makes it part of the string.
    if (backslashes % 2 === 0) return found;
    at = found + 1;
  }
}
