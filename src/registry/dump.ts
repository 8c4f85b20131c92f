/** Something in a dump: its text, and the line on which it begins. */
export interface DumpElement {
  readonly line: number;
  /** Null for an element that is too long or nested too deeply. */
  readonly text: string | null;
  /** Whether it is the depth. */
  readonly isDeep?: true;
}

/** Bytes of one element. Longer ones are skipped, so that a file cannot fill the memory. */
const elementBytesMax = 256 * 1024;
/** Brackets within one element. Deeper ones are skipped, too: no server.json has them. */
const elementDepthMax = 64;

const [quote, backslash, comma, lineFeed] = [0x22, 0x5c, 0x2c, 0x0a];
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const isSpace = (byte: number) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === lineFeed;

/**
 * Splits a dump into its elements as it is read: those of a JSON array, of the array `servers` of an object (a page of
 * the official API), or objects one after the other (JSON lines). They are split by their brackets and not validated: a
 * broken element is an element, too, and in JSON lines it ends with its line.
 */
export async function* elementsOf(source: AsyncIterable<Buffer>): AsyncGenerator<DumpElement, void, void> {
  const cutter = new Cutter();
  for await (const piece of source) yield* cutter.cut(piece);
  yield* cutter.end();
}

/** An element that is being read. */
interface Unfinished {
  readonly line: number;
  readonly pieces: Buffer[];
  bytes: number;
  isDeep: boolean;
}

/** Longer than `servers`, the only name that matters. */
const keyBytesMax = 16;

class Cutter {
  #line = 1;
  /** How many closing brackets are waited for: a figure, which takes no room however many there are. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** How many brackets enclose elements: 0 in JSON lines, 1 in an array, 2 in a page. */
  #level = 0;
  #hasBegun = false;
  /** A page is read up to its list: everything else in it is passed over. */
  #isPage = false;
  /** The last string of the outermost object, which may be the name of its list. */
  #key: number[] | null = null;
  #lastKey = '';
  #element: Unfinished | null = null;
  /** Whether an object that began on this line has ended on it. */
  #hasLineEnded = false;
  /**
   * After one line was an object, each line is: an incomplete one is broken, and the next line does not continue it.
   */
  #isByLines = false;

  *cut(piece: Buffer): Generator<DumpElement, void, void> {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number;
      if (byte === lineFeed) {
        if (this.#isByLines && this.#element !== null && this.#level === 0) {
          yield this.#broken(piece.subarray(from, at));
          from = at;
        }
        this.#isByLines ||= this.#hasLineEnded && this.#element === null && this.#level === 0;
        this.#hasLineEnded = false;
        this.#line++;
      }
      if (this.#isInString) {
        this.#readString(byte);
        continue;
      }
      if (this.#element === null && !this.#begins(byte)) {
        from = at + 1;
        continue;
      }
      if (this.#element === null) {
        this.#element = { line: this.#line, pieces: [], bytes: 0, isDeep: false };
        from = at;
      }
      const ends = this.#read(byte);
      if (ends === 'before' || ends === 'after') {
        const to = ends === 'after' ? at + 1 : at;
        this.#hasLineEnded = ends === 'after' && this.#element.line === this.#line;
        yield this.#taken(piece.subarray(from, to));
        from = at + 1;
      } else if (ends === 'page') {
        this.#element = null;
        from = at + 1;
      }
    }
    if (this.#element !== null) this.#keep(piece.subarray(from));
  }

  *end(): Generator<DumpElement, void, void> {
    if (this.#element !== null) yield this.#taken(Buffer.alloc(0));
  }

  /** Whether a byte outside of an element begins one. Brackets around elements are taken note of. */
  #begins(byte: number): boolean {
    if (isSpace(byte) || byte === comma) return false;
    // A byte order mark.
    if (!this.#hasBegun && (byte === 0xef || byte === 0xbb || byte === 0xbf)) return false;
    if (!this.#hasBegun && byte === 0x5b) {
      this.#hasBegun = true;
      this.#level = 1;
      this.#depth++;
      return false;
    }
    this.#hasBegun = true;
    if (this.#depth < this.#level || this.#isPage) {
      this.#skip(byte);
      return false;
    }
    if (this.#level > 0 && closing.has(byte)) {
      this.#depth--;
      if (this.#level === 2) this.#isPage = true;
      return false;
    }
    return true;
  }

  /** The rest after the list of a page. */
  #skip(byte: number): void {
    if (byte === quote) this.#isInString = true;
    else if (opening.has(byte)) this.#depth++;
    else if (closing.has(byte)) {
      this.#depth = Math.max(0, this.#depth - 1);
      // Another page may follow.
      if (this.#depth === 0 && this.#isPage) [this.#isPage, this.#level] = [false, 0];
    }
  }

  /** Reads on within an element. @returns Whether it ends before or after the byte, or turns out to be a page with a list. */
  #read(byte: number): 'before' | 'after' | 'page' | null {
    const depth = this.#depth;
    if (opening.has(byte)) {
      const isList = this.#level === 0 && depth === 1 && byte === 0x5b && this.#lastKey === 'servers';
      this.#depth++;
      if (this.#element && depth - this.#level >= elementDepthMax) this.#element.isDeep = true;
      if (isList) this.#level = 2;
      return isList ? 'page' : null;
    }
    if (byte === quote) {
      this.#isInString = true;
      this.#key = this.#level === 0 && depth === 1 ? [] : null;
      return null;
    }
    if (depth === 1 && this.#level === 0 && byte === comma) this.#lastKey = '';
    if (closing.has(byte) && depth > this.#level) {
      this.#depth--;
      return this.#depth === this.#level ? 'after' : null;
    }
    // Text that is neither an object nor a list ends where the next element begins.
    if (depth !== this.#level) return null;
    if (closing.has(byte)) this.#depth = Math.max(0, depth - 1);
    const isDelimiter = byte === comma || byte === lineFeed || closing.has(byte);
    if (isDelimiter && this.#level === 2 && closing.has(byte)) this.#isPage = true;
    return isDelimiter ? 'before' : null;
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInString = false;
      if (this.#key) this.#lastKey = String.fromCharCode(...this.#key);
      this.#key = null;
      return;
    }
    if (this.#key && this.#key.length < keyBytesMax) this.#key.push(byte);
  }

  /** Takes the element that the end of the line has cut off, and starts again. */
  #broken(rest: Buffer): DumpElement {
    const element = this.#taken(rest);
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#key = null;
    return element;
  }

  #keep(piece: Buffer): void {
    if (this.#element === null) return;
    this.#element.bytes += piece.length;
    if (this.#element.isDeep || this.#element.bytes > elementBytesMax) this.#element.pieces.length = 0;
    else this.#element.pieces.push(Buffer.from(piece));
  }

  #taken(rest: Buffer): DumpElement {
    this.#keep(rest);
    const { line, pieces, bytes, isDeep } = this.#element as Unfinished;
    this.#element = null;
    this.#lastKey = '';
    if (isDeep) return { line, text: null, isDeep };
    return { line, text: bytes > elementBytesMax ? null : Buffer.concat(pieces).toString('utf8') };
  }
}
