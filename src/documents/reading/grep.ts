import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { authorize, type Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/database/database.ts';
import { invalid, isUuid, parse } from '../../platform/input/input.ts';
import { GrepRequest } from '../input.ts';
import { createMatches, type LineMatch } from './matches.ts';
import { compilePattern, type FindInLine } from './pattern.ts';
import { findReadable, pageOf, type Readable, readableOf } from './readable.ts';
import * as statements from './statements.ts';
import { linesFrom } from './text-lines.ts';

/** A line of a document in which a pattern was found. */
export interface GrepMatch extends LineMatch {
  readonly documentUuid: string;
  readonly title: string;
  readonly version: number;
  /** From 1; null for formats without pages. */
  readonly page: number | null;
}

export interface GrepPage {
  readonly matches: readonly GrepMatch[];
  /** Whether all documents have been searched to their ends. */
  readonly isComplete: boolean;
  /** Where to go on; null when it is complete. */
  readonly nextCursor: string | null;
}

/** What one call may cost. */
export interface GrepBudget {
  /** Of text that is read, in UTF-16 code units. */
  readonly characters: number;
  /** Of searching, with the reading between. Less than a request may cost: docs/decisions/0028-what-a-request-may-cost.md. */
  readonly milliseconds: number;
}

const defaultBudget: GrepBudget = { characters: 8_000_000, milliseconds: 200 };
/** After so long the process does something else first. */
const turnMs = 8;
const documentsAtOnce = 100;
/** UTF-16 code units of documents whose texts are read by one statement; longer ones are read in parts. */
const textsAtOnce = 131_072;

/** Where a search goes on. */
interface Place extends statements.DocumentPlace {
  readonly version: number;
  readonly offset: number;
  readonly line: number;
}

/**
 * Searches the lines of documents. The cost of a call does not grow with the number of documents: it returns where the
 * next call continues.
 */
export function createGrep({
  database,
  budget = defaultBudget,
}: {
  database: Pick<Database, 'read' | 'query'>;
  budget?: GrepBudget;
}) {
  /**
   * The lines that match a pattern, of one document or of all documents of the profile, the newest first.
   *
   * @param input.limit 1 to 100 matches, 20 if left out.
   * @throws {ApiError} `NOT_FOUND`; `CONFLICT` for a single document that has not been read; `VALIDATION_ERROR`.
   */
  return async function grep(caller: Caller, input: z.input<typeof GrepRequest>): Promise<GrepPage> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const { pattern, documentId, caseSensitive, contextLines, limit, after } = parse(GrepRequest, input);
    const find = compilePattern(pattern, caseSensitive);
    const from = after === null || after === undefined ? null : placeOf(after);
    const search = { find, contextLines, limit, matches: [] as GrepMatch[], spent: createSpent(budget) };
    const documents = documentId
      ? [{ document: await findReadable(database, profileUuid, documentId, null), text: null }]
      : withTexts(database, documentsFrom(database, profileUuid, from), from);
    for await (const { document, text } of documents) {
      const isResumed = from?.documentUuid === document.documentUuid && from.version === document.version;
      const stopped = await searchOne(document, isResumed ? from : { offset: 0, line: 1 }, search, text);
      if (stopped === null) continue;
      const { createdAt, documentUuid, version } = document;
      return {
        matches: search.matches,
        isComplete: false,
        nextCursor: cursorOf({ createdAt, documentUuid, version, ...stopped }),
      };
    }
    return { matches: search.matches, isComplete: true, nextCursor: null };
  };

  /** @returns Where it stopped: before a match too many, or at the end of the budget. Null at the end of the document. */
  async function searchOne(
    document: Readable,
    place: { readonly offset: number; readonly line: number },
    search: { find: FindInLine; contextLines: number; limit: number; matches: GrepMatch[]; spent: Spent },
    text: readonly statements.PartRow[] | null,
  ): Promise<{ offset: number; line: number } | null> {
    const { documentUuid, title, version, pageStarts } = document;
    const found = createMatches(search.contextLines);
    const keep = () => {
      for (const match of found.all)
        search.matches.push({ ...match, documentUuid, title, version, page: pageOf(pageStarts, match.start) });
    };
    for await (const lines of linesFrom(database, document.id, document.textLength, place, text)) {
      for (const line of lines) {
        const spent = search.spent.add(line.text.length + 1);
        const isOver = typeof spent === 'boolean' ? spent : await spent;
        const first = isOver ? null : search.find(line.text);
        const match = first !== null && first.start < line.ownLength ? first : null;
        const isFull = match !== null && search.matches.length + found.all.length >= search.limit;
        if (isOver || isFull) {
          keep();
          return { offset: line.start, line: line.number };
        }
        found.add(line, match);
      }
    }
    keep();
    return null;
  }
}

