import type { Archive } from './archive.ts';
import type { Extraction, ExtractionLimits } from './extracted.ts';
import { xlsxType } from './media-types.ts';
import { attributeOf, readXml, relationsOf, titleOf } from './office-xml.ts';
import { TextBuilder } from './text-builder.ts';
import { type Styles, sharedStringsOf, stylesOf, workbookOf } from './xlsx-parts.ts';

/** A row is not filled up over more empty cells than this. */
const gapMax = 100;

/** Excel: a page for each sheet with its name as a heading, a line for each row, cells parted by tabs, dates in ISO 8601. */
export async function readXlsx(archive: Archive, main: string, limits: ExtractionLimits): Promise<Extraction> {
  const builder = new TextBuilder(limits);
  builder.setTitle(await titleOf(archive));
  const related = await relationsOf(archive, main);
  const partOf = (type: string) => [...related.values()].find((relation) => relation.type === type)?.target;
  const workbook = await workbookOf(archive, main);
  const strings = await sharedStringsOf(archive, partOf('sharedStrings'));
  const styles = await stylesOf(archive, partOf('styles'), workbook.epochMs);
  for (const { name, id } of workbook.sheets) {
    const part = related.get(id)?.target;
    if (part === undefined || !archive.has(part)) continue;
    builder.startPage();
    builder.appendHeading(1, name);
    await readSheet(archive, part, strings, styles, builder);
  }
  return builder.finish(xlsxType);
}

async function readSheet(
  archive: Archive,
  part: string,
  strings: readonly string[],
  styles: Styles,
  builder: TextBuilder,
): Promise<void> {
  let row: string[] = [];
  let [column, type, style, value] = [0, '', 0, ''];
  let isRead = false;
  await readXml(archive, part, {
    open(name, attributes) {
      if (name === 'row') row = [];
      else if (name === 'c') {
        column = columnOf(attributeOf(attributes, 'r')) ?? row.length;
        type = attributeOf(attributes, 't') ?? 'n';
        style = Number(attributeOf(attributes, 's') ?? 0);
        value = '';
      } else if (name === 'v' || name === 't') isRead = true;
    },
    close(name) {
      if (name === 'v' || name === 't') isRead = false;
      else if (name === 'c') {
        const shown = shownValue(type, value, style, strings, styles);
        if (shown === '') return;
        for (let gap = Math.min(column - row.length, gapMax); gap > 0; gap -= 1) row.push('');
        row.push(shown);
      } else if (name === 'row' && row.length > 0) builder.append(`${row.join('\t')}\n`);
    },
    text(data) {
      if (isRead) value += data;
    },
  });
}

/** `C5` is column 2. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function shownValue(type: string, value: string, style: number, strings: readonly string[], styles: Styles): string {
  const text = type === 's' ? (strings[Number(value)] ?? '') : value;
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'n' && value !== '') return styles.dateOf(style, Number(value)) ?? plainNumber(value);
  return text.replace(/\s+/g, ' ').trim();
}

/** Files hold 0.1 as 0.10000000000000001. */
function plainNumber(value: string): string {
  const number = Number(value);
  return Number.isFinite(number) ? String(number) : value.trim();
}
