import { authorize, type Caller } from '../platform/caller.ts';
import type { Statement } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { profileOf } from './server.ts';

/** The kinds of capabilities. Source: the Model Context Protocol, Server Features. */
export const capabilityKinds = ['tool', 'resource', 'resource_template', 'prompt'] as const;
export type CapabilityKind = (typeof capabilityKinds)[number];

/** Something that a server offers. Everything in it is the server's own word: text to show, never to trust. */
export interface Capability {
  readonly serverUuid: string;
  readonly kind: CapabilityKind;
  /** Of a tool or prompt its name, of a resource its URI, of a template its URI template. */
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** The same with the server that offers it. */
export interface OwnCapability extends Capability {
  readonly serverSlug: string;
  readonly serverName: string;
}

/** What servers offer, and what their definitions come to in UTF-8. */
export interface Look<Offered> {
  readonly offers: Offered;
  readonly bytes: number;
}

/** Limits of one read. */
const bytesMax = 16 * 1024 * 1024;
/** However small they are: each takes a kilobyte of memory, and responses have no more fields of them. */
const rowsMax = 200_000;
/** Servers of one statement. */
const askedMax = 1_000;

interface Row {
  total: string;
  rows: number;
  server_uuid: string | null;
  kind: CapabilityKind;
  name: string;
  definition: Record<string, unknown>;
}

/** The capabilities of servers, as of the latest discovery. */
export function createCapabilities({ database }: Pick<Platform, 'database'>) {
  /**
   * What visible servers offer, in their own order, in one statement for each thousand servers. Which scope that needs is
   * asked where the servers come from.
   *
   * @param asked Servers and kinds.
   * @param bytesLeft What may be read, at most and by default 16 MB. The size is known before anything is read.
   * @returns A list for each of them, in the same order; empty for a server that the caller may not see.
   * @throws {ApiError} `TOO_LARGE` for more than that in all, and for more than 200 000 offers.
   */
  async function of(
    caller: Caller,
    asked: readonly { readonly serverUuid: string; readonly kind: CapabilityKind }[],
    bytesLeft = bytesMax,
  ): Promise<Look<Capability[][]>> {
    const profileUuid = profileOf(caller);
    const servers = [...new Set(asked.map(({ serverUuid }) => serverUuid).filter(isUuid))];
    const kinds = [...new Set(asked.map(({ kind }) => kind))];
    const found = new Map<string, Row[]>();
    let bytes = 0;
    let count = 0;
    for (let first = 0; first < servers.length; first += askedMax) {
      const left = { bytes: leftOf(bytesLeft - bytes), rows: rowsMax - count };
      const rows = await database.query<Row>(offered(profileUuid, servers.slice(first, first + askedMax), kinds, left));
      bytes += sizeOf(rows, left);
      count += rows.length;
      for (const [key, list] of Map.groupBy(rows.filter(isOffer), (row) => `${row.kind} ${row.server_uuid}`))
        found.set(key, list);
    }
    const offers = asked.map(({ serverUuid, kind }) =>
      (found.get(`${kind} ${serverUuid.toLowerCase()}`) ?? []).map(capabilityOf),
    );
    return { offers, bytes };
  }

  /**
   * The capabilities of one kind of all servers of the caller's profile: the oldest server first, each in its own
   * order.
   *
   * @param input.name Only capabilities with this name or URI. A tool may have the name that a proxy gives it,
   * `<slug>__<name>` or `<uuid>__<name>`.
   * @param bytesLeft As for `of`.
   * @throws {ApiError} `TOO_LARGE` for more bytes in all.
   */
  async function ofProfile(
    caller: Caller,
    input: { kind: CapabilityKind; name?: string | null | undefined },
    bytesLeft = bytesMax,
  ): Promise<Look<OwnCapability[]>> {
    const { profileUuid } = authorize(caller, 'mcp-servers:read');
    const { kind, name = null } = input;
    // What cannot be stored has never been: neither is asked for.
    if (name !== null && (name.includes('\u0000') || !name.isWellFormed())) return { offers: [], bytes: 0 };
    const left = { bytes: leftOf(bytesLeft), rows: rowsMax };
    const statement = own(profileUuid, kind, name, left.bytes);
    const rows = await database.query<Row & { slug: string; server_name: string }>(statement);
    const bytes = sizeOf(rows, left);
    const offers = rows
      .filter(isOffer)
      .map((row) => ({ ...capabilityOf(row), serverSlug: row.slug, serverName: row.server_name }));
    return { offers, bytes };
  }

  return { of, ofProfile };
}

const capabilityOf = (row: Row): Capability => ({
  serverUuid: row.server_uuid as string,
  kind: row.kind,
  name: row.name,
  definition: row.definition,
});

const isOffer = (row: Row): boolean => row.server_uuid !== null;

/** What may still be read. */
interface Left {
  readonly bytes: number;
  readonly rows: number;
}

const leftOf = (bytes: number): number => Math.min(Math.max(bytes, 0), bytesMax);

/** What the rows of a statement come to. @throws {ApiError} `TOO_LARGE` where that was too much for them to be read. */
function sizeOf([first]: readonly Row[], left: Left): number {
  const total = Number(first?.total ?? 0);
  if (total > left.bytes) throw new ApiError('TOO_LARGE', 'The response exceeds 16 MB: request less data');
  if ((first?.rows ?? 0) > left.rows)
    throw new ApiError('TOO_LARGE', 'The response exceeds 200 000 capabilities: request fewer servers');
  return total;
}

/** One row at least, with how much it is in all; the rest only where that is not too much. */
const offered = (
  profile: string | null,
  servers: readonly string[],
  kinds: readonly CapabilityKind[],
  left: Left,
): Statement => ({
  name: 'mcp_capabilities_of',
  text: `WITH seen AS (
      SELECT uuid FROM mcp_servers WHERE uuid = ANY ($2::uuid[]) AND (is_public OR profile_uuid = $1)),
    size AS (
      SELECT coalesce(sum(c.bytes), 0) AS total, count(*)::int AS rows FROM mcp_capabilities c JOIN seen ON seen.uuid = c.server_uuid
      WHERE c.kind = ANY ($3::text[]))
    SELECT size.total, size.rows, c.server_uuid, c.kind, c.name, c.definition
    FROM size LEFT JOIN (mcp_capabilities c JOIN seen ON seen.uuid = c.server_uuid)
      ON size.total <= $4 AND size.rows <= $5 AND c.kind = ANY ($3::text[])
    ORDER BY c.server_uuid, c.kind, c.position`,
  values: [profile, servers, kinds, left.bytes, left.rows],
});

const own = (profile: string, kind: CapabilityKind, name: string | null, bytesLeft: number): Statement => ({
  name: 'mcp_capabilities_own',
  text: `WITH asked AS (
      SELECT c.*, s.slug, s.name AS server_name, s.created_at
      FROM mcp_servers s JOIN mcp_capabilities c ON c.server_uuid = s.uuid
      WHERE s.profile_uuid = $1 AND c.kind = $2 AND ($3::text IS NULL OR c.name = $3
        OR (c.kind = 'tool' AND $3 IN (s.slug || '__' || c.name, s.uuid || '__' || c.name)))),
    size AS (SELECT coalesce(sum(bytes), 0) AS total FROM asked)
    SELECT size.total, a.server_uuid, a.kind, a.name, a.definition, a.slug, a.server_name
    FROM size LEFT JOIN asked a ON size.total <= $4
    ORDER BY a.created_at, a.server_uuid, a.position`,
  values: [profile, kind, name, bytesLeft],
});
