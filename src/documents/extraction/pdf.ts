import { getDocumentProxy } from 'unpdf';
import { damaged } from './archive.ts';
import { type Extraction, ExtractionFailure, type ExtractionLimits } from './extracted.ts';
import { pdfType } from './media-types.ts';
import { TextBuilder } from './text-builder.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** PDF: the text of each page in the order in which the file draws it, with an empty line where the distance of lines is wide. */
export async function readPdf(bytes: Buffer, limits: ExtractionLimits): Promise<Extraction> {
  const pdf = await opened(bytes);
  if (pdf.numPages > limits.pages)
    throw new ExtractionFailure(
      'TOO_MANY_PAGES',
      `The file has ${pdf.numPages} pages; at most ${limits.pages} are read.`,
    );
  const builder = new TextBuilder(limits);
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const title = 'Title' in info ? info.Title : null;
  if (typeof title === 'string') builder.setTitle(title);
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number).catch((error: unknown) => {
      throw damaged(error);
    });
    builder.startPage();
    await readPage(page, builder);
    page.cleanup();
  }
  try {
    return builder.finish(pdfType);
  } catch (error) {
    if (!(error instanceof ExtractionFailure && error.code === 'EMPTY')) throw error;
    throw new ExtractionFailure('EMPTY', 'The file has no text. Text in pictures, such as scanned pages, is not read.');
  }
}

async function opened(bytes: Buffer): Promise<Pdf> {
  try {
    // A copy: the library takes over the memory that it is given.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      maxImageSize: 0,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new ExtractionFailure('ENCRYPTED', 'The file is protected by a password.');
    throw damaged(error);
  }
}

/** A distance of so many line heights, or a way back up, begins a paragraph or a column. */
const wideLine = 1.8;

async function readPage(page: Page, builder: TextBuilder): Promise<void> {
  const { items } = await page.getTextContent();
  let bottom: number | null = null;
  let isNewLine = true;
  for (const item of items) {
    if (!('str' in item)) continue;
    const y = Number(item.transform[5]);
    if (isNewLine && item.str.trim() !== '') {
      const distance = bottom === null ? 0 : bottom - y;
      if (item.height > 0 && (distance > item.height * wideLine || distance < 0)) builder.breakLines(2);
      bottom = y;
      isNewLine = false;
    }
    builder.append(item.str);
    if (item.hasEOL) {
      builder.breakLines(1);
      isNewLine = true;
    }
  }
}
