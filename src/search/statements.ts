import type { Statement } from '../platform/database/database.ts';
import type { SearchPlan } from './plan.ts';

/** The statements of a search, prepared once per connection. Their cost is bounded, however many servers there are. */

/** The order of a search, and the requested part of its results. */
export interface Window {
  readonly sort: 'relevance' | 'recent' | 'popular';
  readonly skipped: number;
  readonly taken: number;
}

/** What a search's words may mean: rows as `Reading`. */
export const understand = (query: string): Statement => ({
  name: 'search_understand',
  text: `SELECT place, kind, word, lexeme, documents, likeness,
      (SELECT coalesce(sum(servers), 0)::int FROM search_counts) AS servers FROM search_understand($1)`,
  values: [query],
});

/** Words as documents hold them. */
export const lexemes = (words: readonly string[]): Statement => ({
  name: 'search_lexemes',
  text: `SELECT word, (tsvector_to_array(to_tsvector('english', word)))[1] AS lexeme FROM unnest($1::text[]) AS word`,
  values: [words],
});

/** The lexeme of the servers at a repository, or below a host or an owner. */
export const repositoryFilter = (repository: string): Statement => ({
  name: 'search_repository',
  text: `SELECT 'repository=' || search_address($1) AS filter`,
  values: [repository],
});

/** What words find: a page of it, and how many there are, up to 1 000. */
export const byWords = (plan: SearchPlan, { sort, skipped, taken }: Window): Statement => ({
  name: 'search_servers',
  text: `SELECT server_uuid AS uuid, total::int FROM search_servers($1::tsquery, $2::tsquery[], $3::tsquery[], $4::real[], $5, $6, $7, $8)`,
  values: [plan.strict, plan.relaxed, plan.words, plan.weights, plan.key, sort, skipped, taken],
});

/** The combinations of source and package of a list; all of them without a filter. */
export interface Shelves {
  readonly sources: readonly string[];
  /** Empty for those that are in no package. */
  readonly packages: readonly string[];
}

const rating = 'CASE WHEN d.ratings_count = 0 THEN 0 ELSE d.rating_sum::float8 / d.ratings_count END';
const lists = {
  recent: {
    columns: 'd.server_uuid AS uuid, d.created_at',
    from: 'search_documents d',
    where: 'true',
    shelf: 'd.source = shelf.source AND d.package = shelf.package',
    byIndex: 'd.created_at DESC, d.server_uuid DESC',
    byColumns: 'created_at DESC, uuid DESC',
  },
  popular: {
    columns: `d.uuid, d.installations, ${rating} AS rating, d.created_at`,
    from: 'mcp_servers d',
    where: 'd.is_public',
    shelf: `d.source = shelf.source AND coalesce(d.package_type, '') = shelf.package`,
    byIndex: `d.installations DESC, ${rating} DESC, d.created_at DESC, d.uuid DESC`,
    byColumns: 'installations DESC, rating DESC, created_at DESC, uuid DESC',
  },
} as const;

/** Every public server, in an order that an index holds. */
export const listAll = (order: 'recent' | 'popular', skipped: number, taken: number): Statement => ({
  name: `search_list_${order}`,
  text: `SELECT ${lists[order].columns} FROM ${lists[order].from} WHERE ${lists[order].where}
    ORDER BY ${lists[order].byIndex} OFFSET $1 LIMIT $2`,
  values: [skipped, taken],
});

/** Those of some shelves. An index holds each shelf in order, and from none is more read than the page could need. */
export const list = (
  order: 'recent' | 'popular',
  { sources, packages }: Shelves,
  skipped: number,
  taken: number,
): Statement => {
  const { columns, from, where, shelf, byIndex, byColumns } = lists[order];
  return {
    name: `search_shelves_${order}`,
    text: `SELECT page.uuid
      FROM unnest($1::text[]) AS source CROSS JOIN unnest($2::text[]) AS package
        CROSS JOIN LATERAL (SELECT source, package) shelf
        CROSS JOIN LATERAL (
          SELECT ${columns} FROM ${from} WHERE ${where} AND ${shelf}
          ORDER BY ${byIndex} LIMIT $3::int + $4::int) page
      ORDER BY ${byColumns} OFFSET $3 LIMIT $4`,
    values: [sources, packages, skipped, taken],
  };
};

/** How many stand on some shelves. */
export const count = ({ sources, packages }: Shelves): Statement => ({
  name: 'search_count',
  text: `SELECT coalesce(sum(servers), 0)::int AS count FROM search_counts
    WHERE source = ANY ($1::text[]) AND package = ANY ($2::text[])`,
  values: [sources, packages],
});

/** Aggregates single counts. @returns The number of removed rows. */
export const addUpCounts = (): Statement => ({
  name: 'search_add_up_counts',
  text: `WITH gone AS (DELETE FROM search_counts WHERE id IN (SELECT id FROM search_counts FOR UPDATE SKIP LOCKED) RETURNING *),
      added AS (
        INSERT INTO search_counts (source, package, servers)
        SELECT source, package, sum(servers)::int FROM gone GROUP BY source, package HAVING sum(servers) <> 0)
    SELECT count(*)::int AS count FROM gone`,
});

/** Servers that one statement moves from tier to tier. */
export const movedAtOnce = 500;

/** How long the list of moves may take: after an import it reads a hundred thousand servers from the disk. */
const movesTimeoutMs = 60_000;
export const patience: Statement = { text: `SET LOCAL statement_timeout = ${movesTimeoutMs}` };

/**
 * The tiers of a search: the thousand most popular servers, then ten thousand, then a hundred thousand. Returns servers
 * in a wrong tier, the most popular first.
 */
