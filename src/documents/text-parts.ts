/** UTF-16 code units of a part of a stored text. */
const partLength = 65_536;

export interface TextPart {
  /** From 0. */
  readonly part: number;
  /** Offset in the text, in UTF-16 code units. */
  readonly start: number;
  /** Line feeds of the text before the part. */
  readonly feedsBefore: number;
  readonly text: string;
}

/** A text in parts of at most 65 536 UTF-16 code units. No part ends within a character. */
export function textPartsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let feedsBefore = 0;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + partLength);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    const own = text.slice(start, end);
    parts.push({ part: parts.length, start, feedsBefore, text: own });
    feedsBefore += countFeeds(own);
    start = end;
  }
  return parts;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** How many line feeds a text has. */
export function countFeeds(text: string): number {
  let feeds = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) feeds += 1;
  return feeds;
}