/** A document, with its text where that was read with the texts of others. */
interface WithText {
  readonly document: Readable;
  readonly text: readonly statements.PartRow[] | null;
}

/** Documents with their texts, those of short documents read together. That at the place is read from there. */
async function* withTexts(
  database: Pick<Database, 'query'>,
  batches: AsyncIterable<readonly Readable[]>,
  place: Place | null,
): AsyncGenerator<WithText> {
  for await (const batch of batches) {
    for (let first = 0; first < batch.length; ) {
      let [end, length] = [first, 0];
      for (let next = batch[end]; next && next.documentUuid !== place?.documentUuid; next = batch[end]) {
        length += next.textLength;
        if (length > textsAtOnce) break;
        end += 1;
      }
      const together = batch.slice(first, end);
      if (together.length > 0) {
        const rows = await database.query<statements.WholeRow>(statements.wholeTexts(together.map(({ id }) => id)));
        const texts = Map.groupBy(rows, (row) => row.version_id);
        for (const document of together) yield { document, text: texts.get(document.id) ?? [] };
      } else yield { document: batch[first] as Readable, text: null };
      first = Math.max(end, first + 1);
    }
  }
}

/** The documents from a place on, in batches. One at the place comes first, also when it has a new version. */
async function* documentsFrom(
  database: Pick<Database, 'query'>,
  profileUuid: string,
  place: Place | null,
): AsyncGenerator<readonly Readable[]> {
  let from: statements.DocumentPlace | null = place;
  let isFirst = true;
  for (;;) {
    const rows = await database.query<statements.ReadableRow>(
      statements.readableFrom(profileUuid, from, documentsAtOnce),
    );
    // From the second time on the first row is the last one of the time before.
    yield rows.filter((row) => isFirst || row.document_uuid !== from?.documentUuid).map(readableOf);
    const last = rows.at(-1);
    if (last === undefined || rows.length < documentsAtOnce) return;
    from = { createdAt: last.created_at, documentUuid: last.document_uuid };
    isFirst = false;
  }
}

interface Spent {
  /** @returns Whether the budget is over. Gives way to other work from time to time. */
  add(characters: number): Promise<boolean> | boolean;
}

function createSpent(budget: GrepBudget): Spent {
  const begun = performance.now();
  let turnEnds = begun + turnMs;
  let characters = 0;
  let lines = 0;
  return {
    add(more) {
      characters += more;
      lines += 1;
      if (characters > budget.characters && lines > 1) return true;
      if (more < 1_000 && lines % 32 !== 0) return false;
      const now = performance.now();
      if (now - begun > budget.milliseconds && lines > 1) return true;
      if (now < turnEnds) return false;
      return nextTurn(false).finally(() => {
        turnEnds = performance.now() + turnMs;
      });
    },
  };
}

const cursorOf = ({ createdAt, documentUuid, version, offset, line }: Place): string =>
  Buffer.from([createdAt.getTime(), documentUuid, version, offset, line].join(':')).toString('base64url');

/** @throws {ApiError} `VALIDATION_ERROR` */
function placeOf(cursor: string): Place {
  const [time = '', documentUuid = '', ...numbers] = Buffer.from(cursor, 'base64url').toString().split(':');
  const [version, offset, line] = numbers.map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined));
  if (!/^\d{1,15}$/.test(time) || !isUuid(documentUuid) || !version || offset === undefined || !line)
    throw invalid({ after: 'after is not a cursor of this search' });
  return { createdAt: new Date(Number(time)), documentUuid, version, offset, line };
}
