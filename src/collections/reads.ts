import type { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { isUuid, parse } from '../platform/input/input.ts';
import {
  byAge,
  type Connection,
  ConnectionRequest,
  connectionOf,
  keysetQuery,
  type Page,
  rowIn,
} from '../platform/input/keyset.ts';
import {
  type CollectionRecord,
  type CollectionShape,
  collectionNotFound,
  profileNotFound,
  seerOf,
  visibleTo,
} from './collection.ts';
import { PageRequest } from './input.ts';

/** Whose collections a list is of: the caller's own if left out. */
interface Owner {
  readonly profileUuid?: string | null | undefined;
}

/** The collections that a caller may see. Source: docs/specification/collections.md. */
export function createReads({ prisma }: Pick<Database, 'prisma'>) {
  /** Which collections the caller may see, for relations that lead to them: public ones, and those of the own profile. */
  function visible(caller: Caller): Prisma.CollectionWhereInput {
    return visibleTo(seerOf(caller));
  }

  /** Whether a collection is of the caller's own profile. */
  function isOwn({ principal }: Caller, { profileUuid }: Pick<CollectionRecord, 'profileUuid'>): boolean {
    return principal !== null && principal.profileUuid === profileUuid;
  }

  /**
   * A collection that is public or belongs to the caller's profile. No scope is required.
   *
   * @throws {ApiError} `NOT_FOUND` for any other, as for one that does not exist.
   */
  async function find(caller: Caller, uuid: string, query: CollectionShape = {}): Promise<CollectionRecord> {
    return rowIn(prisma.collection, uuid, visible(caller), query, collectionNotFound);
  }

  /** The same for the response of an import, which a key may ask for that may only write. */
  async function findImported(caller: Caller, uuid: string, query: CollectionShape = {}): Promise<CollectionRecord> {
    const seen = visibleTo(authorize(caller, 'collections:write').profileUuid);
    return rowIn(prisma.collection, uuid, seen, query, collectionNotFound);
  }

  /**
   * The collections of a profile after a cursor, the newest first: all of the caller's own, the public ones of any other.
   *
   * @throws {ApiError} `NOT_FOUND` for a profile that does not exist, and for another's that shows none.
   */
  async function connection(
    caller: Caller,
    input: Owner & z.input<typeof ConnectionRequest>,
    query: CollectionShape = {},
  ): Promise<Connection<CollectionRecord>> {
    const { listed, isOwnList } = listOf(caller, input);
    const request = parse(ConnectionRequest, input);
    const { where, ...keyset } = keysetQuery(request, 'desc');
    const rows = await prisma.collection.findMany({ ...query, where: { AND: [listed, where] }, ...keyset });
    if (rows.length === 0 && !isOwnList && (await prisma.collection.count({ where: listed })) === 0)
      throw profileNotFound();
    return connectionOf(rows, request);
  }

  /** How many `connection` lists on all pages together. */
  async function count(caller: Caller, input: Owner): Promise<number> {
    return prisma.collection.count({ where: listOf(caller, input).listed });
  }

  /**
   * A page by offset of what `connection` lists.
   *
   * @param input.limit 1 to 1000, 1000 if left out: a profile has at most 200 collections, so that is all of them.
   * @throws {ApiError} `VALIDATION_ERROR` out of these bounds; `NOT_FOUND` as for `connection`.
   * @see docs/specification/collections.md#list
   */
  async function page(
    caller: Caller,
    input: Owner & z.input<typeof PageRequest> = {},
    query: CollectionShape = {},
  ): Promise<Page<'collections', CollectionRecord>> {
    const { listed, isOwnList } = listOf(caller, input);
    const { limit, offset } = parse(PageRequest, input);
    const [collections, total] = await Promise.all([
      prisma.collection.findMany({ ...query, where: listed, orderBy: byAge('desc'), take: limit, skip: offset }),
      prisma.collection.count({ where: listed }),
    ]);
    if (total === 0 && !isOwnList) throw profileNotFound();
    return { collections, total };
  }

  /** What a list of a profile's collections holds for the caller. */
  function listOf(
    caller: Caller,
    { profileUuid: asked }: Owner,
  ): { listed: Prisma.CollectionWhereInput; isOwnList: boolean } {
    const own = (asked ?? null) === null ? authorize(caller, 'collections:read').profileUuid : seerOf(caller);
    const profileUuid = (asked ?? own ?? '').toLowerCase();
    if (!isUuid(profileUuid)) throw profileNotFound();
    const isOwnList = profileUuid === own;
    return { listed: isOwnList ? { profileUuid } : { profileUuid, isPublic: true }, isOwnList };
  }

  return { visible, isOwn, find, findImported, connection, count, page };
}
