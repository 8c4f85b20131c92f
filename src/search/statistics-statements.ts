import type { Statement } from '../platform/database/database.ts';

/** The statements that count searches and read the statistics. A day is one in UTC; hashes are in hexadecimal. */

/** Users who must have searched for words before statistics show them: an unauthenticated client may have any number of addresses. Source: docs/specification/search.md#privacy; docs/hazards.md#h14. */
const usersMin = 3;
/** Today and the days before it that are kept: the longest timeframe, and a day for those that are asked around midnight. */
const keptDays = 31;

/** Searches of one asker for one thing, since they were last written down. */
export interface CountedSearch {
  readonly query: string;
  readonly asker: string;
  readonly isUser: boolean;
  readonly searches: number;
  /** What was shown. */
  readonly servers: readonly string[];
  readonly day: string;
}

export interface CountedOpening {
  readonly query: string;
  readonly asker: string;
  readonly server: string;
  readonly day: string;
}

/**
 * Rows are written in the order of their keys, so that two concurrent processes do not deadlock. No request waits for
 * them, and after an outage of the database there are 5 000 at once.
 */
export const countSearches = (searches: readonly CountedSearch[]): Statement => ({
  name: 'search_count_searches',
  query_timeout: 9_000,
  text: `WITH given AS MATERIALIZED (
      SELECT decode(query, 'hex') AS query, decode(asker, 'hex') AS asker, "isUser" AS is_user, searches, servers, day
      FROM json_to_recordset($1) AS g (query text, asker text, "isUser" boolean, searches int, servers uuid[], day date)),
    counted AS (
      INSERT INTO search_query_days AS d (query, day, searches)
      SELECT query, day, sum(searches) FROM given GROUP BY query, day ORDER BY query, day
      ON CONFLICT (query, day) DO UPDATE SET searches = d.searches + excluded.searches),
    first_today AS (
      INSERT INTO search_askers AS a (query, asker, is_user, day)
      SELECT query, asker, bool_or(is_user), max(day) FROM given GROUP BY query, asker ORDER BY query, asker
      ON CONFLICT (query, asker) DO UPDATE SET day = excluded.day WHERE a.day < excluded.day
      RETURNING query, asker, day)
    INSERT INTO search_result_days AS r (query, day, server_uuid, impressions)
    SELECT g.query, g.day, server, count(*) FROM given g JOIN first_today USING (query, asker, day) CROSS JOIN unnest(g.servers) AS server
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (query, day, server_uuid) DO UPDATE SET impressions = r.impressions + excluded.impressions`,
  values: [JSON.stringify(searches)],
});

export const countOpenings = (openings: readonly CountedOpening[]): Statement => ({
  name: 'search_count_openings',
  query_timeout: 9_000,
  text: `WITH first_today AS (
      INSERT INTO search_openings AS o (query, server_uuid, asker, day)
      SELECT DISTINCT ON (1, 2, 3) decode(query, 'hex'), server, decode(asker, 'hex'), day
      FROM json_to_recordset($1) AS g (query text, asker text, server uuid, day date) ORDER BY 1, 2, 3, 4 DESC
      ON CONFLICT (query, server_uuid, asker) DO UPDATE SET day = excluded.day WHERE o.day < excluded.day
      RETURNING query, server_uuid, day)
    INSERT INTO search_result_days AS r (query, day, server_uuid, clicks)
    SELECT query, day, server_uuid, count(*) FROM first_today GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (query, day, server_uuid) DO UPDATE SET clicks = r.clicks + excluded.clicks`,
  values: [JSON.stringify(openings)],
});

/**
 * Keeps the text of searches that enough users have made. A separate statement, which sees the counts of the earlier
 * ones.
 */
export const keepTexts = (texts: readonly { query: string; text: string }[]): Statement => ({
  name: 'search_keep_texts',
  query_timeout: 9_000,
  text: `INSERT INTO search_queries (key, text)
    SELECT key, text FROM (
      SELECT decode(query, 'hex') AS key, text FROM json_to_recordset($1) AS g (query text, text text)) given
    WHERE (SELECT count(*) FROM (SELECT FROM search_askers a WHERE a.query = given.key AND a.is_user LIMIT ${usersMin}) enough) = ${usersMin}
    ORDER BY key ON CONFLICT (key) DO NOTHING`,
  values: [JSON.stringify(texts)],
});

/** Whether an asker was lately shown a server for a search. */
export const wasShown = (query: string, asker: string, server: string, today: string): Statement => ({
  name: 'search_was_shown',
  text: `SELECT EXISTS (
      SELECT FROM search_askers a JOIN search_result_days r ON r.query = a.query AND r.day BETWEEN $4::date - 1 AND $4::date
      WHERE a.query = decode($1, 'hex') AND a.asker = decode($2, 'hex') AND a.day BETWEEN $4::date - 1 AND $4::date
        AND r.server_uuid = $3::uuid AND r.impressions > 0) AS is_shown`,
  values: [query, asker, server, today],
});

