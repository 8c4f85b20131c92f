/** The text of a file. */
export interface Extraction {
  /** From the content of the file; the name only distinguishes kinds of text. */
  readonly mimeType: string;
  /** Without U+0000 and halves of surrogate pairs; lines end with `\n`. */
  readonly text: string;
  /** The offset at which each page, slide or sheet starts, in UTF-16 code units; empty for formats without pages. */
  readonly pageStarts: readonly number[];
  /** In the order of the text; `level` from 1, the outermost. */
  readonly headings: readonly Heading[];
  /** The title that the file states, or its first heading of level 1; null without one. */
  readonly title: string | null;
}

export interface Heading {
  readonly start: number;
  readonly level: number;
  readonly text: string;
}

/** A passage of a text: `text.slice(start, end)`, character by character, without white space around it. Offsets in UTF-16 code units. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
  /** The page that the passage stands on, from 1; null for a text without pages. */
  readonly page: number | null;
  /** The headings above the passage, from the outermost, joined by ` › `, its own included; null without one. */
  readonly heading: string | null;
}

/**
 * The text of a file and its passages. Passages are cut in the other process, so that a long text takes no time of the
 * caller's process.
 */
export interface ExtractedFile extends Extraction {
  readonly chunks: readonly Chunk[];
}

/** The closed list of reasons why a file is not read. None of them goes away with another try. */
export type FailureCode =
  | 'UNSUPPORTED_TYPE'
  | 'EMPTY'
  | 'ENCRYPTED'
  | 'DAMAGED'
  | 'TOO_MANY_PAGES'
  | 'TOO_MUCH_TEXT'
  | 'TOO_LARGE_EXPANDED'
  | 'TOO_SLOW'
  | 'TOO_MUCH_MEMORY';

/** A file that cannot be read, or not within the limits. */
/** Where a reader failed, for the log: the kind of the error and its place in the code. Its message may quote the file. */
export function placeOf({ name, message, stack = '' }: Error): string {
  const [place = ''] = /^ +at .*$/m.exec(stack.slice(stack.indexOf(message) + message.length)) ?? [];
  return `${name}${place.replace(/^ +/, ' ')}`;
}

export class ExtractionFailure extends Error {
  readonly code: FailureCode;
  /** A sentence for people, with the limit where one was reached. */
  readonly reason: string;

  constructor(code: FailureCode, reason: string) {
    super(`${code}: ${reason}`);
    this.name = 'ExtractionFailure';
    this.code = code;
    this.reason = reason;
  }
}

/** What a file may cost. Source: docs/hazards.md#h06, docs/decisions/0040-extraction.md. */
export interface ExtractionLimits {
  /** Seconds of computing for one file. */
  readonly cpuSeconds: number;
  /** Seconds for one file by the clock: three times the computing, because a busy machine gives a process a part of its time. */
  readonly seconds: number;
  /** Memory of the process that reads, in MiB. */
  readonly memoryMb: number;
  readonly pages: number;
  /** UTF-16 code units. */
  readonly characters: number;
  /** Bytes unpacked from an archive. */
  readonly unpackedBytes: number;
  /** Bytes unpacked per byte of the file, from the first MiB unpacked on. */
  readonly ratio: number;
  /** Files in an archive. */
  readonly entries: number;
}

export const defaultLimits: ExtractionLimits = {
  cpuSeconds: 10,
  seconds: 30,
  memoryMb: 512,
  pages: 2_000,
  characters: 10_000_000,
  unpackedBytes: 200 * 1024 * 1024,
  ratio: 100,
  entries: 10_000,
};

export const tooSlow = ({ cpuSeconds }: ExtractionLimits): string =>
  `The file takes longer to read than ${cpuSeconds} seconds.`;

export const tooMuchMemory = ({ memoryMb }: ExtractionLimits): string =>
  `The file takes more memory to read than ${memoryMb} MiB.`;
