import type { Statement } from '../platform/database/database.ts';

/**
 * The statements of what happens to a server. Each adds up as it happens (counters on the server, a row for each of its days),
 * so that no request counts events. A day is one in UTC.
 */

/** A server that may be used: public, or of the profile itself. */
const usable = 's.uuid = $1 AND (s.is_public OR s.profile_uuid = $2)';
const today = "($3::timestamptz AT TIME ZONE 'UTC')::date";

export interface InstalledRow {
  /** Null when it was installed already. */
  installed: boolean | null;
  /** Whether the profile had never installed it. */
  is_first: boolean;
  owner: string;
  name: string;
  source: string;
  version: string | null;
}

/** Installs a server in a profile, once: no row for a server that may not be used. */
export const install = (server: string, profile: string, now: Date, uuid: string): Statement => ({
  name: 'mcp_servers_install',
  text: `WITH usable AS (SELECT s.* FROM mcp_servers s WHERE ${usable} FOR NO KEY UPDATE),
    known AS (SELECT 1 FROM mcp_installations WHERE profile_uuid = $2 AND server_uuid = $1),
    installed AS (
      INSERT INTO mcp_installations AS i (uuid, profile_uuid, server_uuid, installed_at)
      SELECT $4::uuid, $2, uuid, $3 FROM usable
      ON CONFLICT (profile_uuid, server_uuid) DO UPDATE SET installed_at = $3, removed_at = NULL WHERE i.removed_at IS NOT NULL
      RETURNING server_uuid),
    counted AS (
      UPDATE mcp_servers s SET installations = s.installations + 1, last_activity_at = $3
      FROM installed WHERE s.uuid = installed.server_uuid RETURNING s.uuid),
    day AS (
      INSERT INTO mcp_server_days AS d (server_uuid, day, installs) SELECT uuid, ${today}, 1 FROM counted
      ON CONFLICT (server_uuid, day) DO UPDATE SET installs = d.installs + 1)
    SELECT (SELECT true FROM installed) AS installed, NOT EXISTS (SELECT 1 FROM known) AS is_first,
      profile_uuid AS owner, name, source, version FROM usable`,
  values: [server, profile, now, uuid],
});

/** Ends an installation that lives, also of a server that is not public any more. No row where there is none. */
export const uninstall = (server: string, profile: string, now: Date): Statement => ({
  name: 'mcp_servers_uninstall',
  text: `WITH held AS (SELECT uuid FROM mcp_servers WHERE uuid = $1 FOR NO KEY UPDATE),
    removed AS (
      UPDATE mcp_installations SET removed_at = $3 FROM held
      WHERE server_uuid = held.uuid AND profile_uuid = $2 AND removed_at IS NULL RETURNING server_uuid),
    counted AS (
      UPDATE mcp_servers s SET installations = s.installations - 1, last_activity_at = $3
      FROM removed WHERE s.uuid = removed.server_uuid RETURNING s.uuid),
    day AS (
      INSERT INTO mcp_server_days AS d (server_uuid, day, uninstalls) SELECT uuid, ${today}, 1 FROM counted
      ON CONFLICT (server_uuid, day) DO UPDATE SET uninstalls = d.uninstalls + 1)
    SELECT uuid FROM counted`,
  values: [server, profile, now],
});

/**
 * Holds a server that may be used, until the commit. What reads the state before its own change comes in a statement of its
 * own afterwards: one that waited for the lock would read what was there before it waited.
 */
