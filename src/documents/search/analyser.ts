import { folded, isStopWord, type Language, stemOf } from './languages.ts';

/** A word of a text, by its offsets in UTF-16 code units. */
export interface Word {
  /** In lower case, compatible forms unified (NFKC). */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longer terms are cut here, in UTF-16 code units. */
const termMax = 64;
/** Characters of scripts that are written without spaces: pairs of them are treated as words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const runs = /[\p{L}\p{N}\p{M}_]+(?:['’]\p{L}+)*/gu;
const possessive = /['’]s?$/;

/** The words of a text in its order. Names in source code are given whole and by their parts. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index: start } of text.matchAll(runs)) {
    if (unspaced.test(run)) words.push(...pairsOf(run, start));
    else {
      words.push({ text: plain(run), start, end: start + run.length });
      words.push(...partsOf(run, start));
    }
  }
  return words;
}

const plain = (run: string): string => run.normalize('NFKC').toLowerCase().replace(possessive, '');

/** `readFile` and `read_file` are found by `file`, too. */
function partsOf(run: string, start: number): Word[] {
  if (!/_|\p{Ll}\p{Lu}/u.test(run)) return [];
  const parts = [...run.matchAll(/\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu)];
  return parts.length < 2
    ? []
    : parts.map(({ 0: part, index }) => ({
        text: plain(part),
        start: start + index,
        end: start + index + part.length,
      }));
}

/** Pairs of neighbours, and single characters without a neighbour. */
function pairsOf(run: string, start: number): Word[] {
  const letters: { text: string; start: number }[] = [];
  for (const { segment, index } of symbolsOf(run)) letters.push({ text: segment, start: start + index });
  if (letters.length < 2)
    return letters.map(({ text, start: at }) => ({ text: plain(text), start: at, end: at + text.length }));
  return letters.slice(1).map((letter, index) => {
    const before = letters[index] as { text: string; start: number };
    return { text: plain(before.text + letter.text), start: before.start, end: letter.start + letter.text.length };
  });
}

function* symbolsOf(run: string): Iterable<{ segment: string; index: number }> {
  let index = 0;
  for (const segment of run) {
    yield { segment, index };
    index += segment.length;
  }
}

/** What a word is found by in a language; null for a stop word. */
export function termOf(word: string, language: Language): string | null {
  if (word === '' || isStopWord(word, language)) return null;
  const stem = /\p{L}/u.test(word) ? stemOf(word, language) : folded(word);
  return stem.length > termMax ? stem.slice(0, termMax).toWellFormed() : stem;
}

/** How often each term is in a text. */
export function countTerms(
  words: readonly Word[],
  language: Language,
  counts = new Map<string, number>(),
): Map<string, number> {
  for (const { text } of words) {
    const term = termOf(text, language);
    if (term !== null) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}
