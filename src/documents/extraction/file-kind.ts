import { docxType, pdfType, pptxType, textTypeByName, xlsxType } from './media-types.ts';

/** How a file is read. */
export type FileKind = 'pdf' | 'zip' | 'text' | null;

/**
 * By the first bytes alone. A file that begins as one kind and holds another (a PDF that is a web page too, an archive behind a program)
 * is read as the first or not at all.
 */
export function kindOf(head: Uint8Array): FileKind {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 8_192));
  const first = start.toString('latin1').trimStart();
  if (first.startsWith('%PDF-')) return 'pdf';
  if (first.startsWith('PK\x03\x04')) return 'zip';
  // Rich text consists of characters, but they are not its text.
  if (first.startsWith('{\\rtf')) return null;
  return encodingOf(start) === null ? null : 'text';
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Control characters of a valid UTF-8 text beside white space, at most: a single one does not mean a program or a
 * picture.
 */
const controlShare = 1 / 1_000;
/** Of a text in windows-1252, characters beyond ASCII, at most: Western languages have fewer, other encodings far more. */
const foreignShare = 0.3;

/**
 * The encoding of a text: by its byte order mark, else UTF-8 if it is valid, else windows-1252.
 *
 * @param bytes The whole file, or its first bytes: a character that is cut off at the end is permitted.
 * @returns null for a file that is not text.
 */
export function encodingOf(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const { controls, foreign, undefinedBytes } = countsOf(bytes);
  if (controls <= bytes.length * controlShare && isUtf8(bytes)) return 'utf-8';
  return controls + undefinedBytes === 0 && foreign <= bytes.length * foreignShare ? 'windows-1252' : null;
}

function countsOf(bytes: Uint8Array): { controls: number; foreign: number; undefinedBytes: number } {
  let [controls, foreign, undefinedBytes] = [0, 0, 0];
  for (const byte of bytes) {
    if (byte >= 0x80) foreign += 1;
    else if (byte === 0x7f || (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b)) controls += 1;
    if (byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d) undefinedBytes += 1;
  }
  return { controls, foreign, undefinedBytes };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The type of a file according to its first bytes; the whole file may have another type, or be damaged.
 *
 * @param head The first 4 kB or more.
 * @param fileName Distinguishes kinds of text.
 * @returns null for an unsupported type.
 */
export function typeOf(head: Uint8Array, fileName: string): string | null {
  const kind = kindOf(head);
  if (kind === 'pdf') return pdfType;
  if (kind === 'zip') return officeTypeOf(Buffer.from(head.buffer, head.byteOffset, head.byteLength), fileName);
  return kind === 'text' ? textTypeOf(Buffer.from(head.buffer, head.byteOffset, head.byteLength), fileName) : null;
}

const officeTypes = [
  ['word/', docxType, '.docx'],
  ['ppt/', pptxType, '.pptx'],
  ['xl/', xlsxType, '.xlsx'],
] as const;

/** By a folder that an entry near the start is in. The first entries may be of no folder: then the name is believed, until the file is read. */
function officeTypeOf(head: Buffer, fileName: string): string | null {
  const named = officeTypes.find(([, , ending]) => fileName.toLowerCase().endsWith(ending));
  let nothingElse = true;
  for (let at = head.indexOf('PK\x03\x04'); at !== -1; at = head.indexOf('PK\x03\x04', at + 4)) {
    const name = head.toString('latin1', at + 30, at + 30 + (at + 28 <= head.length ? head.readUInt16LE(at + 26) : 0));
    const found = officeTypes.find(([folder]) => name.startsWith(folder));
    if (found) return found[1];
    if (!/^(\[Content_Types\]\.xml|_rels\/|docProps\/|customXml\/)/.test(name)) nothingElse = false;
  }
  return nothingElse && named ? named[1] : null;
}

/** Marked-up text declares its type; otherwise the name decides. */
export function textTypeOf(head: Buffer, fileName: string): string {
  const named = textTypeByName(fileName);
  if (named.startsWith('text/x-') || named === 'text/markdown') return named;
  const start = head
    .toString('latin1', 0, 1_024)
    .replace(/^(ï»¿|ÿþ|þÿ)/, '')
    .replaceAll('\0', '')
    .trimStart()
    .toLowerCase();
  if (/^(<\?xml[^>]{0,200}>\s{0,100})?(<!doctype html|<html[\s>])/.test(start)) return 'text/html';
  if (start.startsWith('<?xml')) return 'application/xml';
  return named;
}
