import { type Extraction, ExtractionFailure, type ExtractionLimits } from './extracted.ts';
import { encodingOf, textTypeOf } from './file-kind.ts';
import { cleaned, TextBuilder, tooMuchText } from './text-builder.ts';

/** A text in its encoding. @throws {ExtractionFailure} UNSUPPORTED_TYPE, TOO_MUCH_TEXT */
export function decoded(bytes: Buffer, limits: ExtractionLimits): string {
  // No encoding needs more than four bytes for a character, or for half of one.
  if (bytes.length > limits.characters * 4) throw tooMuchText(limits);
  const encoding = encodingOf(bytes);
  if (encoding === null) throw unsupported();
  return cleaned(new TextDecoder(encoding).decode(bytes));
}

export const unsupported = (): ExtractionFailure =>
  new ExtractionFailure(
    'UNSUPPORTED_TYPE',
    'The file type is not supported. Supported types: PDF, Word, PowerPoint and Excel (docx, pptx, xlsx), web pages, Markdown and other text in UTF-8, UTF-16 or windows-1252.',
  );

/** Plain text, Markdown, data and source code: the text as it stands. */
export function readText(bytes: Buffer, fileName: string, limits: ExtractionLimits): Extraction {
  const builder = new TextBuilder(limits);
  const text = decoded(bytes, limits);
  builder.append(text);
  const mimeType = textTypeOf(bytes, fileName);
  if (mimeType === 'text/markdown') markHeadings(text, builder);
  return builder.finish(mimeType);
}

/** Headings of Markdown: `## Name`, and lines underlined with `=` or `-`; none within fenced code. Source: CommonMark 0.31. */
function markHeadings(text: string, builder: TextBuilder): void {
  let fence: string | null = null;
  let [start, paragraphStart] = [0, -1];
  for (const line of text.split('\n')) {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const hashes = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line)?.[1];
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1];
    if (fence !== null) {
      if (marks?.startsWith(fence)) fence = null;
    } else if (marks) fence = marks;
    else if (hashes) {
      const name = line.trim().slice(hashes.length).trim();
      builder.markHeading(start, hashes.length, name.replace(/(^|[ \t])#+$/, '').trim());
    } else if (underline && paragraphStart !== -1) {
      const name = text.slice(paragraphStart, start).trim().replace(/\s+/g, ' ');
      builder.markHeading(paragraphStart, underline.startsWith('=') ? 1 : 2, name);
    }
    const isParagraph = fence === null && !marks && !hashes && !underline && /^ {0,3}[^\s>|*+-]/.test(line);
    paragraphStart = isParagraph ? (paragraphStart === -1 ? start : paragraphStart) : -1;
    start += line.length + 1;
  }
}