export const moves = (): Statement => ({
  name: 'search_moves',
  query_timeout: movesTimeoutMs,
  text: `WITH popular AS (
        SELECT uuid, row_number() OVER () AS rank FROM (
          SELECT d.uuid FROM mcp_servers d WHERE d.is_public ORDER BY ${lists.popular.byIndex} LIMIT 100000) ordered)
    SELECT coalesce(p.uuid, held.server_uuid) AS uuid,
      CASE WHEN p.rank <= 1000 THEN 0 WHEN p.rank <= 10000 THEN 1 WHEN p.rank <= 100000 THEN 2 ELSE 3 END AS tier
    FROM popular p FULL JOIN (SELECT server_uuid, tier FROM search_documents WHERE tier < 3) held ON held.server_uuid = p.uuid
    WHERE held.tier IS DISTINCT FROM (CASE WHEN p.rank <= 1000 THEN 0 WHEN p.rank <= 10000 THEN 1 WHEN p.rank <= 100000 THEN 2 END)
    ORDER BY p.rank`,
});

/** Moves some. A server that is being installed is left for the next run, or the two would wait for each other. */
export const move = (servers: readonly { uuid: string; tier: number }[]): Statement => ({
  name: 'search_move',
  query_timeout: 9_000,
  text: `WITH due AS (
      SELECT d.server_uuid, m.tier FROM unnest($1::uuid[], $2::int[]) AS m (uuid, tier)
      JOIN search_documents d ON d.server_uuid = m.uuid WHERE d.tier <> m.tier FOR NO KEY UPDATE OF d SKIP LOCKED)
    UPDATE search_documents d SET tier = due.tier FROM due WHERE d.server_uuid = due.server_uuid RETURNING 1`,
  values: [servers.map(({ uuid }) => uuid), servers.map(({ tier }) => tier)],
});

/** New words that one statement takes up. */
export const takenUpMax = 5_000;

/** Adds new words to the vocabulary, in the order of the alphabet. A word is always in one place or the other. */
export const takeUpWords = (): Statement => ({
  name: 'search_take_up_words',
  query_timeout: 9_000,
  text: `WITH gone AS (
        DELETE FROM search_new_words WHERE id = ANY (ARRAY(
          SELECT id FROM search_new_words ORDER BY id LIMIT ${takenUpMax} FOR UPDATE SKIP LOCKED)) RETURNING word),
      added AS (
        INSERT INTO search_words (word) SELECT DISTINCT word FROM gone
        WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.word = gone.word AND w.documents > 1) ORDER BY word
        ON CONFLICT (word) DO NOTHING)
    SELECT count(*)::int AS count FROM gone`,
  values: [],
});

/** Words that one run updates. */
export const examinedMax = 5_000;

/** Forgets rare words that no server has any more, of the next so many in the order of the alphabet. */
export const forgetWords = (after: string): Statement => ({
  name: 'search_forget_words',
  query_timeout: 9_000,
  text: `WITH examined AS MATERIALIZED (
        SELECT word FROM search_words WHERE word > $1 ORDER BY word LIMIT ${examinedMax}),
      doomed AS (
        SELECT w.word FROM search_words w JOIN examined j USING (word) WHERE w.documents = 1 AND NOT search_has_word(w.word)
        FOR UPDATE OF w SKIP LOCKED),
      gone AS (DELETE FROM search_words w USING doomed d WHERE w.word = d.word RETURNING 1)
    SELECT (SELECT max(word) FROM examined) AS last, (SELECT count(*)::int FROM examined) AS examined, (SELECT count(*)::int FROM gone) AS gone`,
  values: [after],
});

/** Servers whose words one statement counts, and words that one statement changes. */
export const countedServers = 250;
export const changedWords = 5_000;

/** Whose words are counted: the ten thousand most popular servers. */
export const countedFor = (): Statement => ({
  name: 'search_counted_for',
  query_timeout: 9_000,
  text: 'SELECT server_uuid AS uuid FROM search_documents WHERE tier < 2 ORDER BY server_uuid',
  values: [],
});

/**
 * Partial results of a count, visible only in this transaction, and gone after a crash. A table without statistics is
 * read by its index.
 */
export const startCount = (): readonly Statement[] => [
  { text: 'SET LOCAL enable_seqscan = off' },
  {
    text: `CREATE TEMPORARY TABLE search_counted_words (word text COLLATE "C" PRIMARY KEY, documents int NOT NULL) ON COMMIT DROP`,
  },
];

/** Adds in how many of some servers each word stands. */
export const countWordsOf = (servers: readonly string[]): Statement => ({
  query_timeout: 9_000,
  text: `INSERT INTO search_counted_words AS c (word, documents)
    SELECT word, count(*) FROM search_documents d CROSS JOIN LATERAL string_to_table(d.words, ' ') AS word
    WHERE d.server_uuid = ANY ($1::uuid[]) GROUP BY word
    ON CONFLICT (word) DO UPDATE SET documents = c.documents + excluded.documents`,
  values: [servers],
});

const counted = '1 + coalesce((SELECT c.documents FROM search_counted_words c WHERE c.word = w.word), 0)';

/**
 * Makes the next so many words of the alphabet say what was counted; a word that is in none of the popular servers counts as
 * rare.
 */
export const changeWords = (after: string): Statement => ({
  query_timeout: 9_000,
  text: `WITH examined AS MATERIALIZED (
        SELECT max(word) AS last, count(*)::int AS examined
        FROM (SELECT word FROM search_words WHERE word > $1 ORDER BY word LIMIT ${changedWords}) next),
      changed AS (
        UPDATE search_words w SET documents = ${counted} FROM examined j
        WHERE w.word > $1 AND w.word <= j.last AND w.documents <> ${counted} RETURNING 1)
    SELECT last, examined, (SELECT count(*)::int FROM changed) AS changed FROM examined`,
  values: [after],
});
