import type { Statement } from '../platform/database/database.ts';
import type { Place, Timeframe } from './input.ts';

/**
 * What the trends are asked. Each statement goes by an index and reads a bounded number of rows, however many servers there are:
 * the list is in the order of its index, and a rank is the sum of a few tallies.
 */

/** The tallies of all servers, by powers of two: a rank adds up at most 63 buckets of each size but the largest. */
export const steps = [0, 6, 12] as const;
/** One bucket for all. */
export const wholeStep = 31;
/** How tallies name the list of a category; '' is that of all servers. */
export const listOf = (category: string | null): string => (category === null ? '' : `=${category}`);

/**
 * Servers that were hidden or deleted since the last roll-up, and still are: they are neither shown nor counted. `$1` is
 * the timeframe.
 */
const hidden = `hidden AS MATERIALIZED (
      SELECT t.server_uuid, t.category, t.score, t.score_before
      FROM mcp_server_touches h JOIN trending_servers t ON t.server_uuid = h.server_uuid AND t.timeframe = $1
      LEFT JOIN mcp_servers s ON s.uuid = h.server_uuid
      WHERE h.is_hidden AND s.is_public IS NOT TRUE)`;

/** How many servers of the list have a better score than an expression says. */
function above(score: string, isBefore: boolean): string {
  const sums = steps.map((step, at) => {
    const next = steps[at + 1];
    const end = next === undefined ? '' : `AND bucket < ((${score} >> ${next}) + 1) << ${next - step}`;
    return `(SELECT coalesce(sum(servers), 0) FROM trending_tallies WHERE timeframe = $1 AND is_before = ${isBefore} AND list = ''
      AND step = ${step} AND bucket > ${score} >> ${step} ${end})`;
  });
  const gone = `(SELECT count(*) FROM hidden WHERE hidden.${isBefore ? 'score_before' : 'score'} > ${score})`;
  return `(${sums.join(' + ')} - ${gone})::int`;
}

export interface TrendingRow {
  uuid: string;
  score: number;
  rank: number;
  /** Null where it was not in the list. */
  rank_before: number | null;
}

/** A page of a list, the best first. */
export function page(timeframe: Timeframe, category: string | null, first: number, after: Place | null): Statement {
  const values: unknown[] = [timeframe, first];
  const given = (value: unknown) => `$${values.push(value)}`;
  const ofCategory = category === null ? '' : `AND t.category = ${given(category)}`;
  const score = after && given(after.score);
  const beyond = after
    ? `AND t.score <= ${score} AND (t.score < ${score} OR t.server_uuid > ${given(after.uuid)})`
    : '';
  return {
    name: `trending_page${category === null ? '' : '_of_category'}${after ? '_after' : ''}`,
    text: `WITH ${hidden},
    page AS (
      SELECT t.server_uuid AS uuid, t.score, t.score_before FROM trending_servers t JOIN mcp_servers s ON s.uuid = t.server_uuid
      WHERE t.timeframe = $1 AND t.score > 0 AND s.is_public ${ofCategory} ${beyond}
      ORDER BY t.score DESC, t.server_uuid LIMIT $2)
    SELECT uuid, score, 1 + ${above('page.score', false)} AS rank,
      CASE WHEN score_before > 0 THEN 1 + ${above('page.score_before', true)} END AS rank_before
    FROM page ORDER BY score DESC, uuid`,
    values,
  };
}

/** How many servers are in a list. */
export const count = (timeframe: Timeframe, category: string | null): Statement => ({
  name: 'trending_count',
  text: `WITH ${hidden}
    SELECT coalesce((SELECT servers FROM trending_tallies
        WHERE timeframe = $1 AND NOT is_before AND list = $2 AND step = ${wholeStep} AND bucket = 0), 0)
      - (SELECT count(*)::int FROM hidden WHERE score > 0 AND ($3::text IS NULL OR category = $3)) AS count`,
  values: [timeframe, listOf(category), category],
});

/** The ranks of servers. One that is not in the list comes after all that are. */
export const ranks = (timeframe: Timeframe, servers: readonly string[]): Statement => ({
  name: 'trending_ranks',
  text: `WITH ${hidden},
    asked AS (
      SELECT each.uuid, CASE WHEN s.is_public AND t.score > 0 THEN t.score ELSE 0 END AS score
      FROM unnest($2::uuid[]) each (uuid)
      LEFT JOIN mcp_servers s ON s.uuid = each.uuid
      LEFT JOIN trending_servers t ON t.server_uuid = each.uuid AND t.timeframe = $1)
    SELECT uuid, 1 + ${above('asked.score', false)} AS rank FROM asked`,
  values: [timeframe, servers],
});
