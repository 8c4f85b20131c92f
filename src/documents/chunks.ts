import type { Chunk, Extraction } from './extraction/extracted.ts';
import { isReadByLines } from './extraction/media-types.ts';
import { clipped, cutLong, weigh, weightMax } from './extraction/word-weights.ts';

export type { Chunk } from './extraction/extracted.ts';

/** What the passages are cut from. With `mimeType`, source code and data are cut by lines. */
export type ChunkSource = Pick<Extraction, 'text' | 'pageStarts' | 'headings'> & Partial<Pick<Extraction, 'mimeType'>>;

/** From how much a passage may end early, so that the next paragraph begins the next passage. In words. */
const fairSize = 30;

/** `Intl.Segmenter` copies its input: pieces of this length keep it linear. In UTF-16 code units. */
const pieceLength = 20_000;

const headingLength = 500;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Cuts a text into passages of at most 80 words. The offline embedding model cuts after 128 tokens and does not say so, so long words,
 * and characters of scripts without spaces, count as parts of several words or one (word-weights.ts).
 *
 * A passage crosses neither a heading nor a page. It holds whole paragraphs where they fit, else whole sentences, else whole words.
 * Every character other than white space is in one passage. The time is linear in the length of the text.
 */
export function chunksOf(source: ChunkSource): Chunk[] {
  const byLines = source.mimeType !== undefined && isReadByLines(source.mimeType);
  const chunks: Chunk[] = [];
  for (const section of sectionsOf(source)) {
    const body = source.text.slice(section.start, section.end);
    for (const { start, end } of packed(body, byLines)) {
      const passage = body.slice(start, end);
      const from = section.start + start + passage.length - passage.trimStart().length;
      const to = section.start + start + passage.trimEnd().length;
      if (from < to) chunks.push({ start: from, end: to, page: section.page, heading: section.heading });
    }
  }
  return chunks;
}

interface Section {
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  readonly heading: string | null;
}

/** The stretches between headings and page starts. */
function* sectionsOf({ text, pageStarts, headings }: ChunkSource): Generator<Section> {
  const path: { level: number; text: string }[] = [];
  let [start, page, next] = [0, 0, 0];
  let heading: string | null = null;
  while (start < text.length) {
    while (page < pageStarts.length && (pageStarts[page] as number) <= start) page += 1;
    for (let found = headings[next]; found !== undefined && found.start <= start; found = headings[next]) {
      while ((path.at(-1)?.level ?? 0) >= found.level) path.pop();
      if (found.text !== '') path.push(found);
      heading = headingOf(path);
      next += 1;
    }
    const end = Math.min(pageStarts[page] ?? text.length, headings[next]?.start ?? text.length, text.length);
    yield { start, end, page: pageStarts.length === 0 ? null : Math.max(page, 1), heading };
    start = end;
  }
}

const headingOf = (path: readonly { text: string }[]): string | null =>
  path.length === 0 ? null : clipped(path.map(({ text }) => text).join(' › '), headingLength);

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Stretches between empty lines; the empty lines belong to the stretch before. */
function* paragraphsOf(body: string): Generator<Piece> {
  let start = 0;
  for (const { index, 0: gap } of body.matchAll(/\n[^\S\n]*\n/g)) {
    yield { start, end: index + gap.length };
    start = index + gap.length;
  }
  yield { start, end: body.length };
}

function* linesOf(body: string): Generator<Piece> {
  let start = 0;
  while (start < body.length) {
    const found = body.indexOf('\n', start);
    const end = found === -1 ? body.length : found + 1;
    yield { start, end };
    start = end;
  }
}

/** Fills passages with whole blocks (paragraphs, or lines), and with parts of a block that is longer than a passage. */
function* packed(body: string, byLines: boolean): Generator<Piece> {
  let [start, end, weight] = [0, 0, 0];
  for (const block of byLines ? linesOf(body) : paragraphsOf(body)) {
    const blockWeight = weigh(body, block.start, block.end);
    const isLong = blockWeight > weightMax;
    if (end > start && (isLong ? weight >= fairSize : weight + blockWeight > weightMax)) {
      yield { start, end };
      [start, weight] = [block.start, 0];
    }
    for (const piece of isLong ? partsOf(body, block, byLines) : [block]) {
      const pieceWeight = isLong ? weigh(body, piece.start, piece.end) : blockWeight;
      if (end > start && weight + pieceWeight > weightMax) {
        yield { start, end };
        [start, weight] = [piece.start, 0];
      }
      end = piece.end;
      weight += pieceWeight;
    }
  }
  if (end > start) yield { start, end };
}

/** The sentences of a long paragraph, and the words of sentences that are still too long. */
function* partsOf(body: string, block: Piece, byLines: boolean): Generator<Piece> {
  for (const piece of byLines ? [block] : sentencesOf(body, block)) {
    if (weigh(body, piece.start, piece.end) <= weightMax) yield piece;
    else yield* cutLong(body, piece.start, piece.end);
  }
}

function* sentencesOf(body: string, block: Piece): Generator<Piece> {
  let start = block.start;
  while (start < block.end) {
    const end = start + pieceEnd(body.slice(start, block.end));
    for (const { index, segment } of sentences.segment(unwrapped(body.slice(start, end))))
      yield { start: start + index, end: start + index + segment.length };
    start = end;
  }
}

/** The length of a piece: the whole text, or as many words of it as the segmenter shall get. */
function pieceEnd(text: string): number {
  if (text.length <= pieceLength) return text.length;
  const piece = clipped(text, pieceLength);
  const space = piece.lastIndexOf(' ');
  return space > pieceLength / 2 ? space + 1 : piece.length;
}

/** A sentence goes on after the end of a full line; it ends with a short line, and before an item of a list. The length stays. */
function unwrapped(paragraph: string): string {
  const lines = paragraph.split('\n');
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      if (next === undefined) return line;
      return line + (line.length < 40 || /^\s*(?:[-*•‣]|\d{1,4}[.)])\s/.test(next) ? '\n' : ' ');
    })
    .join('');
}
