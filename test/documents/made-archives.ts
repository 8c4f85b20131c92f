import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive. Each file is deflated. */
export function zip(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { isEncrypted?: boolean } = {},
): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(options.isEncrypted ? 0x0801 : 0x0800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(centrals.length, 8);
  end.writeUInt16LE(centrals.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const schemas = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const names = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${schemas}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;

const relations = (targets: Readonly<Record<string, readonly [type: string, target: string]>>) =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(targets)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${schemas}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const office = (main: string, type: string, files: Readonly<Record<string, string>>, title = '') => ({
  '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  '_rels/.rels': relations({ rId1: ['officeDocument', main], rId2: ['core-properties', 'docProps/core.xml'] }),
  'docProps/core.xml': `${head}<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:creator>Ada</dc:creator><dc:title>${title}</dc:title></cp:coreProperties>`,
  ...files,
});

/** The files of a Word document. `body` is what stands in `<w:body>`; `before` stands before the root. */
export function docxFiles(body: string, { before = '', title = '', footnotes = '' } = {}): Record<string, string> {
  return office(
    'word/document.xml',
    'wordprocessingml.document',
    {
      'word/document.xml': `${head}${before}<w:document ${names}><w:body>${body}</w:body></w:document>`,
      'word/styles.xml': `${head}<w:styles ${names}><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Mine"><w:name w:val="My head"/><w:basedOn w:val="H2"/></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>`,
      'word/footnotes.xml': `${head}<w:footnotes ${names}>${footnotes}</w:footnotes>`,
      'word/_rels/document.xml.rels': relations({
        rId1: ['styles', 'styles.xml'],
        rId2: ['footnotes', 'footnotes.xml'],
      }),
    },
    title,
  );
}

export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;

export const shape = (text: string, placeholder = ''): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder && `<p:ph type="${placeholder}"/>`}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

/** A presentation whose slides have these shapes, and these notes. */
export function pptx(slides: readonly string[], notes: readonly string[] = []): Buffer {
  const files: Record<string, string> = {
    'ppt/presentation.xml': `${head}<p:presentation ${names}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, index) => [`rId${index}`, ['slide', `slides/slide${index}.xml`]])),
    ),
  };
  for (const [index, shapes] of slides.entries()) {
    files[`ppt/slides/slide${index}.xml`] =
      `${head}<p:sld ${names}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    if (!notes[index]) continue;
    files[`ppt/notesSlides/notes${index}.xml`] =
      `${head}<p:notes ${names}><p:cSld><p:spTree>${notes[index]}</p:spTree></p:cSld></p:notes>`;
    files[`ppt/slides/_rels/slide${index}.xml.rels`] = relations({
      rId1: ['notesSlide', `../notesSlides/notes${index}.xml`],
    });
  }
  return zip(office('ppt/presentation.xml', 'presentationml.presentation', files));
}

/** A workbook: the XML of the rows of each sheet by its name, and the shared strings. Style 1 is a date, 2 a date of its own format. */
export function xlsx(sheets: Readonly<Record<string, string>>, strings: readonly string[] = []): Buffer {
  const rows = Object.values(sheets);
  const files: Record<string, string> = {
    'xl/workbook.xml': `${head}<workbook xmlns:r="${schemas}"><workbookPr/><sheets>${Object.keys(sheets)
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(
        rows.map((_, index) => [`rId${index}`, ['worksheet', `/xl/worksheets/sheet${index}.xml`] as const]),
      ),
      s1: ['sharedStrings', 'sharedStrings.xml'],
      s2: ['styles', 'styles.xml'],
    }),
    'xl/sharedStrings.xml': `${head}<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `${head}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]yyyy\\-mm"/><numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
  };
  for (const [index, content] of rows.entries())
    files[`xl/worksheets/sheet${index}.xml`] = `${head}<worksheet><sheetData>${content}</sheetData></worksheet>`;
  return zip(office('xl/workbook.xml', 'spreadsheetml.sheet', files));
}
