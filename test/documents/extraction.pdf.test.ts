import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { extractionStage } from './extraction-stage.ts';
import { pdf, pdfOf, stream } from './made-pdfs.ts';

const { read, failureOf } = extractionStage();

test('pages keep their text, lines and paragraphs', async () => {
  const pages = [['The first page', 'has two lines.', '', 'And a paragraph.'], [], ['The third page']];
  const { text, pageStarts, title, mimeType, chunks } = await read(pdf(pages, { title: 'A title' }), 'a.txt');
  expect(text).toBe('The first page\nhas two lines.\n\nAnd a paragraph.\n\nThe third page');
  expect(pageStarts).toEqual([0, text.indexOf('The third'), text.indexOf('The third')]);
  expect({ title, mimeType }).toEqual({ title: 'A title', mimeType: 'application/pdf' });
  expect(chunks.map(({ page }) => page)).toEqual([1, 3]);
});

test('a PDF that is a web page too is read as the kind that it begins with', async () => {
  const file = pdf([['Only the page']]);
  const both = Buffer.concat([file, Buffer.from('<html><script>alert(1)</script></html>')]);
  expect((await read(both, 'a.html')).text).toBe('Only the page');
  expect(await failureOf(Buffer.concat([Buffer.from('<html><script>alert(1)</script>'), file]), 'a.pdf')).toBe(
    'UNSUPPORTED_TYPE',
  );
});

test('damaged, protected, empty and scanned files have different reasons', async () => {
  const file = pdf([['text']]);
  expect(await failureOf('%PDF-1.7\nnothing follows', 'a.pdf')).toBe('DAMAGED');
  expect(await failureOf(file.subarray(0, 40), 'a.pdf')).toBe('DAMAGED');
  expect((await read(file.subarray(0, file.length - 20), 'a.pdf')).text).toBe('text');
  expect(await failureOf(pdf([[], []]), 'a.pdf')).toBe('EMPTY');
  const lock = `<< /Filter /Standard /V 1 /R 2 /Length 40 /P -44 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`;
  const locked = pdf([['secret']], { extra: [lock], trailer: '/Encrypt 7 0 R /ID [<00> <00>]' });
  expect(await failureOf(locked, 'a.pdf')).toBe('ENCRYPTED');
});

test('a page tree that is its own child, and a stream that is its own content, end', async () => {
  const circle = pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 2 0 R] >>']);
  expect(['DAMAGED', 'EMPTY']).toContain(await failureOf(circle, 'a.pdf'));
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 4 0 R >> >>';
  const itself = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /Resources << /XObject << /X 4 0 R >> >> /Contents 5 0 R >>',
    `<< ${form} /Length 5 >>\nstream\n/X Do\nendstream`,
    stream('/X Do'),
  ]);
  expect(['DAMAGED', 'EMPTY', 'TOO_SLOW', 'TOO_MUCH_MEMORY']).toContain(await failureOf(itself, 'a.pdf'));
});

test('streams within streams are unpacked', async () => {
  const content = [1, 2, 3, 4].reduce(
    (packed) => deflateSync(packed),
    Buffer.from('BT /F1 12 Tf 1 0 0 1 50 700 Tm (deep) Tj ET'),
  );
  const file = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream(content, ['FlateDecode', 'FlateDecode', 'FlateDecode', 'FlateDecode']),
  ]);
  expect((await read(file, 'a.pdf')).text).toBe('deep');
});
