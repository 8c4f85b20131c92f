import { readFile } from 'node:fs/promises';
import { chunksOf } from '../chunks.ts';
import { damaged, openArchive } from './archive.ts';
import { readDocx } from './docx.ts';
import { type ExtractedFile, type Extraction, ExtractionFailure, type ExtractionLimits } from './extracted.ts';
import { kindOf, textTypeOf } from './file-kind.ts';
import { readHtml } from './html.ts';
import { mainPartOf, readXml } from './office-xml.ts';
import { readPdf } from './pdf.ts';
import { readPptx } from './pptx.ts';
import { readText, unsupported } from './text.ts';
import { readXlsx } from './xlsx.ts';

/**
 * Reads a file by its content, whatever its name says.
 *
 * @throws {ExtractionFailure} for a file that is not read; the error of the file system where it cannot be opened.
 */
export async function readWholeFile(path: string, fileName: string, limits: ExtractionLimits): Promise<ExtractedFile> {
  const bytes = await readFile(path);
  try {
    const extraction = await readBytes(bytes, fileName, limits);
    return { ...extraction, chunks: chunksOf(extraction) };
  } catch (error) {
    throw error instanceof ExtractionFailure ? error : damaged(error);
  }
}

async function readBytes(bytes: Buffer, fileName: string, limits: ExtractionLimits): Promise<Extraction> {
  if (bytes.length === 0) throw new ExtractionFailure('EMPTY', 'The file has no content.');
  const kind = kindOf(bytes);
  if (kind === 'pdf') return readPdf(bytes, limits);
  if (kind === 'zip') return readOffice(bytes, limits);
  if (kind === 'text') {
    const isPage = textTypeOf(bytes, fileName) === 'text/html';
    return isPage ? readHtml(bytes, limits) : readText(bytes, fileName, limits);
  }
  if (isEncryptedOffice(bytes)) throw new ExtractionFailure('ENCRYPTED', 'The file is protected by a password.');
  throw unsupported();
}

/** By the content type of the main part. Source: ECMA-376 part 2, [Content_Types].xml. */
async function readOffice(bytes: Buffer, limits: ExtractionLimits): Promise<Extraction> {
  const archive = await openArchive(bytes, limits);
  const main = await mainPartOf(archive);
  if (main === null) throw unsupported();
  let type = '';
  await readXml(archive, '[Content_Types].xml', {
    open(name, { PartName, ContentType }) {
      if (name === 'Override' && PartName === `/${main}`) type = ContentType ?? '';
    },
  });
  if (type.includes('wordprocessingml')) return readDocx(archive, main, limits);
  if (type.includes('presentationml')) return readPptx(archive, main, limits);
  if (type.includes('spreadsheetml.sheet')) return readXlsx(archive, main, limits);
  throw unsupported();
}

/** An Office file with a password is an OLE file that holds a stream of this name. Source: MS-OFFCRYPTO 2.3.4. */
const isEncryptedOffice = (bytes: Buffer): boolean =>
  bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])) &&
  bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
