import type { Archive } from './archive.ts';
import type { Extraction, ExtractionLimits } from './extracted.ts';
import { docxType } from './media-types.ts';
import { attributeOf, readXml, relationsOf, titleOf } from './office-xml.ts';
import { TextBuilder } from './text-builder.ts';

/** Word: paragraphs, headings, lists, tables (cells parted by tabs), text boxes, and notes at the end. Not: deleted text, comments, page headers. */
export async function readDocx(archive: Archive, main: string, limits: ExtractionLimits): Promise<Extraction> {
  const builder = new TextBuilder(limits);
  builder.setTitle(await titleOf(archive));
  const related = [...(await relationsOf(archive, main)).values()];
  const partOf = (type: string) => related.find((relation) => relation.type === type)?.target;
  const levels = await headingLevels(archive, partOf('styles'));
  for (const part of [main, partOf('footnotes'), partOf('endnotes')])
    if (part !== undefined) await readBody(archive, part, levels, builder);
  return builder.finish(docxType);
}

/** The level of the heading that each paragraph style is. Source: ECMA-376 part 1, 17.7 and 17.3.1.20. */
async function headingLevels(archive: Archive, part: string | undefined): Promise<Map<string, number>> {
  const levels = new Map<string, number>();
  const basis = new Map<string, string>();
  if (part === undefined) return levels;
  let style: string | undefined;
  await readXml(archive, part, {
    open(name, attributes) {
      const value = attributeOf(attributes, 'val') ?? '';
      if (name === 'style') style = attributeOf(attributes, 'styleId');
      if (style === undefined) return;
      if (name === 'basedOn') basis.set(style, value);
      const named = name === 'name' && (/^heading ([1-9])$/i.exec(value)?.[1] ?? (/^title$/i.test(value) ? '1' : null));
      if (named) levels.set(style, Number(named));
      if (name === 'outlineLvl' && /^[0-8]$/.test(value) && !levels.has(style)) levels.set(style, Number(value) + 1);
    },
  });
  for (const [derived, base] of basis) {
    let from: string | undefined = base;
    for (let step = 0; step < 10 && from !== undefined && !levels.has(derived); step += 1) {
      const level = levels.get(from);
      if (level !== undefined) levels.set(derived, level);
      from = basis.get(from);
    }
  }
  return levels;
}

interface Paragraph {
  text: string;
  level: number | null;
  isItem: boolean;
}

/** Parts of a paragraph that are not text: properties, text that a reviewer moved, and the older copy of a drawing. */
const silent = new Set(['rPr', 'sectPr', 'tblPr', 'tcPr', 'trPr', 'moveFrom', 'Fallback']);

async function readBody(
  archive: Archive,
  part: string,
  levels: Map<string, number>,
  builder: TextBuilder,
): Promise<void> {
  const paragraphs: Paragraph[] = [];
  const cells: string[][] = [];
  const rows: string[][] = [];
  let [silence, inProperties, inText] = [0, false, false];

  const add = (text: string, isLine: boolean, level: number | null = null) => {
    const cell = cells.at(-1);
    if (cell !== undefined) cell.push(text.trim());
    else if (level !== null) builder.appendHeading(level, text);
    else {
      builder.breakLines(isLine ? 1 : 2);
      builder.append(`${text}\n`);
    }
  };

  await readXml(archive, part, {
    open(name, attributes) {
      if (silent.has(name)) silence += 1;
      if (silence > 0) return;
      const paragraph = paragraphs.at(-1);
      const value = attributeOf(attributes, 'val') ?? '';
      if (name === 'p') paragraphs.push({ text: '', level: null, isItem: false });
      else if (name === 'tc') cells.push([]);
      else if (name === 'tr') rows.push([]);
      else if (name === 'pPr') inProperties = true;
      else if (paragraph === undefined) return;
      else if (inProperties) {
        if (name === 'pStyle') paragraph.level = levels.get(value) ?? null;
        if (name === 'outlineLvl' && /^[0-8]$/.test(value)) paragraph.level = Number(value) + 1;
        if (name === 'numPr') paragraph.isItem = true;
      } else if (name === 't') inText = true;
      else if (name === 'tab') paragraph.text += '\t';
      else if (name === 'br' || name === 'cr') paragraph.text += '\n';
      else if (name === 'noBreakHyphen') paragraph.text += '-';
    },
    close(name) {
      if (silent.has(name)) silence -= 1;
      if (silence > 0) return;
      if (name === 't') inText = false;
      else if (name === 'pPr') inProperties = false;
      else if (name === 'p') {
        const { text, level, isItem } = paragraphs.pop() ?? { text: '', level: null, isItem: false };
        if (text.trim() !== '') add(isItem && level === null ? `- ${text}` : text, isItem, level);
      } else if (name === 'tc') rows.at(-1)?.push((cells.pop() ?? []).join(' '));
      else if (name === 'tr') add((rows.pop() ?? []).join('\t').trimEnd(), true);
      else if (name === 'tbl' && cells.length === 0) builder.breakLines(2);
    },
    text(data) {
      const paragraph = paragraphs.at(-1);
      if (inText && silence === 0 && paragraph !== undefined) paragraph.text += data;
    },
  });
  builder.breakLines(2);
}
