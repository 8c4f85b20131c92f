import { overlap, type Span, sentencesOf } from './words.ts';

/**
 * The sentences next to each other in a text that share most with some words, up to a number of characters.
 *
 * @returns Null for a text without a sentence.
 */
export function bestSentences(wanted: ReadonlySet<string>, text: string, charactersMax: number): Span | null {
  const all = sentencesOf(text);
  // A heading says what follows, and answers nothing by itself.
  const prose = all.filter(({ start, end }) => !isHeading(text.slice(start, end)));
  const sentences = prose.length > 0 ? prose : all;
  const scored = sentences.map((span) => overlap(wanted, text.slice(span.start, span.end)));
  const best = scored.indexOf(Math.max(...scored));
  const first = sentences[best];
  if (!first) return null;
  let { start, end } = first;
  if (end - start > charactersMax) return { start, end: wholeEnd(text, start + charactersMax) };
  // The neighbours that share something, too: a sentence with "it" is understood with the one before.
  for (let next = best + 1; next < sentences.length; next++) {
    const span = sentences[next] as Span;
    if (scored[next] === 0 || span.end - start > charactersMax) break;
    end = span.end;
  }
  for (let before = best - 1; before >= 0; before--) {
    const span = sentences[before] as Span;
    if (scored[before] === 0 || end - span.start > charactersMax) break;
    start = span.start;
  }
  return { start, end };
}

/** Whether a line is a heading of Markdown. */
const isHeading = (line: string): boolean => /^#{1,6} /.test(line);

/** The end before which no pair of surrogates is cut, and no word where one ends nearby. */
function wholeEnd(text: string, end: number): number {
  const blank = text.lastIndexOf(' ', end);
  const cut = blank > end - 40 ? blank : end;
  return (text.codePointAt(cut - 1) ?? 0) > 0xffff ? cut - 1 : cut;
}
