import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { extractionStage } from './extraction-stage.ts';

const stage = extractionStage();
const { read, failureOf } = stage;

test('a text is read as it stands, with line feeds alone, and without what PostgreSQL refuses', async () => {
  const { text, mimeType, pageStarts, headings, title } = await read(
    `one\r\ntwo\rthree\0${' '.repeat(2_000)}😀`,
    'a.txt',
  );
  expect(text).toBe(`one\ntwo\nthree${' '.repeat(2_000)}😀`);
  expect({ mimeType, pageStarts, headings, title }).toEqual({
    mimeType: 'text/plain',
    pageStarts: [],
    headings: [],
    title: null,
  });
});

test('UTF-8, UTF-16 with a byte order mark, and windows-1252 are distinguished', async () => {
  const text = 'Grüße – “naïve” people in a café';
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const western = Buffer.from('Gr\xfc\xdfe \x96 \x93na\xefve\x94 people in a caf\xe9', 'latin1');
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, Buffer.from(utf16).swap16(), western])
    expect((await read(bytes, 'a.txt')).text).toBe(text);
  expect((await read(Buffer.concat([utf16, Buffer.from([0x00, 0xd8])]), 'a.txt')).text).toBe(`${text}\ufffd`);
});

test('the content decides, and the name only distinguishes kinds of text', async () => {
  const types = {
    'a.md': '# x',
    'a.csv': 'a,b',
    'a.JSON': '{}',
    'a.yaml': 'a: 1',
    'a.py': 'print(1)',
    'a.pdf': 'no pdf',
    'b.docx': 'no zip',
    a: 'no ending',
    'a.xml': '<a/>',
    'b.txt': '<?xml version="1.0"?><a/>',
  };
  const read_ = await Promise.all(
    Object.entries(types).map(async ([name, content]) => (await read(content, name)).mimeType),
  );
  expect(read_).toEqual([
    'text/markdown',
    'text/csv',
    'application/json',
    'application/yaml',
    'text/x-python',
    'text/plain',
    'text/plain',
    'text/plain',
    'application/xml',
    'application/xml',
  ]);
});

test('a file that is not text, or has none, is refused with a reason', async () => {
  const random = Buffer.from(
    Array.from({ length: 64 }, (_, index) => [...createHash('sha256').update(`${index}`).digest()]).flat(),
  );
  expect(await failureOf('', 'a.txt')).toBe('EMPTY');
  expect(await failureOf(' \n\t ', 'a.txt')).toBe('EMPTY');
  expect(await failureOf(random, 'a.txt')).toBe('UNSUPPORTED_TYPE');
  expect(await failureOf(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'a.txt')).toBe('UNSUPPORTED_TYPE');
  expect(await failureOf('{\\rtf1 text}', 'a.txt')).toBe('UNSUPPORTED_TYPE');
  expect(await failureOf(Buffer.from('привет мир', 'utf16le'), 'a.txt')).toBe('UNSUPPORTED_TYPE');
  const cyrillic = Buffer.from([0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0]);
  expect(await failureOf(cyrillic, 'a.txt')).toBe('UNSUPPORTED_TYPE');
});

test('headings of Markdown are kept, and none within code', async () => {
  const text =
    '# Guide #\n\ntext\n\n## Use\n```sh\n# no heading\n```\n- item\n---\nSetext\n===\n#no\nsecond\n---\n~~~\n# no';
  const { headings, title } = await read(text, 'a.md');
  expect(headings).toEqual([
    { start: 0, level: 1, text: 'Guide' },
    { start: text.indexOf('## Use'), level: 2, text: 'Use' },
    { start: text.indexOf('Setext'), level: 1, text: 'Setext' },
    { start: text.indexOf('#no'), level: 2, text: '#no second' },
  ]);
  expect(title).toBe('Guide');
});

test('a name of 5,000 characters is read like any other', async () => {
  expect((await read('text', `../../${'x'.repeat(5_000)}.md`)).mimeType).toBe('text/markdown');
});

test('the type is known from the first bytes', () => {
  const typeOf = (head: string, name: string) => stage.extractor.typeOf(Buffer.from(head, 'latin1'), name);
  const entry = (name: string) => `PK\x03\x04${'\0'.repeat(22)}${String.fromCharCode(name.length)}\0\0\0${name}`;
  expect(typeOf('%PDF-1.7\n', 'a.txt')).toBe('application/pdf');
  expect(typeOf('<!doctype html><p>%PDF-1.7', 'a.pdf')).toBe('text/html');
  expect(typeOf(entry('[Content_Types].xml') + entry('xl/workbook.xml'), 'a.docx')).toContain('spreadsheetml');
  expect(typeOf(entry('[Content_Types].xml'), 'a.docx')).toContain('wordprocessingml');
  expect(typeOf(entry('payload.exe'), 'a.docx')).toBe(null);
  expect(typeOf('\x7fELF\0\0\0', 'a.txt')).toBe(null);
});
