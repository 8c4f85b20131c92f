import type { Pool, PoolClient } from 'pg';
import { labelledServers } from '../test/search/labels.ts';

/** Servers of one insert. */
const batch = 20_000;
/** Words beside those of the labelled servers: names that people make up. Each is rarer than the one before. */
const inventedCount = 200_000;

/** Numbers from 0 to 1, the same in every run (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const syllables =
  'ba ce di fo gu ha ji ka lo mi nu pe qua ro si tu va wex yo zen dra flo gri klo pla ster tron vex'.split(' ');

/** A unique word: the number in syllables. */
export function invented(number: number): string {
  let rest = number + syllables.length;
  let word = '';
  while (rest > 0) {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}

/** The words of the labelled servers, as often as they stand there: as unequal as words are. */
const spoken = labelledServers.flatMap(({ description }) => description.toLowerCase().match(/[a-z]{2,}/g) ?? []);

/** Zipf: the n-th word as often as 1/n. */
const inventedWord = (random: () => number) => invented(Math.floor(inventedCount ** random()) - 1);
const spokenWord = (random: () => number) => spoken[Math.floor(random() * spoken.length)] as string;

function serverOf(number: number, random: () => number) {
  const word = (inventedShare: number) => (random() < inventedShare ? inventedWord(random) : spokenWord(random));
  const name = Array.from({ length: 1 + Math.floor(random() * 3) }, () => word(0.5)).join('-');
  const description = Array.from({ length: 6 + Math.floor(random() * 20) }, () => word(0.15)).join(' ');
  return {
    name: random() < 0.6 ? `${name}-mcp` : `mcp-server-${name}`,
    description,
    source: random() < 0.1 ? 'registry' : 'community',
    packageType: ['npm', 'npm', 'pypi', 'pypi', 'docker', null][Math.floor(random() * 6)],
    repositoryUrl: random() < 0.8 ? `https://github.com/${inventedWord(random)}/${name}` : null,
    // Few have many, most have none.
    installations: Math.floor(0.5 / (random() + 0.000_01)),
    number,
  };
}

/**
 * Fills the database with public servers of a profile, so many in all, and brings search up to date. The documents are those that
 * the triggers would write; they are written at once, and their indexes are built afterwards.
 */
export async function fillServers(pool: Pool, profileUuid: string, from: number, to: number): Promise<void> {
  const random = randomOf(from + 1);
  await withoutIndexes(pool, async (client) => {
    for (let first = from; first < to; first += batch) {
      const servers = Array.from({ length: Math.min(batch, to - first) }, (_, index) =>
        serverOf(first + index, random),
      );
      await client.query(
        `WITH made AS (
            INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, description, transport, transports, args, env_names,
              header_names, is_public, source, package_type, repository_url, tags, installations, created_at, updated_at)
            SELECT gen_random_uuid(), $1, 'bench-' || number, name, description, 'stdio', '{stdio}', '{}', '{}', '{}', true, source,
              "packageType", "repositoryUrl", '{}', installations, now() - interval '2 years' + number * interval '40 seconds', now()
            FROM json_to_recordset($2) AS given (name text, description text, source text, "packageType" text,
              "repositoryUrl" text, installations int, number int)
            RETURNING *)
          INSERT INTO search_documents (server_uuid, document, words, name_key, source, package, installations, created_at)
          SELECT uuid, d.document, d.words, d.name_key, source, coalesce(package_type, ''), installations, created_at
          FROM made CROSS JOIN LATERAL search_document(made) d`,
        [profileUuid, JSON.stringify(servers)],
      );
      // Or the log of a million servers would lie on the disk beside them.
      await client.query('CHECKPOINT');
    }
    await sortIntoTiers(client);
    await client.query(`TRUNCATE search_words;
      INSERT INTO search_words (word, documents) SELECT DISTINCT word, 1 FROM ts_stat(
        $$SELECT to_tsvector('simple', search_text(concat_ws(' ', name, title, description))) FROM mcp_servers WHERE is_public$$)
        WHERE word ~ '^[a-z0-9]{2,32}$' AND word ~ '[a-z]'`);
  });
}

/**
 * Copies the servers with their documents, so that there are so many times as many, in a tenth of the time of new ones. A server of
 * the others has the profile that a statement names by `$1`, the number of the copy.
 */
export async function copyServers(pool: Pool, times: number, profile: string): Promise<void> {
  await withoutIndexes(pool, async (client) => {
    await client.query('CREATE TEMP TABLE originals AS SELECT uuid FROM mcp_servers WHERE is_public');
    for (let copy = 1; copy < times; copy++) {
      await client.query(
        `WITH pairs AS MATERIALIZED (SELECT uuid AS old, gen_random_uuid() AS new, row_number() OVER () AS n FROM originals),
          made AS (
            INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, description, transport, transports, args, env_names,
              header_names, is_public, source, package_type, repository_url, category, tags, installations, created_at, updated_at)
            SELECT p.new, (${profile}), s.slug || '-' || $1::int, s.name, s.description, s.transport, s.transports, s.args, s.env_names,
              s.header_names, true, s.source, s.package_type, s.repository_url, s.category, s.tags, s.installations,
              s.created_at + $1::int * interval '1 second', now()
            FROM pairs p JOIN mcp_servers s ON s.uuid = p.old)
          INSERT INTO search_documents (server_uuid, document, words, name_key, source, package, installations, created_at)
          SELECT p.new, d.document, d.words, d.name_key, d.source, d.package, d.installations, d.created_at + $1::int * interval '1 second'
          FROM pairs p JOIN search_documents d ON d.server_uuid = p.old`,
        [copy],
      );
    }
    await client.query('DROP TABLE originals');
    await sortIntoTiers(client);
  });
}

/** Works without triggers, foreign keys and the indexes of words, and builds these afterwards. */
async function withoutIndexes(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      `SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 0`,
    );
    const { rows: indexes } = await client.query(
      `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'search_documents' AND indexdef LIKE '%gin%'`,
    );
    for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`);
    await work(client);
    await client.query(`TRUNCATE search_counts;
      INSERT INTO search_counts (source, package, servers) SELECT source, package, count(*) FROM search_documents GROUP BY 1, 2`);
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query('CHECKPOINT');
  } finally {
    await client.query('RESET session_replication_role; RESET maintenance_work_mem');
    client.release();
  }
}

const sortIntoTiers = (client: PoolClient) =>
  client.query(
    `UPDATE search_documents d SET tier = p.tier
      FROM (SELECT server_uuid, CASE WHEN rank <= 1000 THEN 0 WHEN rank <= 10000 THEN 1 ELSE 2 END AS tier FROM (
        SELECT server_uuid, row_number() OVER (ORDER BY installations DESC, created_at DESC, server_uuid DESC) AS rank
        FROM search_documents ORDER BY installations DESC, created_at DESC, server_uuid DESC LIMIT 100000) ranked) p
      WHERE p.server_uuid = d.server_uuid AND d.tier <> p.tier`,
  );
