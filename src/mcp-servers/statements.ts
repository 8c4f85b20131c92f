import type { Statement } from '../platform/database/database.ts';

/**
 * The statements of what happens to a server. Each adds up as it happens (counters on the server, a row for each of its days
 * and hours), so that no request counts events. A day is one in UTC.
 */

/** A server that may be used: public, or of the profile itself. */
const usable = 's.uuid = $1 AND (s.is_public OR s.profile_uuid = $2)';
const today = "($3::timestamptz AT TIME ZONE 'UTC')::date";

/** So long the back and forth of one user is counted where it began. Source: docs/decisions/0026-analytics.md. */
const turnHours = 720;
/** A user's calls of a server count once in so long. */
const callHours = 24;
/** Whether a server is not of the user who does something: what an owner does is in no trend. */
const notOwn = (
  profile: string,
  user = '$4',
) => `NOT EXISTS (SELECT 1 FROM profiles p JOIN projects j ON j.uuid = p.project_uuid
  WHERE p.uuid = ${profile} AND j.user_uuid = ${user})`;

/**
 * Adds to the hour of a server, and marks its trends for the next roll-up. The mark is written even if there is one: a
 * roll-up that is taking it now has not seen this hour.
 */
const booked = (counts: string, at: string, from: string) => `hour AS (
      INSERT INTO mcp_server_hours AS h (server_uuid, hour, last_at, installs, uninstalls, calls)
      SELECT server_uuid, date_trunc('hour', ${at}, 'UTC'), ${at}, ${counts} FROM ${from}
      ON CONFLICT (server_uuid, hour) DO UPDATE SET installs = h.installs + excluded.installs,
        uninstalls = h.uninstalls + excluded.uninstalls, calls = h.calls + excluded.calls, last_at = greatest(h.last_at, excluded.last_at)
      RETURNING server_uuid),
    touched AS (
      INSERT INTO mcp_server_touches AS t (server_uuid) SELECT server_uuid FROM hour
      ON CONFLICT (server_uuid) DO UPDATE SET is_hidden = t.is_hidden)`;

/** Whether the turns of a user are still of one back and forth, and whether they say that it has the server now. */
const isFresh = `u.turned_at > $3::timestamptz - interval '${turnHours} hours'`;
const hasIt = '(u.turns > 0) = (u.turns % 2 <> 0)';
/** What the first turn counted as, every second one takes back. */
const thisTurn = '2 * (abs(turns) % 2) - 1';

/** Other profiles of the user that have the server: if there is one, this profile changes no count of users. */
const elsewhere = (servers: string) => `elsewhere AS (
      SELECT each.uuid AS server_uuid, known.profiles, known.ever
      FROM ${servers} AS each (uuid) CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE p.uuid <> $2 AND i.removed_at IS NULL) AS profiles, count(*) AS ever
        FROM projects j JOIN profiles p ON p.project_uuid = j.uuid
        JOIN mcp_installations i ON i.profile_uuid = p.uuid AND i.server_uuid = each.uuid
        WHERE j.user_uuid = $4::uuid) known)`;
const oneUser = 'CASE WHEN elsewhere.profiles = 0 THEN 1 ELSE 0 END';

/**
 * Records that a user has a server or no longer has it; other profiles of the same user make no difference. Alternating
 * installations and removals count in the hour of the first one, as one or none. `turns` counts upwards for an
 * installation and downwards for a removal. A known state is not counted, so a profile that was deleted with an
 * installation adds nothing when its user installs the server again.
 */
const turned = (turn: 'install' | 'uninstall') => `turned AS (
      INSERT INTO mcp_server_users AS u (server_uuid, user_uuid, turned_at, turns, seen_at)
      SELECT uuid, $4::uuid, $3, ${turn === 'install' ? 1 : -1}, $3
      FROM counted JOIN elsewhere ON elsewhere.server_uuid = counted.uuid WHERE elsewhere.profiles = 0
      ON CONFLICT (server_uuid, user_uuid) DO UPDATE SET seen_at = $3,
        turned_at = CASE WHEN ${isFresh} THEN u.turned_at ELSE $3 END,
        turns = CASE WHEN ${isFresh} THEN u.turns + sign(u.turns)::int ELSE excluded.turns END
        WHERE (${isFresh} AND ${turn === 'install' ? '' : 'NOT '}(${hasIt})) IS NOT TRUE
      RETURNING server_uuid, turned_at, turns),
    counts AS (
      SELECT turned.* FROM turned JOIN counted ON counted.uuid = turned.server_uuid WHERE ${notOwn('counted.profile_uuid')}),
    ${booked(`CASE WHEN turns > 0 THEN ${thisTurn} ELSE 0 END, CASE WHEN turns < 0 THEN ${thisTurn} ELSE 0 END, 0`, 'turned_at', 'counts')}`;

