import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { invalid, isUuid, parse } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { cursorOf, placeAfter } from './cursor.ts';
import type { ClipboardEntry } from './entry.ts';
import {
  ConnectionRequest,
  EntryFilter,
  EntrySelector,
  foundBytesMax,
  foundEntriesMax,
  PageRequest,
  pageBytesMax,
} from './input.ts';
import { startThatFits } from './page-size.ts';
import * as statements from './statements.ts';

export interface EntryPage {
  readonly entries: ClipboardEntry[];
  /** Live entries of the profile, all pages together. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface EntryConnection {
  readonly edges: { cursor: string; node: ClipboardEntry }[];
  readonly hasNextPage: boolean;
}

/** The entries of a caller's profile. Source: docs/specification/clipboard.md. */
export function createReads({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  /**
   * Reads one of the caller's entries by name or by index.
   *
   * @param input Exactly one of `name` and `idx`; index 0 is the newest of the stack.
   * @returns The entry, or null when there is none or it has expired.
   * @throws {ApiError} `VALIDATION_ERROR` for both, neither or a malformed one.
   * @see docs/specification/clipboard.md#get
   */
  async function get(caller: Caller, input: z.input<typeof EntrySelector>): Promise<ClipboardEntry | null> {
    const { profileUuid } = authorize(caller, 'clipboard:read');
    const { name, idx } = parse(EntrySelector, input);
    const [row] = await (name
      ? database.read<ClipboardEntry>(statements.getByName(profileUuid, clock.pinned(), name))
      : database.query<ClipboardEntry>(statements.getByIndex(profileUuid, clock.pinned(), idx ?? 0)));
    return row ?? null;
  }

  /**
   * Reads entries by id, also those that others share with the caller: of its project with visibility `workspace`, of
   * any profile with visibility `public`.
   *
   * @param uuids At most 100.
   * @param bytesMax Of their values together; 16 MB by default. Sizes are known before any value is read.
   * @returns An entry per id in the same order; null for ids that do not exist, have expired, or belong to another
   * profile.
   * @throws {ApiError} `VALIDATION_ERROR` for more ids; `TOO_LARGE` for more bytes.
   * @see docs/specification/clipboard.md#visibility
   */
  async function find(
    caller: Caller,
    uuids: readonly string[],
    bytesMax = foundBytesMax,
  ): Promise<(ClipboardEntry | null)[]> {
    const { profileUuid, projectUuid } = authorize(caller, 'clipboard:read');
    const asked = [...new Set(uuids.filter(isUuid))];
    if (asked.length === 0) return uuids.map(() => null);
    if (uuids.length > foundEntriesMax) throw invalid({ ids: `at most ${foundEntriesMax} at once` });
    const statement = statements.findByUuid(profileUuid, clock.pinned(), projectUuid, asked, bytesMax);
    const rows = await database.query<statements.FoundRow>(statement);
    if (Number(rows[0]?.bytes ?? 0) > bytesMax)
      throw new ApiError('TOO_LARGE', 'The entries exceed 16 MB: request fewer entries');
    const byUuid = new Map(rows.map(({ bytes: _, ...entry }) => [entry.uuid, entry]));
    return uuids.map((uuid) => byUuid.get(uuid.toLowerCase()) ?? null);
  }

  /**
   * A page of the caller's entries by offset: the stack by index, then names, newest first.
   *
   * @param input.limit 1 to 1000 entries, 1000 if left out. A page also ends at 8 MB of values, and at 16 MB of them as JSON.
   * @param input.offset Entries to pass over, 0 if left out.
   * @param shape.withValues False leaves the values unread and empty, for who does not show them.
   * @throws {ApiError} `VALIDATION_ERROR` out of these bounds.
   * @see docs/specification/clipboard.md#list
   */
  async function page(
    caller: Caller,
    input: z.input<typeof PageRequest>,
    { withValues = true } = {},
  ): Promise<EntryPage> {
    const { profileUuid } = authorize(caller, 'clipboard:read');
    const { limit, offset, ...filter } = parse(PageRequest, input);
    const wanted = { limit, offset, filter, after: null, withTotal: true, withValues, bytesMax: pageBytesMax };
    const rows = await database.query<statements.PageRow>(statements.page(profileUuid, clock.pinned(), wanted));
    const entries = startThatFits(rows.filter(isTaken)).map(entryOf);
    return { entries, total: rows[0]?.total ?? 0, limit, offset };
  }

  /**
   * A page of the caller's entries after a cursor, in the order of `page`.
   *
   * @param input.first 0 to 100 entries, 20 if left out. A page also ends at 8 MB of values, and at 16 MB of them as JSON.
   * @param shape.withValues False leaves the values unread and empty, for who does not show them.
   */
  async function connection(
    caller: Caller,
    input: z.input<typeof ConnectionRequest>,
    { withValues = true } = {},
  ): Promise<EntryConnection> {
    const { profileUuid } = authorize(caller, 'clipboard:read');
    const { first, after, ...filter } = parse(ConnectionRequest, input);
    const wanted = {
      limit: first,
      offset: 0,
      filter,
      after: placeAfter(after),
      withTotal: false,
      withValues,
      bytesMax: pageBytesMax,
    };
    const rows = await database.query<statements.PageRow>(statements.page(profileUuid, clock.pinned(), wanted));
    const shown = startThatFits(rows.filter(isTaken));
    const edges = shown.map((row) => ({ cursor: cursorOf(row), node: entryOf(row) }));
    return { edges, hasNextPage: shown.length < rows.filter(({ uuid }) => uuid !== null).length };
  }

  /** How many live entries of the caller the filter lets through. */
  async function count(caller: Caller, input: z.input<typeof EntryFilter>): Promise<number> {
    const { profileUuid } = authorize(caller, 'clipboard:read');
    const filter = parse(EntryFilter, input);
    const [row] = await database.query<{ count: number }>(statements.count(profileUuid, clock.pinned(), filter));
    return row?.count ?? 0;
  }

  return { get, find, page, connection, count };
}

type FullRow = Extract<statements.PageRow, statements.ListedRow>;

const isTaken = (row: statements.PageRow): row is FullRow => row.taken === true;

const entryOf = ({ seq: _seq, total: _total, taken: _taken, ...entry }: FullRow): ClipboardEntry => entry;