export interface StatisticsRow {
  total_searches: number;
  unique_users: number;
  top_results: { server_uuid: string; clicks: number; impressions: number }[];
  related_queries: string[];
}

/**
 * The use of a search in the last days, today included. No row for a search of fewer than three users. Related are
 * searches that showed the same servers and may be shown.
 */
export const statistics = (query: string, today: string, days: number): Statement => ({
  name: 'search_statistics',
  text: `WITH frame AS (SELECT decode($1, 'hex') AS query, $2::date - $3::int AS before, $2::date AS today),
    users AS (
      SELECT count(*)::int AS count FROM search_askers a, frame f
      WHERE a.query = f.query AND a.is_user AND a.day > f.before AND a.day <= f.today),
    results AS (
      SELECT r.server_uuid, sum(r.clicks)::int AS clicks, sum(r.impressions)::int AS impressions
      FROM search_result_days r, frame f WHERE r.query = f.query AND r.day > f.before AND r.day <= f.today
      GROUP BY r.server_uuid),
    top AS MATERIALIZED (
      SELECT r.* FROM results r JOIN mcp_servers s ON s.uuid = r.server_uuid AND s.is_public
      ORDER BY r.clicks DESC, r.impressions DESC, r.server_uuid LIMIT 10),
    near AS (
      SELECT o.query, count(DISTINCT top.server_uuid) AS servers, sum(o.impressions) AS impressions
      FROM top CROSS JOIN frame f CROSS JOIN LATERAL (
        SELECT r.query, r.impressions FROM search_result_days r
        WHERE r.server_uuid = top.server_uuid AND r.day > f.before AND r.day <= f.today AND r.query <> f.query
        ORDER BY r.day DESC LIMIT 300) o
      WHERE EXISTS (SELECT FROM search_queries q WHERE q.key = o.query)
      GROUP BY o.query ORDER BY servers DESC, impressions DESC, o.query LIMIT 40),
    related AS (
      SELECT q.text, n.servers, n.impressions FROM near n JOIN search_queries q ON q.key = n.query CROSS JOIN frame f
      WHERE (SELECT count(*) FROM (
        SELECT FROM search_askers a WHERE a.query = n.query AND a.is_user AND a.day > f.before AND a.day <= f.today LIMIT ${usersMin}) enough)
        = ${usersMin}
      ORDER BY n.servers DESC, n.impressions DESC, q.text LIMIT 10)
    SELECT (SELECT coalesce(sum(d.searches), 0)::int FROM search_query_days d, frame f
        WHERE d.query = f.query AND d.day > f.before AND d.day <= f.today) AS total_searches,
      users.count AS unique_users,
      coalesce((SELECT json_agg(top ORDER BY clicks DESC, impressions DESC, server_uuid) FROM top), '[]') AS top_results,
      array(SELECT text FROM related) AS related_queries
    FROM users WHERE users.count >= ${usersMin}`,
  values: [query, today, days],
});

/** Rows that one statement deletes, or texts that one checks. */
export const purgedMax = 10_000;

/** Forgets so many rows of each table that are older than may be asked for. @returns How many rows went. */
export const purges = (today: string): Statement[] =>
  ['search_askers', 'search_openings', 'search_query_days', 'search_result_days'].map((table) => ({
    name: `search_purge_${table}`,
    query_timeout: 9_000,
    text: `WITH gone AS (
        DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${table} WHERE day <= $1::date - ${keptDays} LIMIT ${purgedMax}))
        RETURNING 1)
      SELECT count(*)::int AS count FROM gone`,
    values: [today],
  }));

/** Forgets the texts that have too few users left, of the next so many keys; they come in hexadecimal. */
export const purgeTexts = (after: string): Statement => ({
  name: 'search_purge_texts',
  query_timeout: 9_000,
  text: `WITH examined AS MATERIALIZED (
        SELECT key FROM search_queries WHERE key > decode($1, 'hex') ORDER BY key LIMIT ${purgedMax}),
      gone AS (
        DELETE FROM search_queries q USING examined j WHERE q.key = j.key AND (
          SELECT count(*) FROM (SELECT FROM search_askers a WHERE a.query = q.key AND a.is_user LIMIT ${usersMin}) enough) < ${usersMin}
        RETURNING 1)
    SELECT (SELECT encode(key, 'hex') FROM examined ORDER BY key DESC LIMIT 1) AS last, (SELECT count(*)::int FROM examined) AS examined,
      (SELECT count(*)::int FROM gone) AS count`,
  values: [after],
});
