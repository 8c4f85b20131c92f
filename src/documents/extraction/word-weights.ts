/**
 * How long a text is for an embedding model, in words. Most models count parts of words, and for English a word is about one and a half.
 * So a long word, such as an address or an identifier, counts as several, and each character of a script without spaces as six tenths.
 */

/** The words of a passage, at most. 80 words are about 120 tokens of the offline model, which reads 128. */
export const weightMax = 80;

/** White space costs little, so that a passage cannot be long without words. */
const spaceWeight = 0.02;
const characterWeight = 0.6;

const wordWeight = (length: number): number => (length <= 10 ? Math.min(length, 1) : length / 6);

function isSpace(code: number): boolean {
  if (code <= 0x20) return true;
  if (code < 0xa0) return false;
  return code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 || code === 0x3000;
}

/** Thai, Lao, Burmese, Khmer, Chinese, Japanese, full-width forms, and what lies beyond U+FFFF. */
function isUnspaced(code: number): boolean {
  if (code < 0xe00) return false;
  return (
    code <= 0xeff ||
    (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef)
  );
}

/** @returns The length of `text.slice(start, end)` in words. */
export function weigh(text: string, start: number, end: number): number {
  let [weight, run] = [0, 0];
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    const space = isSpace(code);
    if (!space && !isUnspaced(code)) run += 1;
    else {
      weight += wordWeight(run) + (space ? spaceWeight : characterWeight);
      run = 0;
    }
  }
  return weight + wordWeight(run);
}

/** Cuts text that is longer than a passage: after white space if there is some, else between characters. */
export function* cutLong(text: string, start: number, end: number): Generator<{ start: number; end: number }> {
  let from = start;
  let [weight, run, afterSpace] = [0, 0, start];
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    const space = isSpace(code);
    if (!space && !isUnspaced(code)) run += 1;
    else {
      weight += wordWeight(run) + (space ? spaceWeight : characterWeight);
      run = 0;
      if (space) afterSpace = index + 1;
    }
    if (weight + wordWeight(run) <= weightMax) continue;
    const cut = afterSpace > from && afterSpace <= index ? afterSpace : characterStart(text, index, from);
    yield { start: from, end: cut };
    from = cut;
    index = cut - 1;
    [weight, run, afterSpace] = [0, 0, cut];
  }
  if (from < end) yield { start: from, end };
}

/** At most some steps back from `index`, so that a character keeps its second half and its accents. */
function characterStart(text: string, index: number, from: number): number {
  for (let cut = index; cut > from && cut > index - 8; cut -= 1) {
    if (!isLowSurrogate(text.charCodeAt(cut)) && !/^\p{M}/u.test(text.slice(cut, cut + 2))) return cut;
  }
  return isLowSurrogate(text.charCodeAt(index)) ? index + 1 : index;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** @returns At most `length` UTF-16 code units from the start, without half a character at the end. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length);
}
