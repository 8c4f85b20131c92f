import { setImmediate as breathe } from 'node:timers/promises';
import { countTerms, type Word, wordsOf } from './analyser.ts';
import { type Language, languageOf } from './languages.ts';

/** The indexed parts of a passage: its place in the text, as `chunksOf` cuts it. */
export interface IndexedChunk {
  readonly start: number;
  readonly end: number;
  /** From 1; null for formats without pages. */
  readonly page: number | null;
  readonly heading: string | null;
}

/** Where words are counted: some passages in sequence. */
export interface Section {
  /** Ordinal of its first passage. */
  readonly first: number;
  /** Ordinal after its last passage. */
  readonly end: number;
  /** Times that each term is in its text and in its headings. */
  readonly terms: ReadonlyMap<string, number>;
  /** Words of its text and headings, stop words left out. */
  readonly length: number;
}

/**
 * Words of a section at most. An embedding model reads 80 words, so a passage has no more; a subject that is found by its words is
 * described over more than that, such as an abstract of 200 words.
 */
const wordsMax = 240;
/** Passages of a section at most, so that reading one is bounded. */
export const chunksMax = 16;

/** Words of a text that its language is guessed from. */
const guessedFrom = 2_000;

/** Passages after which other work has its turn: some 20 ms. */
const passagesPerTurn = 50;

/** Groups the passages of a text into sections, and lets other work of the process run in between. */
export async function sectionsOf(
  text: string,
  chunks: readonly IndexedChunk[],
): Promise<{ readonly language: Language; readonly sections: readonly Section[] }> {
  const language = languageOfText(text, chunks);
  const sections: Section[] = [];
  let open: { first: number; words: Word[]; headings: Set<string> } | null = null;
  const close = (end: number) => {
    if (open === null) return;
    const terms = countTerms(open.words, language);
    for (const heading of open.headings) countTerms(wordsOf(heading), language, terms);
    const length = [...terms.values()].reduce((sum, count) => sum + count, 0);
    sections.push({ first: open.first, end, terms, length });
    open = null;
  };
  for (const [ordinal, { start, end, heading }] of chunks.entries()) {
    if (ordinal % passagesPerTurn === passagesPerTurn - 1) await breathe();
    const words = wordsOf(text.slice(start, end));
    if (open !== null && (open.words.length + words.length > wordsMax || ordinal - open.first >= chunksMax))
      close(ordinal);
    open ??= { first: ordinal, words: [], headings: new Set<string>() };
    for (const word of words) open.words.push(word);
    if (heading !== null) open.headings.add(heading);
  }
  close(chunks.length);
  return { language, sections };
}

function languageOfText(text: string, chunks: readonly IndexedChunk[]): Language {
  const words: string[] = [];
  for (const { start, end } of chunks) {
    for (const word of wordsOf(text.slice(start, end))) words.push(word.text);
    if (words.length >= guessedFrom) break;
  }
  return languageOf(words);
}
