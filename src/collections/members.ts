import type { z } from 'zod';
import type { Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { firstMessages, invalid, isUuid, parse } from '../platform/input/input.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { profileOf } from './collection.ts';
import { ServersRequest } from './input.ts';
import * as statements from './statements.ts';

/** Where a server stands in a collection. */
export interface Place {
  cursor(): string;
  readonly serverUuid: string;
}

/** A page of the servers of a collection, by their ids. */
export interface Places {
  readonly places: readonly Place[];
  readonly hasNextPage: boolean;
  /** What the text of these servers comes to. */
  readonly bytes: number;
}

/** Of all collections of a response together. */
const placesMax = 10_000;

/** The servers of collections: who puts them in must see them, and who looks sees those that it may see. */
export function createMembers({ database, secrets }: { database: Database; secrets: Pick<Secrets, 'seal' | 'open'> }) {
  /**
   * A cursor is the encrypted place of a server in its collection: gaps between readable places would show how many
   * servers a reader cannot see.
   */
  const cursorOf = (collectionUuid: string, position: number): string =>
    secrets.seal(String(position).padStart(3, '0'), cursorContext(collectionUuid));

  /** @throws {ApiError} `VALIDATION_ERROR` for an invalid cursor. */
  function positionOf(collectionUuid: string, cursor: string): number {
    try {
      return Number(secrets.open(cursor, cursorContext(collectionUuid)));
    } catch {
      const details = { after: 'after is not a cursor of this list' };
      throw invalid(details);
    }
  }

  /**
   * A page of the servers of each of several collections that the caller may see, in one statement. The required scope
   * is checked where the collections are read.
   *
   * @param input.first 0 to 500, 20 by default.
   * @param isWhole Whether fields other than name, title, description and repository are selected.
   * @throws {ApiError} `VALIDATION_ERROR` for `first` out of its bounds and for an invalid cursor; `TOO_LARGE` for more
   * than 10 000 servers in all.
   */
  async function places(
    caller: Caller,
    collectionUuids: readonly string[],
    input: z.input<typeof ServersRequest>,
    isWhole = false,
  ): Promise<Places[]> {
    const request = parse(ServersRequest, input);
    const { first, after } = request;
    const afters = collectionUuids.map((uuid) => (after ? positionOf(uuid, after) : -1));
    // Of each one more than is shown.
    const asked = { first, afters, isWhole, rowsMax: placesMax + collectionUuids.length + 1 };
    const rows = await database.query<statements.PlaceRow>(
      statements.places(profileOf(caller), collectionUuids, asked),
    );
    const rowsOf = Map.groupBy(rows, (row) => row.collection_uuid);
    const shownCount = [...rowsOf.values()].reduce((sum, { length }) => sum + Math.min(length, first), 0);
    if (shownCount > placesMax)
      throw new ApiError('TOO_LARGE', 'The response exceeds 10 000 servers: request fewer collections');
    return collectionUuids.map((uuid) => {
      const found = rowsOf.get(uuid) ?? [];
      const shown = found.slice(0, request.first);
      return {
        places: shown.map((row) => ({ cursor: () => cursorOf(uuid, row.position), serverUuid: row.server_uuid })),
        hasNextPage: found.length > request.first,
        bytes: shown.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    });
  }

  /** How many servers of each of several collections the caller may see, in one statement. */
  async function counts(caller: Caller, collectionUuids: readonly string[]): Promise<number[]> {
    const rows = await database.query<{ uuid: string; count: number }>(
      statements.counts(profileOf(caller), collectionUuids),
    );
    const known = new Map(rows.map(({ uuid, count }) => [uuid, count]));
    return collectionUuids.map((uuid) => known.get(uuid) ?? 0);
  }

  /**
   * Locks the named servers until the commit.
   *
   * @returns Each once, in the order in which they were named.
   * @throws {ApiError} `VALIDATION_ERROR` naming the place of each that the profile may not see, whether or not there is one.
   */
  async function hold(
    tx: Pick<Database, 'query'>,
    profileUuid: string,
    serverUuids: readonly string[],
  ): Promise<string[]> {
    const named = serverUuids.map((uuid) => uuid.toLowerCase());
    const asked = [...new Set(named.filter(isUuid))];
    const rows = asked.length ? await tx.query<{ uuid: string }>(statements.holdServers(profileUuid, asked)) : [];
    const known = new Set(rows.map(({ uuid }) => uuid));
    const unknown = named.flatMap((uuid, index) => (known.has(uuid) ? [] : [`serverUuids.${index}`]));
    if (unknown.length > 0)
      throw invalid(firstMessages(unknown.map((field) => [field, `${field} is not a server that you may see`])));
    return asked;
  }

  /**
   * Puts a list in the place of another, of a collection that is held. A list that looks the same to the owner is left alone.
   *
   * @returns The new list; null where it is the same.
   * @throws {ApiError} as `hold`.
   */
  async function replace(
    tx: Pick<Database, 'query'>,
    collectionUuid: string,
    profileUuid: string,
    serverUuids: readonly string[],
  ): Promise<string[] | null> {
    const servers = await hold(tx, profileUuid, serverUuids);
    const before = await tx.query<{ uuid: string }>(statements.serversOf(collectionUuid, profileUuid));
    if (before.length === servers.length && before.every(({ uuid }, index) => uuid === servers[index])) return null;
    await tx.query(statements.empty(collectionUuid));
    if (servers.length > 0) await tx.query(statements.fill(collectionUuid, servers));
    return servers;
  }

  return { places, counts, hold, replace };
}

const cursorContext = (collectionUuid: string): string => `cursor of collection ${collectionUuid}`;
