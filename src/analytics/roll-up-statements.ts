import type { Statement } from '../platform/database/database.ts';
import { listOf, steps, wholeStep } from './statements.ts';

/** The statements of the roll-up, all of one transaction. */

/** So that one runs at a time: the tallies are sums of what one saw before and after. */
export const alone = (): Statement => ({
  name: 'trending_alone',
  text: 'SELECT pg_try_advisory_xact_lock($1) AS taken',
  values: [7_268],
});

/**
 * Takes changed servers. A server whose transaction is still open is skipped and picked up by the next run; a server
 * that is touched from now on waits for the end of this transaction and is touched again.
 */
export const takeTouched = (servers: number): Statement => ({
  name: 'trending_take_touched',
  query_timeout: 9_000,
  text: `WITH touched AS MATERIALIZED (SELECT server_uuid FROM mcp_server_touches LIMIT $1 FOR UPDATE SKIP LOCKED)
    DELETE FROM mcp_server_touches t USING touched WHERE t.server_uuid = touched.server_uuid RETURNING t.server_uuid AS uuid`,
  values: [servers],
});

/** Servers whose score is another by now though nothing happened. */
export const due = (now: Date, servers: number): Statement => ({
  name: 'trending_due',
  text: `SELECT DISTINCT server_uuid AS uuid FROM (
      SELECT server_uuid FROM trending_servers WHERE due_at <= $1 ORDER BY due_at LIMIT $2) due`,
  values: [now, servers],
});

export interface FactsRow {
  uuid: string;
  category: string | null;
  hour: Date;
  installs: number;
  uninstalls: number;
  calls: number;
  last_at: Date;
}

/** What happened to those of the servers that are public. */
export const facts = (servers: readonly string[], since: Date): Statement => ({
  name: 'trending_facts',
  query_timeout: 9_000,
  text: `SELECT s.uuid, s.category, h.hour, h.installs, h.uninstalls, h.calls, h.last_at
    FROM mcp_servers s JOIN mcp_server_hours h ON h.server_uuid = s.uuid
    WHERE s.uuid = ANY ($1::uuid[]) AND s.is_public AND h.hour > $2`,
  values: [servers, since],
});

/** A row of `trending_servers`. */
export interface StandingRow {
  server_uuid: string;
  timeframe: string;
  category: string | null;
  score: number;
  score_before: number;
  due_at: Date | null;
}

export const standings = (servers: readonly string[]): Statement => ({
  name: 'trending_standings',
  text: 'SELECT * FROM trending_servers WHERE server_uuid = ANY ($1::uuid[])',
  values: [servers],
});

/** Replaces the old rows with the new ones; a row that is in no list, and will not be without activity, is deleted. */
export const keep = (rows: readonly StandingRow[]): Statement => ({
  name: 'trending_keep',
  query_timeout: 9_000,
  text: `INSERT INTO trending_servers (server_uuid, timeframe, category, score, score_before, due_at)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[], $6::timestamptz[])
    ON CONFLICT (server_uuid, timeframe) DO UPDATE SET category = excluded.category, score = excluded.score,
      score_before = excluded.score_before, due_at = excluded.due_at`,
  values: [
    rows.map((row) => row.server_uuid),
    rows.map((row) => row.timeframe),
    rows.map((row) => row.category),
    rows.map((row) => row.score),
    rows.map((row) => row.score_before),
    rows.map((row) => row.due_at),
  ],
});

export const drop = (rows: readonly StandingRow[]): Statement => ({
  name: 'trending_drop',
  query_timeout: 9_000,
  text: `DELETE FROM trending_servers t USING unnest($1::uuid[], $2::text[]) gone (server_uuid, timeframe)
    WHERE t.server_uuid = gone.server_uuid AND t.timeframe = gone.timeframe`,
  values: [rows.map((row) => row.server_uuid), rows.map((row) => row.timeframe)],
});

interface Tally {
  readonly timeframe: string;
  readonly isBefore: boolean;
  readonly list: string;
  readonly step: number;
  readonly bucket: number;
  servers: number;
}

/** What the tallies change by when standings do: of each tally the sum, and only where it is not 0. */
export function tallyChanges(before: readonly StandingRow[], after: readonly StandingRow[]): Tally[] {
  const sums = new Map<string, Tally>();
  const add = (tally: Tally) => {
    const key = JSON.stringify([tally.timeframe, tally.isBefore, tally.list, tally.step, tally.bucket]);
    const known = sums.get(key);
    if (known) known.servers += tally.servers;
    else sums.set(key, tally);
  };
  for (const [rows, servers] of [[before, -1] as const, [after, 1] as const])
    for (const { timeframe, category, ...row } of rows)
      for (const [isBefore, score] of [[false, row.score] as const, [true, row.score_before] as const]) {
        if (score <= 0) continue;
        for (const step of steps) add({ timeframe, isBefore, list: '', step, bucket: score >> step, servers });
        for (const list of new Set([listOf(null), listOf(category)]))
          add({ timeframe, isBefore, list, step: wholeStep, bucket: 0, servers });
      }
  return [...sums.values()].filter(({ servers }) => servers !== 0);
}

const columns = (tallies: readonly Tally[]) => [
  tallies.map((tally) => tally.timeframe),
  tallies.map((tally) => tally.isBefore),
  tallies.map((tally) => tally.list),
  tallies.map((tally) => tally.step),
  tallies.map((tally) => tally.bucket),
];

export const tally = (changes: readonly Tally[]): Statement => ({
  name: 'trending_tally',
  query_timeout: 9_000,
  text: `INSERT INTO trending_tallies AS t (timeframe, is_before, list, step, bucket, servers)
    SELECT * FROM unnest($1::text[], $2::bool[], $3::text[], $4::smallint[], $5::int[], $6::int[])
    ON CONFLICT (timeframe, is_before, list, step, bucket) DO UPDATE SET servers = t.servers + excluded.servers`,
  values: [...columns(changes), changes.map(({ servers }) => servers)],
});

/** Empty buckets would be read by every request. */
export const dropEmpty = (changes: readonly Tally[]): Statement => ({
  name: 'trending_drop_empty',
  query_timeout: 9_000,
  text: `DELETE FROM trending_tallies t
    USING unnest($1::text[], $2::bool[], $3::text[], $4::smallint[], $5::int[]) each (timeframe, is_before, list, step, bucket)
    WHERE t.servers = 0 AND (t.timeframe, t.is_before, t.list, t.step, t.bucket)
      = (each.timeframe, each.is_before, each.list, each.step, each.bucket)`,
  values: columns(changes),
});
