import type { Database } from '../../platform/database/database.ts';
import { clipped } from '../extraction/word-weights.ts';
import * as statements from './statements.ts';

/** A line without its line feed, or a piece of a long one with the beginning of the next piece. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Offset in UTF-16 code units. */
  readonly start: number;
  readonly text: string;
  /** What begins later in `text` belongs to the next piece. */
  readonly ownLength: number;
}

/** Half a million characters. */
const partsAtOnce = 8;
/** A longer line comes in pieces of this length, so that one step over it is short. */
const pieceLength = 10_000;
/** A match that is longer, and lies across two pieces, is cut. */
const overlap = 1_000;

/**
 * The lines of a text from a place on, some thousand at a time. The place is the beginning of a line, or of a piece.
 *
 * @param known The first parts, where they were read with those of other texts.
 */
export async function* linesFrom(
  database: Pick<Database, 'query'>,
  versionId: string,
  textLength: number,
  place: { readonly offset: number; readonly line: number },
  known: readonly statements.PartRow[] | null = null,
): AsyncGenerator<TextLine[]> {
  let { offset: at, line: number } = place;
  let rest = '';
  let unread = known;
  while (at + rest.length < textLength) {
    const next = at + rest.length;
    const parts =
      unread ?? (await database.query<statements.PartRow>(statements.partsFrom(versionId, next, partsAtOnce)));
    unread = null;
    const [first] = parts;
    // The version was removed in the meantime.
    if (first === undefined) return;
    const text =
      rest +
      parts
        .map((part) => part.text)
        .join('')
        .slice(next - first.start);
    const isLast = at + text.length >= textLength;
    const lines: TextLine[] = [];
    let from = 0;
    while (from < text.length) {
      const feed = text.indexOf('\n', from);
      const end = feed === -1 ? text.length : feed;
      if (feed === -1 && !isLast && end - from <= pieceLength + overlap) break;
      if (end - from > pieceLength + overlap) {
        const ownLength = clipped(text.slice(from, end), pieceLength).length;
        lines.push({
          number,
          start: at + from,
          text: clipped(text.slice(from, end), pieceLength + overlap),
          ownLength,
        });
        from += ownLength;
      } else {
        lines.push({ number, start: at + from, text: text.slice(from, end), ownLength: Number.POSITIVE_INFINITY });
        from = end + 1;
        number += 1;
      }
    }
    rest = text.slice(from);
    at += from;
    yield lines;
  }
}
