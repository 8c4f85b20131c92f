import { expect, test } from 'vitest';
import { extractionStage } from './extraction-stage.ts';
import { docxFiles, paragraph, pptx, shape, xlsx, zip } from './made-archives.ts';

const { read, failureOf } = extractionStage();

test('Word: headings by style, lists, tables, notes; without deleted text', async () => {
  const cell = (...texts: string[]) => `<w:tc>${texts.map((text) => paragraph(text)).join('')}</w:tc>`;
  const body = [
    paragraph('Guide', 'H1'),
    paragraph('First &amp; last &lt;paragraph&gt;'),
    paragraph('Install', 'Mine'),
    '<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>two</w:t></w:r></w:p>',
    `<w:tbl><w:tr>${cell('a', 'b')}${cell('c')}</w:tr><w:tr>${cell('d')}${cell('')}</w:tr></w:tbl>`,
    '<w:p><w:r><w:t xml:space="preserve">kept </w:t></w:r><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:tab/><w:t>and</w:t><w:br/><w:instrText>PAGE</w:instrText><w:t>more</w:t></w:r></w:p>',
  ].join('');
  const { text, headings, title, mimeType, pageStarts, chunks } = await read(
    zip(docxFiles(body, { title: 'The guide', footnotes: paragraph('A note') })),
    'a.bin',
  );
  expect(text).toBe(
    'Guide\n\nFirst & last <paragraph>\n\nInstall\n- one\n- two\na b\tc\nd\n\nkept \tand\nmore\n\nA note\n\n',
  );
  expect(headings).toEqual([
    { start: 0, level: 1, text: 'Guide' },
    { start: text.indexOf('Install'), level: 2, text: 'Install' },
  ]);
  expect(chunks.map(({ heading }) => heading)).toEqual(['Guide', 'Guide › Install']);
  expect({ title, pageStarts }).toEqual({ title: 'The guide', pageStarts: [] });
  expect(mimeType).toContain('wordprocessingml');
});

test('PowerPoint: slides are pages, their titles headings, and notes follow', async () => {
  const table =
    '<p:graphicFrame><a:tbl><a:tr><a:tc><a:p><a:r><a:t>x</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>y</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:graphicFrame>';
  const slides = [
    shape('Body of one') + shape('One', 'title'),
    shape('Two', 'ctrTitle') +
      table +
      '<p:sp><p:txBody><a:p><a:fld type="slidenum"><a:t>2</a:t></a:fld></a:p></p:txBody></p:sp>',
  ];
  const { text, headings, pageStarts, mimeType } = await read(
    pptx(slides, [shape('Say hello', 'body') + shape('1', 'sldNum')]),
    'a.pptx',
  );
  expect(text).toBe('One\n\nBody of one\n\nSay hello\n\nTwo\n\nx\ty\n');
  expect(pageStarts).toEqual([0, text.indexOf('Two')]);
  expect(headings.map((heading) => heading.text)).toEqual(['One', 'Two']);
  expect(mimeType).toContain('presentationml');
});

test('Excel: sheets are pages, rows are lines, and dates are dates', async () => {
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>inline\ntext</t></is></c></row>' +
    '<row r="2"><c r="A2" s="1"><v>45000</v></c><c r="B2" s="2"><v>45000.5</v></c><c r="C2" s="3"><v>0.10000000000000001</v></c><c r="D2" t="b"><v>1</v></c></row>' +
    '<row r="3"><c r="A3"/></row><row r="4"><c r="XFD4"><v>7</v></c></row>';
  const { text, pageStarts, headings, chunks } = await read(
    xlsx({ Sales: rows, Empty: '' }, ['Name &amp; day']),
    'a.xlsx',
  );
  expect(text).toBe(
    `Sales\n\nName & day\t\tinline text\n2023-03-15\t2023-03-15 12:00:00\t0.1\tTRUE\n${'\t'.repeat(100)}7\n\nEmpty\n`.replace(
      'Sales\n\n',
      'Sales\n',
    ),
  );
  expect(pageStarts).toEqual([0, text.indexOf('Empty')]);
  expect(headings.map((heading) => heading.text)).toEqual(['Sales', 'Empty']);
  expect(chunks.map(({ page, heading }) => [page, heading])).toEqual([
    [1, 'Sales'],
    [2, 'Empty'],
  ]);
});

test('the content of a zip archive decides: an archive of other files, or of another archive, is not read', async () => {
  const inner = zip(docxFiles(paragraph('inner')));
  expect(await failureOf(zip({ 'a.js': 'alert(1)' }), 'a.docx')).toBe('UNSUPPORTED_TYPE');
  expect(await failureOf(zip({ 'inner.docx': inner }), 'a.docx')).toBe('UNSUPPORTED_TYPE');
  expect((await read(zip({ ...docxFiles(paragraph('outer')), 'inner.docx': inner }), 'a.docx')).text).toBe('outer\n\n');
  expect((await read(zip(docxFiles(paragraph('a word document'))), 'program.exe')).mimeType).toContain(
    'wordprocessingml',
  );
});

test('a script with an archive behind it is neither', async () => {
  expect(await failureOf(Buffer.concat([Buffer.from('alert(1);//'), zip(docxFiles(paragraph('x')))]), 'a.js')).toBe(
    'UNSUPPORTED_TYPE',
  );
});

test('entities are never expanded, and a file that could define some is refused', async () => {
  const xxe = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const laughs = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]>';
  expect(await failureOf(zip(docxFiles(paragraph('&x;'), { before: xxe })), 'a.docx')).toBe('DAMAGED');
  expect(await failureOf(zip(docxFiles(paragraph('&c;'), { before: laughs })), 'a.docx')).toBe('DAMAGED');
  expect((await read(zip(docxFiles(paragraph('&x; &amp;'))), 'a.docx')).text).toBe('&x; &\n\n');
  const xml = `<?xml version="1.0"?>${xxe}<r>&x;</r>`;
  expect((await read(xml, 'a.xml')).text).toBe(xml);
});

test('a file with a password, and a truncated one, have their own reasons', async () => {
  const whole = zip(docxFiles(paragraph('x'.repeat(5_000))));
  const ole = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), Buffer.from('EncryptedPackage', 'utf16le')]);
  expect(await failureOf(zip(docxFiles(paragraph('x')), { isEncrypted: true }), 'a.docx')).toBe('ENCRYPTED');
  expect(await failureOf(ole, 'a.docx')).toBe('ENCRYPTED');
  expect(await failureOf(whole.subarray(0, 600), 'a.docx')).toBe('DAMAGED');
  const broken = Buffer.from(whole);
  broken.fill(0xff, 60, 160);
  expect(await failureOf(broken, 'a.docx')).toBe('DAMAGED');
  expect(await failureOf(zip(docxFiles('')), 'a.docx')).toBe('EMPTY');
});
