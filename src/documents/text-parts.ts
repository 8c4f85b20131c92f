/** UTF-16 code units of a part of a stored text. */
const partLength = 65_536;

/** A text in parts of at most 65 536 UTF-16 code units. No part ends within a character. */
export function textPartsOf(text: string): { part: number; start: number; text: string }[] {
  const parts: { part: number; start: number; text: string }[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + partLength);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    parts.push({ part: parts.length, start, text: text.slice(start, end) });
    start = end;
  }
  return parts;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
