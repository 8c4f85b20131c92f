import { termOf, wordsOf } from './analyser.ts';
import type { Understanding } from './understanding.ts';

/** A part of a text, by its offsets in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Snippet {
  readonly text: string;
  /** The words of the query, by their places in `text`, in its order. */
  readonly highlights: readonly Range[];
}

/** UTF-16 code units of a snippet at most. */
const snippetMax = 320;

/** A query, as far as its words are looked for in texts. */
type Wanted = Pick<Understanding, 'weights' | 'languages'>;

/** Words of a text that are terms of the query, with their weights. */
function matchesOf(text: string, { weights, languages }: Wanted) {
  return wordsOf(text).flatMap(({ text: word, start, end }) => {
    for (const language of languages) {
      const term = termOf(word, language);
      const weight = term === null ? undefined : weights.get(term);
      if (term !== null && weight !== undefined) return [{ term, weight, start, end }];
    }
    return [];
  });
}

/** How much of what a query asks for is in a text: 0 to 1, each term once. */
export function coverageOf(text: string, wanted: Wanted): number {
  const all = [...wanted.weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return 0;
  const found = new Map(matchesOf(text, wanted).map(({ term, weight }) => [term, weight]));
  return [...found.values()].reduce((sum, weight) => sum + weight, 0) / all;
}

/** The part of a passage with most of a query's words, cut at words. */
export function snippetOf(text: string, wanted: Wanted): Snippet {
  const matches = matchesOf(text, wanted);
  const from = text.length <= snippetMax ? 0 : bestStart(text, matches);
  const cut = text.slice(from, from + snippetMax);
  const isCut = from + snippetMax < text.length;
  const end = isCut ? Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n')) : cut.length;
  const shown = (end > snippetMax / 2 ? cut.slice(0, end) : cut).toWellFormed();
  const highlights: Range[] = [];
  for (const { start, end: last } of matches) {
    const before = highlights.at(-1);
    if (start < from || last > from + shown.length) continue;
    // Parts of one name, and pairs of characters, overlap.
    if (before && start - from < before.end)
      highlights[highlights.length - 1] = { start: before.start, end: Math.max(before.end, last - from) };
    else highlights.push({ start: start - from, end: last - from });
  }
  return { text: shown, highlights };
}

/** Where the window with the most telling words begins: at a word, a little before the first of them. */
function bestStart(text: string, matches: readonly { weight: number; start: number; end: number }[]): number {
  let best = { start: 0, weight: 0 };
  for (const { start } of matches) {
    const inside = matches.filter((match) => match.start >= start && match.end <= start + snippetMax * 0.8);
    const weight = inside.reduce((sum, match) => sum + match.weight, 0);
    if (weight > best.weight) best = { start, weight };
  }
  const early = Math.min(Math.max(0, best.start - snippetMax * 0.15), text.length - snippetMax);
  const space = text.indexOf(' ', Math.floor(early));
  return early <= 0 ? 0 : space !== -1 && space < best.start ? space + 1 : Math.floor(early);
}
