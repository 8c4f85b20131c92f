import type { z } from 'zod';
import { authorize, type Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/database/database.ts';
import { parse } from '../../platform/input/input.ts';
import { clipped } from '../extraction/word-weights.ts';
import { ReadingRequest } from '../input.ts';
import { countFeeds } from '../text-parts.ts';
import { findReadable, pageOf } from './readable.ts';
import * as statements from './statements.ts';

/** A stretch of the text of a document: `text` is that of the version from `start` to `end`, character by character. */
export interface DocumentLines {
  readonly documentUuid: string;
  readonly title: string;
  readonly version: number;
  /** The first line, from 1. */
  readonly fromLine: number;
  /** The last line; `fromLine - 1` where there are none. */
  readonly toLine: number;
  readonly totalLines: number;
  /** Offsets in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The page on which the first line stands, from 1; null for formats without pages. */
  readonly page: number | null;
  readonly text: string;
  /** Whether the last line goes on after `end`: it is longer than a response. */
  readonly isCut: boolean;
  /** Where to go on; null at the end. */
  readonly nextLine: number | null;
}

/** UTF-16 code units of a response. Two parts after the first hold as many. */
const charactersMax = 100_000;
const partsMax = 3;

/** Reads documents by lines. The number of a line counts line feeds. */
export function createLines({ database }: { database: Pick<Database, 'read' | 'query'> }) {
  /**
   * @param input.fromLine 1 if left out.
   * @param input.lines 1 to 500, 200 if left out. A response has at most 100 000 characters, so it may have fewer.
   * @returns No text for a line after the last.
   * @throws {ApiError} `NOT_FOUND`; `CONFLICT` for a document that has not been read; `VALIDATION_ERROR`.
   */
  return async function read(
    caller: Caller,
    documentUuid: string,
    input: z.input<typeof ReadingRequest> = {},
  ): Promise<DocumentLines> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const { version, fromLine, lines } = parse(ReadingRequest, input);
    const readable = await findReadable(database, profileUuid, documentUuid, version ?? null);
    const parts = await database.query<statements.LinePartRow>(
      statements.partsFromLine(readable.id, fromLine, partsMax),
    );
    const [first] = parts;
    const totalLines = first?.lines ?? 0;
    const base = { documentUuid: readable.documentUuid, title: readable.title, version: readable.version, totalLines };
    if (first === undefined || fromLine > totalLines) {
      const at = readable.textLength;
      return {
        ...base,
        fromLine,
        toLine: fromLine - 1,
        start: at,
        end: at,
        page: null,
        text: '',
        isCut: false,
        nextLine: null,
      };
    }
    const joined = parts.map(({ text }) => text).join('');
    const from = afterFeeds(joined, 0, fromLine - 1 - first.before);
    const wanted = afterFeeds(joined, from, Math.min(lines, totalLines - fromLine + 1));
    const text = wholeLines(joined.slice(from, wanted));
    const isCut = !text.endsWith('\n') && first.start + from + text.length < readable.textLength;
    const toLine = fromLine + countFeeds(text) - (text.endsWith('\n') ? 1 : 0);
    const start = first.start + from;
    return {
      ...base,
      fromLine,
      toLine,
      start,
      end: start + text.length,
      page: pageOf(readable.pageStarts, start),
      text,
      isCut,
      nextLine: toLine < totalLines ? toLine + 1 : null,
    };
  };
}

/** The offset behind so many line feeds; the end of the text where it has fewer. */
function afterFeeds(text: string, from: number, feeds: number): number {
  let at = from;
  for (let left = feeds; left > 0; left -= 1) {
    const found = text.indexOf('\n', at);
    if (found === -1) return text.length;
    at = found + 1;
  }
  return at;
}

/** As many whole lines as a response holds; of a longer line, its beginning. */
function wholeLines(text: string): string {
  if (text.length <= charactersMax) return text;
  const feed = text.lastIndexOf('\n', charactersMax - 1);
  return feed === -1 ? clipped(text, charactersMax) : text.slice(0, feed + 1);
}