export interface InstalledRow {
  uuid: string;
  /** Null when it was installed already. */
  installed: boolean | null;
  /** Whether no profile of the user had ever installed it. */
  is_first: boolean;
  owner: string;
  /** Whether the server has an owner to notify: imported servers have none. */
  is_somebodys: boolean;
  name: string;
  source: string;
  version: string | null;
}

/**
 * Installs servers that are held in a profile, each once.
 *
 * @param installations As many new ids as there are servers.
 */
export const install = (
  servers: readonly string[],
  profile: string,
  now: Date,
  user: string,
  installations: readonly string[],
): Statement => ({
  name: 'mcp_servers_install',
  text: `WITH ${elsewhere('unnest($1::uuid[])')},
    installed AS (
      INSERT INTO mcp_installations AS i (uuid, profile_uuid, server_uuid, installed_at)
      SELECT given.installation, $2, given.server, $3 FROM unnest($1::uuid[], $5::uuid[]) AS given (server, installation)
      ON CONFLICT (profile_uuid, server_uuid) DO UPDATE SET installed_at = $3, removed_at = NULL WHERE i.removed_at IS NOT NULL
      RETURNING server_uuid),
    counted AS (
      UPDATE mcp_servers s SET installations = s.installations + ${oneUser}, last_activity_at = $3
      FROM installed JOIN elsewhere USING (server_uuid) WHERE s.uuid = server_uuid RETURNING s.uuid, s.profile_uuid),
    ${turned('install')},
    day AS (
      INSERT INTO mcp_server_days AS d (server_uuid, day, installs) SELECT server_uuid, ${today}, 1 FROM turned WHERE turns = 1
      ON CONFLICT (server_uuid, day) DO UPDATE SET installs = d.installs + 1)
    SELECT s.uuid, (SELECT true FROM installed WHERE server_uuid = s.uuid) AS installed, elsewhere.ever = 0 AS is_first,
      s.profile_uuid AS owner, s.name, s.source, s.version,
      (SELECT u.disabled_at IS NULL FROM profiles p JOIN projects j ON j.uuid = p.project_uuid JOIN users u ON u.uuid = j.user_uuid
        WHERE p.uuid = s.profile_uuid) AS is_somebodys
    FROM mcp_servers s JOIN elsewhere ON elsewhere.server_uuid = s.uuid ORDER BY s.uuid`,
  values: [servers, profile, now, user, installations],
});

/** Ends an installation of a locked server. No row if there is none. */
export const uninstall = (server: string, profile: string, now: Date, user: string): Statement => ({
  name: 'mcp_servers_uninstall',
  text: `WITH ${elsewhere('(VALUES ($1::uuid))')},
    removed AS (
      UPDATE mcp_installations SET removed_at = $3
      WHERE server_uuid = $1 AND profile_uuid = $2 AND removed_at IS NULL RETURNING server_uuid),
    counted AS (
      UPDATE mcp_servers s SET installations = s.installations - ${oneUser}, last_activity_at = $3
      FROM removed JOIN elsewhere USING (server_uuid) WHERE s.uuid = server_uuid RETURNING s.uuid, s.profile_uuid),
    ${turned('uninstall')},
    day AS (
      INSERT INTO mcp_server_days AS d (server_uuid, day, uninstalls) SELECT uuid, ${today}, 1 FROM counted
      ON CONFLICT (server_uuid, day) DO UPDATE SET uninstalls = d.uninstalls + 1)
    SELECT uuid FROM counted`,
  values: [server, profile, now, user],
});

/** Holds a server until the commit, also one that is not public any more. */
export const holdAny = (server: string): Statement => ({
  name: 'mcp_servers_hold_any',
  text: 'SELECT uuid FROM mcp_servers WHERE uuid = $1 FOR NO KEY UPDATE',
  values: [server],
});

/**
 * Locks a server that may be used until the commit, and says whether it belongs to the user. A read of the state before
 * the change needs a separate, later statement: a statement that waited for the lock would read the state before the
 * wait.
 */