export const hold = (server: string, profile: string): Statement => ({
  name: 'mcp_servers_hold',
  text: `SELECT s.uuid FROM mcp_servers s WHERE ${usable} FOR NO KEY UPDATE`,
  values: [server, profile],
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

/** Counts a call by a profile whose server it is, or which has it installed. No row for any other. */
export const report = (server: string, profile: string, now: Date, failures: 0 | 1): Statement => ({
  name: 'mcp_servers_report',
  text: `WITH used AS (
      UPDATE mcp_servers s SET last_activity_at = greatest(s.last_activity_at, $3)
      WHERE ${usable} AND (s.profile_uuid = $2 OR EXISTS (
        SELECT 1 FROM mcp_installations i
        WHERE i.server_uuid = s.uuid AND i.profile_uuid = $2 AND i.removed_at IS NULL))
      RETURNING s.uuid)
    INSERT INTO mcp_server_days AS d (server_uuid, day, calls, failures) SELECT uuid, ${today}, 1, $4::int FROM used
    ON CONFLICT (server_uuid, day) DO UPDATE SET calls = d.calls + 1, failures = d.failures + excluded.failures
    RETURNING server_uuid AS uuid`,
  values: [server, profile, now, failures],
});

export interface StatsRow {
  uuid: string;
  installations: number;
  rating_sum: number;
  ratings_count: number;
  last_activity_at: Date | null;
  trending_rank: string;
  daily_installs: number[];
}

/** Days that `daily_installs` shows. Source: gaps.md, Servers. */
const installDays = 30;
/** The week that trends are of, in days and in hours. Source: spec.md, GET /api/trending/servers: the default timeframe. */
const trendDays = 7;

/**
 * The statistics of servers that may be seen. A rank is one more than the number of public servers whose week was better, by
 * the score of gaps.md; it is made of the days of one week, for all servers that are asked for together.
 */
export const stats = (profile: string | null, now: Date, servers: readonly string[]): Statement => ({
  name: 'mcp_servers_stats',
  text: `WITH asked AS (
      SELECT * FROM mcp_servers WHERE uuid = ANY ($3::uuid[]) AND (is_public OR profile_uuid = $1)),
    today AS (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS day),
    week AS (
      SELECT d.server_uuid AS uuid, 40 * sum(d.installs - d.uninstalls + d.calls) AS sum
      FROM mcp_server_days d, today WHERE d.day > today.day - ${trendDays} AND d.day <= today.day GROUP BY d.server_uuid),
    scored AS (
      SELECT s.uuid, s.is_public, round(week.sum + 20 * greatest(0.5,
        1 - extract(epoch FROM $2::timestamptz - s.last_activity_at) / ${trendDays * 86_400}.0)) AS score
      FROM week JOIN mcp_servers s ON s.uuid = week.uuid)
    SELECT asked.uuid, asked.installations, asked.rating_sum, asked.ratings_count, asked.last_activity_at,
      1 + (SELECT count(*) FROM scored WHERE scored.is_public AND scored.score > 0 AND scored.uuid <> asked.uuid
        AND scored.score > coalesce((SELECT score FROM scored own WHERE own.uuid = asked.uuid), 0)) AS trending_rank,
      (SELECT array_agg(coalesce(d.installs, 0) ORDER BY days.day)
        FROM today, generate_series(today.day - ${installDays - 1}, today.day, interval '1 day') AS days (day)
        LEFT JOIN mcp_server_days d ON d.server_uuid = asked.uuid AND d.day = days.day::date) AS daily_installs
    FROM asked`,
  values: [profile, now, servers],
});

/** Counts anew what profiles that are gone have left behind. */
export const recount = (): Statement => ({
  name: 'mcp_servers_recount',
  query_timeout: 9_000,
  text: `WITH counts AS (
      SELECT s.uuid,
        (SELECT count(*)::int FROM mcp_installations i WHERE i.server_uuid = s.uuid AND i.removed_at IS NULL) AS installations,
        (SELECT coalesce(sum(r.rating), 0)::int FROM mcp_ratings r WHERE r.server_uuid = s.uuid) AS rating_sum,
        (SELECT count(*)::int FROM mcp_ratings r WHERE r.server_uuid = s.uuid) AS ratings_count
      FROM mcp_servers s WHERE s.installations > 0 OR s.ratings_count > 0)
    UPDATE mcp_servers s SET installations = c.installations, rating_sum = c.rating_sum, ratings_count = c.ratings_count
    FROM counts c WHERE c.uuid = s.uuid
      AND (s.installations, s.rating_sum, s.ratings_count) IS DISTINCT FROM (c.installations, c.rating_sum, c.ratings_count)
    RETURNING s.uuid`,
});

/** How many public servers each of these users has; whoever has none is left out. */
export const publicServersOf = (userUuids: readonly string[]): Statement => ({
  name: 'mcp_servers_public_of_users',
  text: `SELECT j.user_uuid, count(*)::int AS count
    FROM projects j JOIN profiles p ON p.project_uuid = j.uuid JOIN mcp_servers s ON s.profile_uuid = p.uuid
    WHERE j.user_uuid = ANY ($1::uuid[]) AND s.is_public GROUP BY j.user_uuid`,
  values: [userUuids],
});
