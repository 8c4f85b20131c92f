import type { Archive } from './archive.ts';
import { attributeOf, readXml } from './office-xml.ts';

export interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly id: string }[];
  /** The day that dates count from. */
  readonly epochMs: number;
}

/** The sheets in their order. Source: ECMA-376 part 1, 18.2. */
export async function workbookOf(archive: Archive, part: string): Promise<Workbook> {
  const sheets: { name: string; id: string }[] = [];
  let epochMs = Date.UTC(1899, 11, 30);
  await readXml(archive, part, {
    open(name, attributes) {
      const id = attributeOf(attributes, 'id');
      if (name === 'sheet' && id !== undefined) sheets.push({ name: attributeOf(attributes, 'name') ?? '', id });
      if (name === 'workbookPr' && /^(1|true)$/.test(attributeOf(attributes, 'date1904') ?? ''))
        epochMs = Date.UTC(1904, 0, 1);
    },
  });
  return { sheets, epochMs };
}

/** The texts that cells refer to by number, without the readings of Japanese words. */
export async function sharedStringsOf(archive: Archive, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  let [text, isRead, isReading] = ['', false, false];
  await readXml(archive, part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isReading = true;
      else if (name === 't') isRead = !isReading;
    },
    close(name) {
      if (name === 'si') strings.push(text);
      else if (name === 'rPh') isReading = false;
      else if (name === 't') isRead = false;
    },
    text(data) {
      if (isRead) text += data;
    },
  });
  return strings;
}

export interface Styles {
  /** The date that a number stands for in a cell of this style; null where the style is of no date. */
  dateOf(style: number, value: number): string | null;
}

/** The styles of cells that show numbers as dates. Source: ECMA-376 part 1, 18.8.30. */
export async function stylesOf(archive: Archive, part: string | undefined, epochMs: number): Promise<Styles> {
  const dateFormats = new Set<string>(['14', '15', '16', '17', '18', '19', '20', '21', '22', '45', '46', '47']);
  const isDate: boolean[] = [];
  let inCells = false;
  if (part !== undefined)
    await readXml(archive, part, {
      open(name, attributes) {
        const format = attributeOf(attributes, 'numFmtId') ?? '';
        if (name === 'numFmt' && isDateCode(attributeOf(attributes, 'formatCode') ?? '')) dateFormats.add(format);
        else if (name === 'cellXfs') inCells = true;
        else if (name === 'xf' && inCells) isDate.push(dateFormats.has(format));
      },
      close(name) {
        if (name === 'cellXfs') inCells = false;
      },
    });
  return { dateOf: (style, value) => (isDate[style] ? isoOf(value, epochMs) : null) };
}

/** Date format characters outside of quotes and brackets. */
const isDateCode = (code: string): boolean => /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\][]*\]|\\./g, ''));

/** A day, a time of day, or both. */
function isoOf(value: number, epochMs: number): string | null {
  // Up to the year 9999, which is the last that Excel has.
  if (!(value >= 0 && value < 2_958_466)) return null;
  const [day, time] = new Date(epochMs + Math.round(value * 86_400) * 1_000).toISOString().slice(0, 19).split('T');
  if (value < 1) return time ?? null;
  return time === '00:00:00' ? (day ?? null) : `${day} ${time}`;
}