export const holdRated = (server: string, profile: string, user: string): Statement => ({
  name: 'mcp_servers_hold_rated',
  text: `SELECT NOT ${notOwn('s.profile_uuid', '$3')} AS is_own FROM mcp_servers s WHERE ${usable} FOR NO KEY UPDATE OF s`,
  values: [server, profile, user],
});

/**
 * Holds those of some servers that may be used, in the order of their ids: of two who install the same ones, one waits for the
 * other and neither for both.
 */
export const holdAll = (servers: readonly string[], profile: string): Statement => ({
  name: 'mcp_servers_hold_all',
  text: `SELECT s.uuid FROM mcp_servers s WHERE s.uuid = ANY ($1::uuid[]) AND (s.is_public OR s.profile_uuid = $2)
    ORDER BY s.uuid FOR NO KEY UPDATE`,
  values: [servers, profile],
});

/** Takes a user's rating in the place of the one before, on a server that is held. */
export const rate = (server: string, now: Date, user: string, rating: number): Statement => ({
  name: 'mcp_servers_rate',
  text: `WITH before AS (SELECT rating FROM mcp_ratings WHERE server_uuid = $1 AND user_uuid = $3),
    rated AS (
      INSERT INTO mcp_ratings (server_uuid, user_uuid, rating, created_at, updated_at)
      VALUES ($1, $3, $4, $2, $2)
      ON CONFLICT (server_uuid, user_uuid) DO UPDATE SET rating = excluded.rating, updated_at = excluded.updated_at)
    UPDATE mcp_servers s
    SET rating_sum = s.rating_sum + $4::int - coalesce((SELECT rating FROM before), 0),
      ratings_count = s.ratings_count + CASE WHEN EXISTS (SELECT 1 FROM before) THEN 0 ELSE 1 END
    WHERE s.uuid = $1`,
  values: [server, now, user, rating],
});

/**
 * Counts a call by a profile whose server it is, or which has it installed; in trends only one of each user in a day. No row
 * for any other.
 */
export const report = (server: string, profile: string, now: Date, user: string, failures: 0 | 1): Statement => ({
  name: 'mcp_servers_report',
  text: `WITH used AS (
      UPDATE mcp_servers s SET last_activity_at = greatest(s.last_activity_at, $3)
      WHERE ${usable} AND (s.profile_uuid = $2 OR EXISTS (
        SELECT 1 FROM mcp_installations i
        WHERE i.server_uuid = s.uuid AND i.profile_uuid = $2 AND i.removed_at IS NULL))
      RETURNING s.uuid, s.profile_uuid),
    called AS (
      INSERT INTO mcp_server_users AS u (server_uuid, user_uuid, called_at, seen_at)
      -- Most calls are not the first of the day, and lock nothing here.
      SELECT uuid, $4::uuid, $3, $3 FROM used WHERE ${notOwn('used.profile_uuid')} AND NOT EXISTS (
        SELECT 1 FROM mcp_server_users k WHERE k.server_uuid = used.uuid AND k.user_uuid = $4
          AND k.called_at > $3::timestamptz - interval '${callHours} hours')
      ON CONFLICT (server_uuid, user_uuid) DO UPDATE SET called_at = $3, seen_at = $3
        WHERE u.called_at IS NULL OR u.called_at <= $3::timestamptz - interval '${callHours} hours'
      RETURNING server_uuid, called_at),
    ${booked('0, 0, 1', 'called_at', 'called')}
    INSERT INTO mcp_server_days AS d (server_uuid, day, calls, failures) SELECT uuid, ${today}, 1, $5::int FROM used
    ON CONFLICT (server_uuid, day) DO UPDATE SET calls = d.calls + 1, failures = d.failures + excluded.failures
    RETURNING EXISTS (SELECT 1 FROM called) AS counts`,
  values: [server, profile, now, user, failures],
});

export interface StatsRow {
  uuid: string;
  installations: number;
  rating_sum: number;
  ratings_count: number;
  last_activity_at: Date | null;
  daily_installs: number[];
}

