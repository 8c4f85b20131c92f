import type { Claim } from './claims.ts';
import type { Passage } from './passage.ts';
import { contentWords, overlap, type Span, sentencesOf } from './words.ts';

/** Quotations of one answer, and characters of one. */
const quotationsMax = 3;
const quotationMax = 500;

const nothingFound =
  'No passage of your documents answers this. No language model is configured, so answers are quoted from your documents.';
const introduction = 'From your documents:';
const explanation = 'These are quotations. No language model is configured that could sum them up.';

/** What is there to say without documents. */
export const withoutContext =
  'No language model is configured, so answers are quoted from your documents, and this question was asked without them.';

/**
 * An answer without a language model: the sentences of the best passages that share most with the question, quoted and cited.
 *
 * @returns Pieces of the answer, and what they quote.
 */
export function quote(question: string, passages: readonly Passage[]): { pieces: string[]; claims: Claim[] } {
  const wanted = contentWords(question);
  const found = passages.flatMap((passage, index): Claim[] => {
    const span = bestSentences(wanted, passage.text, quotationMax);
    if (span === null) return [];
    return [{ number: index + 1, sentence: passage.text.slice(span.start, span.end), span, isQuoted: true }];
  });
  // A passage that was found by its meaning alone is quoted only where no other has a word of the question.
  const telling = found.filter(({ sentence }) => overlap(wanted, sentence) > 0);
  const claims = telling.length > 0 ? telling.slice(0, quotationsMax) : found.slice(0, 1);
  if (claims.length === 0) return { pieces: [nothingFound], claims };
  const quotations = claims.map(({ number, sentence }) => `\n\n> ${sentence.replaceAll('\n', '\n> ')} [${number}]`);
  return { pieces: [introduction, ...quotations, `\n\n${explanation}`], claims };
}

/**
 * The sentences next to each other in a text that share most with some words, up to a number of characters.
 *
 * @returns Null for a text without a sentence.
 */
export function bestSentences(wanted: ReadonlySet<string>, text: string, charactersMax: number): Span | null {
  const all = sentencesOf(text);
  // A heading says what follows, and answers nothing by itself.
  const told = all.filter(({ start, end }) => !isHeading(text.slice(start, end)));
  const sentences = told.length > 0 ? told : all;
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
