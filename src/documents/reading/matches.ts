import { clipped } from '../extraction/word-weights.ts';
import type { TextLine } from './text-lines.ts';

/** A line in which a pattern was found, and lines around it. */
export interface LineMatch {
  /** From 1. */
  readonly line: number;
  /** Offsets of the match in the text of the version, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The line; of a long one at most 500 characters around the match. */
  readonly text: string;
  /** At most 300 characters of each line. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const textMax = 500;
const contextMax = 300;

/** Collects matches while the lines go by. */
export function createMatches(contextLines: number) {
  const all: (LineMatch & { after: string[] })[] = [];
  const before: string[] = [];
  return {
    all: all as readonly LineMatch[],
    add(line: TextLine, match: { readonly start: number; readonly end: number } | null): void {
      const context = contextLines > 0 ? clipped(line.text, contextMax) : '';
      for (let index = all.length - 1; index >= 0; index -= 1) {
        const after = all[index]?.after;
        if (after === undefined || after.length >= contextLines) break;
        after.push(context);
      }
      if (match !== null)
        all.push({
          line: line.number,
          start: line.start + match.start,
          end: line.start + match.end,
          text: around(line.text, match.start),
          before: [...before],
          after: [],
        });
      if (contextLines === 0) return;
      before.push(context);
      if (before.length > contextLines) before.shift();
    },
  };
}

/** A piece of a line that begins some characters before an offset. */
function around(text: string, offset: number): string {
  if (text.length <= textMax) return text;
  const from = Math.max(0, Math.min(offset - 100, text.length - textMax));
  return clipped(text.slice(from), textMax).toWellFormed();
}
