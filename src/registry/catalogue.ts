import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { parse } from '../platform/input/input.ts';
import { CatalogueRequest, cursorOf } from './input.ts';
import { keyOf } from './publication.ts';
import * as statements from './statements.ts';

/** A version of a server, as the registry lists it. */
export interface RegistryEntry {
  readonly name: string;
  readonly version: string;
  /** The server.json as text. */
  readonly document: string;
  readonly status: statements.EntryStatus;
  readonly statusMessage: string | null;
  readonly statusChangedAt: Date;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  readonly isLatest: boolean;
  readonly serverUuid: string | null;
}

export interface RegistryHealth {
  readonly status: 'healthy' | 'degraded';
  readonly version: string;
  readonly lastIndexedAt: Date | null;
  readonly totalServers: number;
}

/** Versions of one server in one response: their highest size fits. */
export const versionsMax = 250;

/** Names that a search has in common: of more than these the first come up soon in the feed. */
const amongMax = 1_000;

/** Entries that are counted; who wants to know of more asks for the latest versions of all. */
const countMax = 10_000;

const notFound = () => new ApiError('NOT_FOUND', 'Server not found');

/** The public catalogue of the registry. Source: the official registry, OpenAPI document of 2025-12-01; docs/specification/registry.md. */
export function createCatalogue({ database, version: productVersion }: { database: Database; version: string }) {
  /**
   * A page in the order of changes, the oldest first. A client that follows `updatedSince` also receives deletions.
   *
   * @param input.search Part of the name, case-insensitive.
   * @param input.updatedSince An RFC 3339 time.
   * @param input.version `latest`, or one version; all if left out.
   * @param input.includeDeleted False if left out; always true with `updatedSince`.
   * @param isWhole Whether the documents are read; else they are empty.
   * @throws {ApiError} `VALIDATION_ERROR`.
   */
  async function connection(input: z.input<typeof CatalogueRequest>, isWhole = true) {
    const { first, after, ...rest } = parse(CatalogueRequest, input);
    const rows = await database.query<statements.EntryRow>(
      statements.page(await filterOf(rest), after, first, isWhole),
    );
    const edges = rows.slice(0, first).map((row) => ({ cursor: cursorOf(row.seq), node: entryOf(row) }));
    return { edges, hasNextPage: rows.length > first };
  }

  /** How many there are on all pages, at most 10 000; of the latest versions of all, the figure of the health page. */
  async function count(input: z.input<typeof CatalogueRequest>): Promise<number> {
    const { version, search, updatedSince, includeDeleted } = parse(CatalogueRequest, input);
    const isAll = version === 'latest' && !search && !updatedSince && !includeDeleted;
    if (isAll) return (await figures())?.total_servers ?? 0;
    const filter = await filterOf({ version, search, updatedSince, includeDeleted });
    const [row] = await database.query<{ count: number }>(statements.count(filter, countMax));
    return row?.count ?? 0;
  }

  /**
   * The versions of a server, the newest first, at most 500.
   *
   * @param isWhole As for `connection`.
   * @throws {ApiError} `NOT_FOUND` where there is none.
   */
  async function versions(name: string, includeDeleted: boolean, isWhole = true): Promise<RegistryEntry[]> {
    // Not among the short reads, which would wait for it: 500 documents may have 32 MB.
    const rows = await database.query<statements.EntryRow>(
      statements.versions(storable(name), includeDeleted, versionsMax, isWhole),
    );
    if (rows.length === 0) throw notFound();
    return rows.map(entryOf);
  }

  /** One version of a server, or its `latest`. @throws {ApiError} `NOT_FOUND`. */
  async function find(name: string, version: string, includeDeleted: boolean): Promise<RegistryEntry> {
    const [row] = await database.read<statements.EntryRow>(
      statements.version(storable(name), storable(version, false), includeDeleted),
    );
    if (!row) throw notFound();
    return entryOf(row);
  }

  /** The row that every writer to the registry locks. */
  async function figures() {
    const [row] = await database.query<{ total_servers: number; last_indexed_at: Date | null; is_read_only: boolean }>(
      statements.health(),
    );
    return row;
  }

  /**
   * The health of the registry, at a constant cost. It is degraded while the database is read-only: then it can be
   * read, and nothing can be submitted.
   *
   * @throws {ApiError} `FORBIDDEN` without `registry:read`.
   * @see docs/specification/registry.md#health
   */
  async function health(caller: Caller): Promise<RegistryHealth> {
    authorize(caller, 'registry:read');
    const row = await figures();
    return {
      status: row === undefined || row.is_read_only ? 'degraded' : 'healthy',
      version: productVersion,
      lastIndexedAt: row?.last_indexed_at ?? null,
      totalServers: row?.total_servers ?? 0,
    };
  }

  async function filterOf({
    search,
    updatedSince,
    version,
    includeDeleted,
  }: Omit<z.output<typeof CatalogueRequest>, 'first' | 'after'>): Promise<statements.EntryFilter> {
    const found = search ? await database.query<{ uuid: string }>(statements.named(search, amongMax + 1)) : [];
    return {
      search: search || null,
      among: search && found.length <= amongMax ? found.map(({ uuid }) => uuid) : null,
      updatedSince: updatedSince ?? null,
      version: version || null,
      includeDeleted: includeDeleted === true || (updatedSince ?? null) !== null,
    };
  }

  return { connection, count, versions, find, health };
}

/** @throws {ApiError} `NOT_FOUND` for a text that cannot be stored: it is neither a name nor a version. */
function storable(text: string, isName = true): string {
  if (text.includes('\u0000') || !text.isWellFormed() || text.length > 255) throw notFound();
  return isName ? keyOf(text) : text;
}

const entryOf = (row: statements.EntryRow): RegistryEntry => ({
  name: row.name,
  version: row.version,
  document: row.document,
  status: row.status,
  statusMessage: row.status_message,
  statusChangedAt: row.status_changed_at,
  publishedAt: row.published_at,
  updatedAt: row.updated_at,
  isLatest: row.is_latest,
  serverUuid: row.status === 'deleted' ? null : row.server_uuid,
});
