import path from 'node:path';
import { Parser } from 'htmlparser2';
import type { Archive } from './archive.ts';
import { ExtractionFailure } from './extracted.ts';

/** Callbacks of the XML reader. Names have no prefix: `p` for `w:p`. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(data: string): void;
}

const depthMax = 1_000;

/**
 * Reads an XML file of an archive without keeping it. Entities other than the five of XML stay as they are written.
 *
 * @throws {ExtractionFailure} DAMAGED for a document type declaration, which Office files never have and which could define entities,
 * and for nesting deeper than 1,000.
 */
export async function readXml(archive: Archive, name: string, handler: XmlHandler): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        if (depth > depthMax) throw refused('it is nested too deeply');
        handler.open?.(localName(tag), attributes);
      },
      onclosetag(tag) {
        depth -= 1;
        handler.close?.(localName(tag));
      },
      ontext: (data) => handler.text?.(data),
      onprocessinginstruction(instruction) {
        if (instruction.startsWith('!')) throw refused('it has a document type declaration');
      },
    },
    { xmlMode: true },
  );
  let decoder: TextDecoder | undefined;
  for await (const piece of archive.read(name)) {
    decoder ??= new TextDecoder(encodingOfXml(piece));
    parser.write(decoder.decode(piece, { stream: true }));
  }
  parser.end();
}

const refused = (why: string): ExtractionFailure =>
  new ExtractionFailure('DAMAGED', `The file is not a valid Office file: ${why}.`);

const encodingOfXml = (start: Buffer): string =>
  start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute by its name without prefix: `val` for `w:val`. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  for (const key in attributes) if (localName(key) === name) return attributes[key];
  return undefined;
}

export interface Relation {
  /** The last part of its type, such as `slide`. */
  readonly type: string;
  /** The name of the file within the archive. */
  readonly target: string;
}

/** What a part refers to, by id. Source: ECMA-376 part 2, Relationships. */
export async function relationsOf(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = path.posix.dirname(part);
  await readXml(archive, path.posix.join(folder, '_rels', `${path.posix.basename(part)}.rels`), {
    open(name, { Id, Type, Target, TargetMode }) {
      if (name !== 'Relationship' || !Id || !Type || !Target || TargetMode === 'External') return;
      const target = Target.startsWith('/') ? Target.slice(1) : path.posix.join(folder, Target);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
    },
  });
  return relations;
}

/** The main part of an Office file. Source: ECMA-376 part 2, relationship type officeDocument. */
export async function mainPartOf(archive: Archive): Promise<string | null> {
  const relations = [...(await relationsOf(archive, '')).values()];
  const target = relations.find(({ type }) => type === 'officeDocument')?.target;
  return target !== undefined && archive.has(target) ? target : null;
}

/** The title in the properties of an Office file. */
export async function titleOf(archive: Archive): Promise<string | null> {
  let inTitle = false;
  let title = '';
  await readXml(archive, 'docProps/core.xml', {
    open(name) {
      inTitle = name === 'title';
    },
    close() {
      inTitle = false;
    },
    text(data) {
      if (inTitle && title.length < 1_000) title += data;
    },
  });
  return title === '' ? null : title;
}
