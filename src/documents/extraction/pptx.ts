import type { Archive } from './archive.ts';
import type { Extraction, ExtractionLimits } from './extracted.ts';
import { pptxType } from './media-types.ts';
import { attributeOf, readXml, relationsOf, titleOf } from './office-xml.ts';
import { TextBuilder } from './text-builder.ts';

/** PowerPoint: a page for each slide in the order of the show, its title as a heading, tables by rows, and the speaker's notes. */
export async function readPptx(archive: Archive, main: string, limits: ExtractionLimits): Promise<Extraction> {
  const builder = new TextBuilder(limits);
  builder.setTitle(await titleOf(archive));
  const related = await relationsOf(archive, main);
  for (const id of await slideIds(archive, main)) {
    const part = related.get(id)?.target;
    if (part === undefined || !archive.has(part)) continue;
    builder.startPage();
    for (const { kind, lines } of shapesInOrder(await shapesOf(archive, part))) {
      if (kind === 'title') builder.appendHeading(1, lines.join(' '));
      else addLines(lines, builder);
    }
    const notes = [...(await relationsOf(archive, part)).values()].find(({ type }) => type === 'notesSlide')?.target;
    if (notes === undefined) continue;
    for (const { kind, lines } of await shapesOf(archive, notes)) if (kind === 'body') addLines(lines, builder);
  }
  return builder.finish(pptxType);
}

function addLines(lines: readonly string[], builder: TextBuilder): void {
  builder.breakLines(2);
  for (const line of lines) builder.append(`${line}\n`);
}

async function slideIds(archive: Archive, main: string): Promise<string[]> {
  const ids: string[] = [];
  await readXml(archive, main, {
    open(name, attributes) {
      // `id` without a prefix is another number.
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      if (name === 'sldId' && id !== undefined) ids.push(id);
    },
  });
  return ids;
}

interface Shape {
  readonly kind: 'title' | 'body' | 'other';
  readonly lines: string[];
}

const shapesInOrder = (shapes: readonly Shape[]): Shape[] => [
  ...shapes.filter(({ kind }) => kind === 'title'),
  ...shapes.filter(({ kind }) => kind !== 'title'),
];

async function shapesOf(archive: Archive, part: string): Promise<Shape[]> {
  const shapes: Shape[] = [];
  let kind: Shape['kind'] = 'other';
  let lines: string[] = [];
  let row: string[] | null = null;
  let [line, inText, skipped] = ['', false, false];
  const end = () => {
    if (lines.length > 0) shapes.push({ kind, lines });
    lines = [];
    kind = 'other';
  };
  await readXml(archive, part, {
    open(name, attributes) {
      if (name === 'sp' || name === 'graphicFrame') end();
      else if (name === 'ph') kind = kindOf(attributeOf(attributes, 'type'));
      else if (name === 'fld') skipped = attributeOf(attributes, 'type') === 'slidenum';
      else if (name === 't') inText = !skipped;
      else if (name === 'br') line += '\n';
      else if (name === 'tr') row = [];
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'fld') skipped = false;
      else if (name === 'p') {
        if (line.trim() !== '' || row !== null) (row ?? lines).push(row === null ? line : line.trim());
        line = '';
      } else if (name === 'tr') {
        if (row?.some((cell) => cell !== '')) lines.push(row.join('\t').trimEnd());
        row = null;
      } else if (name === 'sp' || name === 'graphicFrame') end();
    },
    text(data) {
      if (inText) line += data;
    },
  });
  end();
  return shapes;
}

function kindOf(placeholder: string | undefined): Shape['kind'] {
  if (placeholder === 'title' || placeholder === 'ctrTitle') return 'title';
  return placeholder === undefined || placeholder === 'body' ? 'body' : 'other';
}
