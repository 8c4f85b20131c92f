import type { Statement } from '../platform/database/database.ts';

/**
 * The statements of collections. `viewer` is the profile of the caller, null without one. Which servers of a collection are seen
 * is decided whenever it is read: one that is not public any more is gone for others in that moment.
 */

const seen = (viewer: string) => `(s.is_public OR s.profile_uuid = ${viewer})`;
/** The same of `m.server_uuid`: by a scalar sub-select, for a join is sometimes made with all servers there are. */
const isSeen = (viewer: string) => `(SELECT ${seen(viewer)} FROM mcp_servers s WHERE s.uuid = m.server_uuid)`;

/** Held while a profile's collections are counted, so that two creations at once cannot both take the last free place. */
export const alone = (profile: string): Statement => ({
  name: 'collections_alone',
  text: 'SELECT 1 FROM profiles WHERE uuid = $1 FOR NO KEY UPDATE',
  values: [profile],
});

export interface HeldRow {
  name: string;
  description: string | null;
  is_public: boolean;
}

/** Holds a collection of a profile until the commit, so that two changes go one after the other. */
export const hold = (collection: string, profile: string): Statement => ({
  name: 'collections_hold',
  text: `SELECT name, description, is_public FROM collections WHERE uuid = $1 AND profile_uuid = $2 FOR NO KEY UPDATE`,
  values: [collection, profile],
});

/**
 * Which of these servers the profile may see, locked so that none of them is deleted before the commit: an unknown id
 * would fail the write. In the order of their ids, in which all code locks several servers.
 */
export const holdServers = (profile: string, servers: readonly string[]): Statement => ({
  name: 'collections_hold_servers',
  text: `SELECT s.uuid FROM mcp_servers s WHERE s.uuid = ANY ($2::uuid[]) AND ${seen('$1')} ORDER BY s.uuid FOR KEY SHARE`,
  values: [profile, servers],
});

/** The servers of a collection that a profile may see, in their order. */
export const serversOf = (collection: string, viewer: string | null): Statement => ({
  name: 'collections_servers_of',
  text: `SELECT m.server_uuid AS uuid FROM collection_servers m
    WHERE m.collection_uuid = $1 AND ${isSeen('$2::uuid')} ORDER BY m.position`,
  values: [collection, viewer],
});

/** Takes out all servers, also hidden ones. */
export const empty = (collection: string): Statement => ({
  name: 'collections_empty',
  text: 'DELETE FROM collection_servers WHERE collection_uuid = $1',
  values: [collection],
});

/** Puts servers into a collection that has none. */
export const fill = (collection: string, servers: readonly string[]): Statement => ({
  name: 'collections_fill',
  text: `INSERT INTO collection_servers (collection_uuid, position, server_uuid)
    SELECT $1, place - 1, uuid FROM unnest($2::uuid[]) WITH ORDINALITY AS t (uuid, place)`,
  values: [collection, servers],
});

export interface PlaceRow {
  collection_uuid: string;
  position: number;
  server_uuid: string;
  /** What the text of the server comes to. */
  bytes: number;
}

/** JSON names, numbers and punctuation of a server in a response. */
const rowBytes = 512;
const bytesOf = (columns: readonly string[]) =>
  columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ');
const shortBytes = bytesOf(['s.title', 's.description', 's.repository_url']);
const longBytes = bytesOf([
  's.command',
  's.url',
  's.notes',
  ...['args', 'tags', 'env_names', 'header_names'].map((list) => `array_to_string(s.${list}, '')`),
]);

/**
 * Servers of a page of each of several collections, in their order; one more than requested shows that there are
 * others.
 *
 * @param rowsMax Of all pages together.
 */
export const places = (
  viewer: string | null,
  collections: readonly string[],
  { first, afters, isWhole, rowsMax }: { first: number; afters: readonly number[]; isWhole: boolean; rowsMax: number },
): Statement => ({
  name: 'collections_places',
  text: `SELECT c.uuid AS collection_uuid, page.position, page.server_uuid, page.bytes
    FROM unnest($2::uuid[], $3::int[]) AS asked (uuid, after)
    JOIN collections c ON c.uuid = asked.uuid AND (c.is_public OR c.profile_uuid = $1::uuid)
    CROSS JOIN LATERAL (
      SELECT m.position, m.server_uuid, (
          SELECT ${rowBytes} + ${shortBytes} + CASE WHEN $5 THEN ${longBytes} ELSE 0 END
          FROM mcp_servers s WHERE s.uuid = m.server_uuid) AS bytes
      FROM collection_servers m
      WHERE m.collection_uuid = c.uuid AND m.position > asked.after AND ${isSeen('$1::uuid')}
      ORDER BY m.position LIMIT $4) page
    ORDER BY page.position LIMIT $6`,
  values: [viewer, collections, afters, first + 1, isWhole, rowsMax],
});

/** The number of servers of each collection that the caller may see. */
export const counts = (viewer: string | null, collections: readonly string[]): Statement => ({
  name: 'collections_counts',
  text: `SELECT c.uuid, (
      SELECT count(*)::int FROM collection_servers m
      WHERE m.collection_uuid = c.uuid AND ${isSeen('$1::uuid')}) AS count
    FROM unnest($2::uuid[]) AS asked (uuid)
    JOIN collections c ON c.uuid = asked.uuid AND (c.is_public OR c.profile_uuid = $1::uuid)`,
  values: [viewer, collections],
});

/** Deletes a collection of a profile; its servers leave it with it. */
export const remove = (collection: string, profile: string): Statement => ({
  name: 'collections_remove',
  text: 'DELETE FROM collections WHERE uuid = $1 AND profile_uuid = $2 RETURNING uuid',
  values: [collection, profile],
});
