import { structuredPatch } from 'diff';
import type { z } from 'zod';
import { authorize, type Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { parse } from '../../platform/input/input.ts';
import { versionNotFound } from '../document.ts';
import { DiffRequest } from '../input.ts';
import { findReadable, type Readable } from './readable.ts';
import * as statements from './statements.ts';

/** How the text of one version differs from that of another. */
export interface DocumentDifference {
  readonly documentUuid: string;
  readonly from: number;
  readonly to: number;
  /** Unified format, without the names of files; empty where the texts are the same. */
  readonly patch: string;
  readonly addedLines: number;
  readonly removedLines: number;
  /** False where the patch ends early, because it is too long. */
  readonly isComplete: boolean;
}

/** UTF-16 code units of both texts together: splitting and comparing them blocks the process. */
const charactersMax = 4_000_000;
/** Lines of both texts together: each takes some 120 bytes and 100 ns, however short it is. */
const linesMax = 200_000;
const patchMax = 200_000;
/** After so many changed lines, and after so long, the search for the smallest difference ends. */
const editsMax = 2_000;
const timeoutMs = 100;
const partsMax = 100;

/** Compares versions of a document by lines. */
export function createDifference({ database }: { database: Pick<Database, 'read' | 'query'> }) {
  /**
   * @param input.to The newest version that has been read, if left out.
   * @param input.from The one before `to`, if left out.
   * @throws {ApiError} `NOT_FOUND`; `CONFLICT` for a version that has not been read; `TOO_LARGE` for texts of over 4 million characters
   *   or 200 000 lines together, or that differ in more than 2 000 lines; `VALIDATION_ERROR`.
   */
  return async function diff(
    caller: Caller,
    documentUuid: string,
    input: z.input<typeof DiffRequest> = {},
  ): Promise<DocumentDifference> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const { from, to, contextLines } = parse(DiffRequest, input);
    const newer = await findReadable(database, profileUuid, documentUuid, to ?? null);
    const wanted = from ?? newer.version - 1;
    if (wanted < 1) throw versionNotFound();
    const older = await findReadable(database, profileUuid, documentUuid, wanted);
    if (older.textLength + newer.textLength > charactersMax)
      throw new ApiError('TOO_LARGE', `The two versions exceed ${charactersMax} characters in total`);
    const [before, after] = await Promise.all([textOf(older), textOf(newer)]);
    if (feedsLeft(after, feedsLeft(before, linesMax + 1)) === 0)
      throw new ApiError('TOO_LARGE', `The two versions exceed ${linesMax} lines in total`);
    const patch = structuredPatch('', '', before, after, undefined, undefined, {
      context: contextLines,
      maxEditLength: editsMax,
      timeout: timeoutMs,
    });
    if (!patch) throw new ApiError('TOO_LARGE', 'The versions differ in too many lines to be compared');
    return { documentUuid: newer.documentUuid, from: older.version, to: newer.version, ...shown(patch.hunks) };
  };

  async function textOf(readable: Readable): Promise<string> {
    const parts = await database.query<statements.PartRow>(statements.partsFrom(readable.id, 0, partsMax));
    return parts.map(({ text }) => text).join('');
  }
}

/** Counts line feeds down from a number. @returns The rest; 0 if there are at least as many. */
function feedsLeft(text: string, most: number): number {
  let left = most;
  for (let at = text.indexOf('\n'); at !== -1 && left > 0; at = text.indexOf('\n', at + 1)) left -= 1;
  return left;
}

type Hunks = NonNullable<ReturnType<typeof structuredPatch>>['hunks'];

/** The hunks as text, as many as fit, and the numbers of lines of all. */
function shown(hunks: Hunks): Pick<DocumentDifference, 'patch' | 'addedLines' | 'removedLines' | 'isComplete'> {
  let [patch, addedLines, removedLines, isComplete] = ['', 0, 0, true];
  for (const { oldStart, oldLines, newStart, newLines, lines } of hunks) {
    for (const line of lines) {
      if (line.startsWith('+')) addedLines += 1;
      if (line.startsWith('-')) removedLines += 1;
    }
    const hunk = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}\n`;
    isComplete &&= patch.length + hunk.length <= patchMax;
    if (isComplete) patch += hunk;
  }
  return { patch, addedLines, removedLines, isComplete };
}
