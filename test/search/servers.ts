import type { Caller } from '../../src/platform/caller.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** Servers of one statement. */
const batch = 1_000;

export interface NewServer {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly packageType?: string;
  readonly repositoryUrl?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  readonly transports?: readonly string[];
  readonly installations?: number;
  readonly ratings?: readonly number[];
  /** True if left out. */
  readonly isPublic?: boolean;
}

/**
 * Servers of a profile as the platform would store them, each a second younger than the one before.
 *
 * @param owner A caller that acts as the profile, or its uuid.
 * @returns Their ids by name.
 */
export async function addServers(
  { database, clock }: { database: Database; clock: Clock },
  owner: Caller | string,
  servers: readonly NewServer[],
): Promise<Record<string, string>> {
  const profileUuid = typeof owner === 'string' ? owner : owner.principal?.profileUuid;
  const ids: Record<string, string> = {};
  for (let first = 0; first < servers.length; first += batch) {
    const given = servers.slice(first, first + batch).map((each) => ({ transports: ['stdio'], ...each }));
    const rows = await database.query<{ name: string; uuid: string }>(insert(profileUuid, given, first, clock.now()));
    for (const { name, uuid } of rows) ids[name] = uuid;
  }
  return ids;
}

const insert = (profileUuid: string | undefined, servers: readonly NewServer[], first: number, now: Date) => ({
  text: `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, title, description, transport, transports, args, env_names,
        header_names, is_public, source, package_type, repository_url, tags, installations, rating_sum, ratings_count,
        created_at, updated_at)
      SELECT uuid, $1, regexp_replace(lower(s->>'name'), '[^a-z0-9]+', '-', 'g') || '-' || left(uuid::text, 8), s->>'name',
        s->>'title', s->>'description', coalesce(s->'transports'->>0, 'stdio'),
        coalesce(array(SELECT json_array_elements_text(s->'transports')), '{}'), '{}', '{}', '{}',
        coalesce((s->>'isPublic')::boolean, true), coalesce(s->>'source', 'community'), s->>'packageType', s->>'repositoryUrl',
        coalesce(array(SELECT json_array_elements_text(s->'tags')), '{}'), coalesce((s->>'installations')::int, 0),
        coalesce((SELECT sum(r::int) FROM json_array_elements_text(s->'ratings') r), 0),
        coalesce(json_array_length(s->'ratings'), 0),
        $3::timestamptz + ($4::int + n) * interval '1 second', $3
      FROM (SELECT gen_random_uuid() AS uuid, s, n FROM json_array_elements($2::json) WITH ORDINALITY AS given (s, n)) given
      RETURNING name, uuid`,
  values: [profileUuid, JSON.stringify(servers), now, first],
  query_timeout: 9_000,
});
