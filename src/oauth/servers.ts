import type { Database, Statement } from '../platform/database/database.ts';
import { isUuid } from '../platform/input/input.ts';
import type { ServerExceptions } from './exchanges/exchanges.ts';

/** An MCP server with its owner. */
export interface OwnedServer {
  readonly uuid: string;
  readonly slug: string;
  /** Null for stdio, which has no OAuth. */
  readonly url: string | null;
  readonly profileUuid: string;
  readonly userUuid: string;
  readonly exceptions: ServerExceptions;
  /** Whether its owner wants no authorization report of it. */
  readonly omitsReport: boolean;
}

interface OwnedRow {
  uuid: string;
  slug: string;
  url: string | null;
  profile_uuid: string;
  user_uuid: string;
  allows_other_issuer: boolean;
  omits_resource: boolean;
  omits_report: boolean;
}

/** The chain server, profile, project, user: no row if a link is missing or deleted. */
const owned = (condition: string) => `SELECT s.uuid, s.slug, s.url, s.profile_uuid, u.uuid AS user_uuid,
    coalesce(o.allows_other_issuer, false) AS allows_other_issuer, coalesce(o.omits_resource, false) AS omits_resource,
    coalesce(o.omits_report, false) AS omits_report
  FROM mcp_servers s
  JOIN profiles p ON p.uuid = s.profile_uuid AND p.deleted_at IS NULL
  JOIN projects j ON j.uuid = p.project_uuid AND j.deleted_at IS NULL
  JOIN users u ON u.uuid = j.user_uuid AND u.deleted_at IS NULL AND u.disabled_at IS NULL
  LEFT JOIN oauth_server_settings o ON o.server_uuid = s.uuid
  WHERE ${condition}`;

const byUuid = (uuid: string, userUuid: string): Statement => ({
  name: 'oauth_server_of_user',
  text: owned('s.uuid = $1 AND u.uuid = $2'),
  values: [uuid, userUuid],
});

const inProfile = (uuidOrSlug: string, profileUuid: string): Statement => ({
  name: 'oauth_server_of_profile',
  text: owned('s.profile_uuid = $2 AND (s.uuid = $3::uuid OR s.slug = $1)'),
  values: [uuidOrSlug, profileUuid, isUuid(uuidOrSlug) ? uuidOrSlug : null],
});

const slugLengthMax = 255;

export type OauthServers = ReturnType<typeof createOauthServers>;

/** The MCP servers whose tokens are brokered. Source: docs/specification/oauth.md#ownership. */
export function createOauthServers({ database }: { database: Pick<Database, 'read'> }) {
  const serverOf = ([row]: OwnedRow[]): OwnedServer | null =>
    row
      ? {
          uuid: row.uuid,
          slug: row.slug,
          url: row.url,
          profileUuid: row.profile_uuid,
          userUuid: row.user_uuid,
          exceptions: { allowsOtherIssuer: row.allows_other_issuer, omitsResource: row.omits_resource },
          omitsReport: row.omits_report,
        }
      : null;

  /** A server of any profile of a user; null for all others. @param uuid Well-formed. */
  async function ofUser(uuid: string, userUuid: string): Promise<OwnedServer | null> {
    return serverOf(await database.read<OwnedRow>(byUuid(uuid, userUuid)));
  }

  /** A server of one profile, by its uuid or slug; null for all others. */
  async function ofProfile(uuidOrSlug: string, profileUuid: string): Promise<OwnedServer | null> {
    if (uuidOrSlug.length > slugLengthMax) return null;
    return serverOf(await database.read<OwnedRow>(inProfile(uuidOrSlug, profileUuid)));
  }

  return { ofUser, ofProfile };
}