/** Days that `daily_installs` shows, today among them. No query looks further back. Source: docs/specification/mcp-servers.md#statistics. */
export const installDays = 30;
/** The statistics of servers that may be seen. */
export const stats = (profile: string | null, now: Date, servers: readonly string[]): Statement => ({
  name: 'mcp_servers_stats',
  text: `WITH today AS (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS day)
    SELECT asked.uuid, asked.installations, asked.rating_sum, asked.ratings_count, asked.last_activity_at,
      (SELECT array_agg(coalesce(d.installs, 0) ORDER BY days.day)
        FROM today, generate_series(today.day - ${installDays - 1}, today.day, interval '1 day') AS days (day)
        LEFT JOIN mcp_server_days d ON d.server_uuid = asked.uuid AND d.day = days.day::date) AS daily_installs
    FROM mcp_servers asked WHERE uuid = ANY ($3::uuid[]) AND (is_public OR profile_uuid = $1)`,
  values: [profile, now, servers],
});

/** Locks the next servers with pending counts, in the order of their ids, so that no installation changes them. */
export const holdCounted = (after: string, servers: number): Statement => ({
  name: 'mcp_servers_hold_counted',
  query_timeout: 9_000,
  text: `SELECT uuid FROM mcp_servers WHERE uuid > $1 AND (installations > 0 OR ratings_count > 0)
    ORDER BY uuid LIMIT $2 FOR NO KEY UPDATE`,
  values: [after, servers],
});

/** Recounts the effects of deleted profiles. */
export const recount = (servers: readonly string[]): Statement => ({
  name: 'mcp_servers_recount',
  query_timeout: 9_000,
  text: `WITH counts AS (
      SELECT s.uuid,
        (SELECT count(DISTINCT j.user_uuid)::int FROM mcp_installations i
          JOIN profiles p ON p.uuid = i.profile_uuid JOIN projects j ON j.uuid = p.project_uuid
          WHERE i.server_uuid = s.uuid AND i.removed_at IS NULL) AS installations,
        (SELECT coalesce(sum(r.rating), 0)::int FROM mcp_ratings r WHERE r.server_uuid = s.uuid) AS rating_sum,
        (SELECT count(*)::int FROM mcp_ratings r WHERE r.server_uuid = s.uuid) AS ratings_count
      FROM mcp_servers s WHERE s.uuid = ANY ($1::uuid[]))
    UPDATE mcp_servers s SET installations = c.installations, rating_sum = c.rating_sum, ratings_count = c.ratings_count
    FROM counts c WHERE c.uuid = s.uuid
      AND (s.installations, s.rating_sum, s.ratings_count) IS DISTINCT FROM (c.installations, c.rating_sum, c.ratings_count)
    RETURNING s.uuid`,
  values: [servers],
});

/** The number of public servers of each of these users; users without one are left out. */
export const publicServersOf = (userUuids: readonly string[]): Statement => ({
  name: 'mcp_servers_public_of_users',
  text: `SELECT j.user_uuid, count(*)::int AS count
    FROM projects j JOIN profiles p ON p.project_uuid = j.uuid JOIN mcp_servers s ON s.profile_uuid = p.uuid
    WHERE j.user_uuid = ANY ($1::uuid[]) AND s.is_public GROUP BY j.user_uuid`,
  values: [userUuids],
});

/** Hours that are in no window any more, so many at a time. */
export const purgeHours = (before: Date, rows: number): Statement => ({
  name: 'mcp_servers_purge_hours',
  query_timeout: 9_000,
  text: `WITH old AS MATERIALIZED (SELECT server_uuid, hour FROM mcp_server_hours WHERE hour < $1 ORDER BY hour LIMIT $2)
    DELETE FROM mcp_server_hours h USING old WHERE h.server_uuid = old.server_uuid AND h.hour = old.hour RETURNING 1`,
  values: [before, rows],
});

/** Days that are no longer shown, so many at a time. */
export const purgeDays = (before: Date, rows: number): Statement => ({
  name: 'mcp_servers_purge_days',
  query_timeout: 9_000,
  // By position: rows of this age do not change, and a join with the days could read all of them.
  text: `DELETE FROM mcp_server_days WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM mcp_server_days WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date ORDER BY day LIMIT $2)) RETURNING 1`,
  values: [before, rows],
});

/** Deletes records of users that no longer influence a count. Locked rows are skipped and picked up by the next run. */
export const purgeUsers = (before: Date, rows: number): Statement => ({
  name: 'mcp_servers_purge_users',
  query_timeout: 9_000,
  text: `WITH old AS MATERIALIZED (
      SELECT server_uuid, user_uuid FROM mcp_server_users WHERE seen_at < $1 ORDER BY seen_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    DELETE FROM mcp_server_users u USING old
    WHERE u.server_uuid = old.server_uuid AND u.user_uuid = old.user_uuid RETURNING 1`,
  values: [before, rows],
});
