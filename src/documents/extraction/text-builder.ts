import { type Extraction, ExtractionFailure, type ExtractionLimits, type Heading } from './extracted.ts';

const headingLength = 300;

/** Puts a text together from pieces, with the offsets of its pages and headings, and stops at the limits. */
export class TextBuilder {
  readonly #limits: ExtractionLimits;
  readonly #pieces: string[] = [];
  readonly #pageStarts: number[] = [];
  readonly #headings: Heading[] = [];
  #length = 0;
  #lineFeeds = 2;
  #title: string | null = null;

  constructor(limits: ExtractionLimits) {
    this.#limits = limits;
  }

  /** Where the next character will stand. */
  get length(): number {
    return this.#length;
  }

  /** @throws {ExtractionFailure} TOO_MUCH_TEXT */
  append(text: string): void {
    if (text === '') return;
    const piece = cleaned(text);
    this.#length += piece.length;
    if (this.#length > this.#limits.characters) throw tooMuchText(this.#limits);
    this.#pieces.push(piece);
    const feeds = piece.length - piece.replace(/\n{1,2}$/, '').length;
    this.#lineFeeds = feeds === piece.length ? Math.min(this.#lineFeeds + feeds, 2) : feeds;
  }

  /** Ends the line, and with 2 leaves an empty one; nothing where the text already does so, or has not begun. */
  breakLines(count: 1 | 2): void {
    if (this.#lineFeeds < count) this.append('\n'.repeat(count - this.#lineFeeds));
  }

  /** The next character begins a page. @throws {ExtractionFailure} TOO_MANY_PAGES */
  startPage(): void {
    this.breakLines(2);
    if (this.#pageStarts.length >= this.#limits.pages)
      throw new ExtractionFailure('TOO_MANY_PAGES', `The file has more than ${this.#limits.pages} pages.`);
    this.#pageStarts.push(this.#length);
  }

  /** Adds a line that is a heading. */
  appendHeading(level: number, text: string): void {
    const line = text.replace(/\s+/g, ' ').trim();
    if (line === '') return;
    this.breakLines(2);
    this.markHeading(this.#length, level, line);
    this.append(`${line}\n`);
  }

  /** Says that the line which begins at `start` is a heading. */
  markHeading(start: number, level: number, text: string): void {
    this.#headings.push({ start, level, text: clippedHeading(text) });
  }

  setTitle(title: string | null | undefined): void {
    const line = cleaned(title ?? '')
      .replace(/\s+/g, ' ')
      .trim();
    if (line !== '') this.#title ??= clippedHeading(line);
  }

  /** @throws {ExtractionFailure} EMPTY for white space alone. */
  finish(mimeType: string): Extraction {
    const text = this.#pieces.join('');
    if (!/\S/.test(text)) throw new ExtractionFailure('EMPTY', 'The file has no text.');
    const title = this.#title ?? this.#headings.find(({ level }) => level === 1)?.text ?? null;
    return { mimeType, text, pageStarts: this.#pageStarts, headings: this.#headings, title };
  }
}

/** A text as it is kept: lines end with `\n`; U+0000 and halves of surrogate pairs, which PostgreSQL refuses, are gone. */
export const cleaned = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed();

export const tooMuchText = ({ characters }: ExtractionLimits): ExtractionFailure =>
  new ExtractionFailure('TOO_MUCH_TEXT', `The file has more than ${characters} characters of text.`);

const clippedHeading = (text: string): string => text.slice(0, headingLength).toWellFormed();
