import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse, requireUuid } from '../platform/input/input.ts';
import { type Connection, ConnectionRequest, connectionOf, type WindowPage } from '../platform/input/keyset.ts';
import { type DocumentRecord, documentNotFound, requireOwn, type VersionRecord, versionNotFound } from './document.ts';
import { DocumentFilter, PageRequest, VersionPageRequest } from './input.ts';
import * as statements from './statements.ts';

const DocumentConnectionRequest = ConnectionRequest.extend(DocumentFilter.shape);

/** Documents that can be read by their ids at once. */
const foundMax = 100;

export type Library = ReturnType<typeof createLibrary>;

/** Reads the metadata of documents. Source: docs/specification/documents.md#read. */
export function createLibrary({ database }: { database: Pick<Database, 'read' | 'query'> }) {
  /**
   * Reads documents by id: the caller's own, and those that others share by their visibility.
   *
   * @param uuids At most 100.
   * @returns A document per id in the same order; null if it does not exist or is not shared with the caller.
   */
  async function findAll(caller: Caller, uuids: readonly string[]): Promise<(DocumentRecord | null)[]> {
    const { profileUuid, projectUuid } = authorize(caller, 'documents:read');
    const asked = [...new Set(uuids.filter(isUuid).map((uuid) => uuid.toLowerCase()))];
    if (asked.length > foundMax)
      throw new ApiError('VALIDATION_ERROR', `A request can read at most ${foundMax} documents`);
    const rows =
      asked.length === 0
        ? []
        : await database.read<statements.DocumentRow>(statements.found(asked, profileUuid, projectUuid));
    const byUuid = new Map(rows.map((row) => [row.uuid, statements.documentOf(row)]));
    return uuids.map((uuid) => byUuid.get(String(uuid).toLowerCase()) ?? null);
  }

  /** The same for one. @throws {ApiError} `NOT_FOUND` for a document that does not exist or is not shared with the caller. */
  async function find(caller: Caller, uuid: string): Promise<DocumentRecord> {
    const [document] = await findAll(caller, [uuid]);
    if (!document) throw documentNotFound();
    return document;
  }

  /** One of the caller's own documents. @throws {ApiError} `NOT_FOUND` */
  async function findOwn(caller: Caller, uuid: string): Promise<DocumentRecord> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const document = await find(caller, uuid);
    if (document.profileUuid !== profileUuid) throw documentNotFound();
    return document;
  }

  /**
   * A page by offset of the caller's documents, the newest first.
   *
   * @param input.limit 1 to 100, 20 if left out.
   * @param input.search Only documents with all of these words in the title, the description or the name of the file.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for another's profile.
   * @see docs/specification/documents.md#list
   */
  async function page(
    caller: Caller,
    input: z.input<typeof PageRequest> = {},
  ): Promise<WindowPage<'documents', DocumentRecord>> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const { limit, offset, ...given } = parse(PageRequest, input);
    const filter = filterOf(profileUuid, given);
    const [rows, [counted]] = await Promise.all([
      database.read<statements.DocumentRow>(statements.page(profileUuid, filter, limit, offset)),
      database.read<{ count: number }>(statements.count(profileUuid, filter)),
    ]);
    return { documents: rows.map(statements.documentOf), total: counted?.count ?? 0, limit, offset };
  }

  /** The same after a cursor. */
  async function connection(
    caller: Caller,
    input: z.input<typeof DocumentConnectionRequest> = {},
  ): Promise<Connection<DocumentRecord>> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const { first, after, ...given } = parse(DocumentConnectionRequest, input);
    const filter = filterOf(profileUuid, given);
    const rows = await database.read<statements.DocumentRow>(statements.after(profileUuid, filter, after, first + 1));
    return connectionOf(rows.map(statements.documentOf), { first });
  }

  /** How many `connection` lists on all pages together. */
  async function count(caller: Caller, input: z.input<typeof DocumentFilter> = {}): Promise<number> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const filter = filterOf(profileUuid, parse(DocumentFilter, input));
    const [counted] = await database.read<{ count: number }>(statements.count(profileUuid, filter));
    return counted?.count ?? 0;
  }

  /**
   * The versions of one of the caller's documents, the newest first.
   *
   * @param input.limit 1 to 100, 100 if left out.
   * @throws {ApiError} `NOT_FOUND`; `VALIDATION_ERROR`.
   */
  async function versions(
    caller: Caller,
    uuid: string,
    input: z.input<typeof VersionPageRequest> = {},
  ): Promise<VersionRecord[]> {
    authorize(caller, 'documents:read');
    const { limit, offset } = parse(VersionPageRequest, input);
    const document = await findOwn(caller, requireUuid(uuid, documentNotFound));
    const rows = await database.read<statements.VersionRow>(statements.versions(document.uuid, limit, offset));
    return rows.map(statements.versionOf);
  }

  /** One version of one of the caller's documents, and the key of its file. @throws {ApiError} `NOT_FOUND` */
  async function storedVersion(
    caller: Caller,
    uuid: string,
    number: number | null,
  ): Promise<{ document: DocumentRecord; version: VersionRecord; storageKey: string }> {
    const document = await findOwn(caller, requireUuid(uuid, documentNotFound));
    const wanted = number ?? document.version;
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > 2_147_483_647) throw versionNotFound();
    const [row] = await database.read<statements.VersionRow & { storage_key: string }>(
      statements.versionByNumber(document.uuid, wanted),
    );
    if (!row) throw versionNotFound();
    return { document, version: statements.versionOf(row), storageKey: row.storage_key };
  }

  /** One version of one of the caller's documents, the current one if null. @throws {ApiError} `NOT_FOUND` */
  async function version(caller: Caller, uuid: string, number: number | null): Promise<VersionRecord> {
    authorize(caller, 'documents:read');
    return (await storedVersion(caller, uuid, number)).version;
  }

  return { findAll, find, findOwn, page, connection, count, versions, version, storedVersion };
}

function filterOf(
  profileUuid: string,
  { profileUuid: asked, source, search, isDeleted }: z.output<typeof DocumentFilter>,
): statements.ListFilter {
  requireOwn(profileUuid, asked);
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return { source: source ?? null, words, isDeleted: isDeleted ?? false };
}
