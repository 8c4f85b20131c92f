import { eachPart, largeTextUnits, partsOf } from './large-steps.ts';

/** A JSON text; one with a large string in it as its bytes in UTF-8. */
export type JsonContent = string | Buffer;

/**
 * Writes a value as JSON.stringify does. JSON.stringify makes two or three copies of a large string in the heap, and collecting
 * them holds up every other request of the process; here a large string is written in parts, which die young, with turns of the event
 * loop between them.
 */
export async function jsonContentOf(value: unknown): Promise<JsonContent> {
  const units = largeUnitsOf(value);
  if (units === 0) return JSON.stringify(value);
  const block = new Block(units);
  await eachPart(piecesOf(value), (piece) => block.append(piece));
  return block.bytes();
}

/**
 * Bytes in one piece of memory, which is allocated again only for text that needs escapes: blocks of memory cause
 * garbage collections, too.
 */
class Block {
  #buffer: Buffer;
  #length = 0;

  constructor(units: number) {
    this.#buffer = Buffer.allocUnsafeSlow(units + 4 * largeTextUnits);
  }

  append(text: string): void {
    const end = this.#length + utf8BytesMax * text.length;
    if (end > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#length += this.#buffer.write(text, this.#length);
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

/** The most bytes that UTF-8 has for a UTF-16 unit. */
const utf8BytesMax = 3;

/** UTF-16 units of the large texts in plain objects and arrays. */
function largeUnitsOf(value: unknown): number {
  if (typeof value === 'string') return value.length > largeTextUnits ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  let units = 0;
  if (Array.isArray(value)) for (const element of value) units += largeUnitsOf(element);
  else for (const name in value) units += largeUnitsOf((value as Record<string, unknown>)[name]);
  return units;
}

function* piecesOf(value: unknown): Generator<string> {
  if (largeUnitsOf(value) === 0) yield JSON.stringify(value) ?? 'null';
  else if (typeof value === 'string') yield* jsonPartsOf(value);
  else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      yield index === 0 ? '[' : ',';
      yield* piecesOf(element);
    }
    yield ']';
  } else {
    let separator = '{';
    for (const [name, member] of Object.entries(value as object)) {
      if (member === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* piecesOf(member);
      separator = ',';
    }
    yield '}';
  }
}

/** The JSON of a string, in parts. */
function* jsonPartsOf(text: string): Generator<string> {
  yield '"';
  for (const part of partsOf(text)) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}
