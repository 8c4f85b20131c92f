/** Words that say nothing about the subject of a sentence. */
const fillers = new Set(
  'a an and are as at be but by can did do does for from had has have how i if in into is it its me my no not of on or our so such than that the their them then there these they this to was we were what when where which who why will with you your'.split(
    ' ',
  ),
);

const word = /[\p{L}\p{N}]+/gu;

/** The significant words of a text, in lower case. */
export function contentWords(text: string): Set<string> {
  const words = text.normalize('NFKC').toLowerCase().match(word) ?? [];
  return new Set(words.filter((each) => !fillers.has(each)).map(stem));
}

/** Plural and singular count as one word. */
const stem = (text: string): string => (text.length > 3 && text.endsWith('s') ? text.slice(0, -1) : text);

/**
 * The number of given words in a text, divided by the square root of its length, so that long texts have no advantage.
 */
export function overlap(wanted: ReadonlySet<string>, text: string): number {
  const own = contentWords(text);
  let shared = 0;
  for (const each of own) if (wanted.has(each)) shared += 1;
  return own.size === 0 ? 0 : shared / Math.sqrt(own.size);
}

/** A piece of a text by its offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Ends of sentences in the scripts that mark them. */
const enders = new Set('.!?…。！？');

/**
 * The sentences of a text without the white space around them, in linear time. A line break ends one, too. A full stop ends one when
 * white space follows, so that 3.5 and example.com stay whole.
 */
export function sentencesOf(text: string): Span[] {
  const found: Span[] = [];
  let start = 0;
  const take = (end: number) => {
    const piece = text.slice(start, end);
    const trimmed = piece.trim();
    if (trimmed !== '') {
      const from = start + piece.indexOf(trimmed);
      found.push({ start: from, end: from + trimmed.length });
    }
    start = end;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\n') take(at);
    else if (enders.has(char) && (char > '\u2fff' || isBlank(text[at + 1]))) take(at + 1);
  }
  take(text.length);
  return found;
}

const isBlank = (char: string | undefined) => char === undefined || char.trim() === '';
