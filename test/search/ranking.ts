import type { LabelledQuery } from './labels.ts';
import { labelledQueries, labelledServers, ndcg } from './labels.ts';

/** How good an order is over all labelled queries. */
export interface Evaluation {
  /** The mean of nDCG@10. */
  readonly mean: number;
  readonly byQuery: readonly { readonly query: string; readonly ndcg: number }[];
}

/** @param find The names of the first ten that are found, the best first. */
export async function evaluate(find: (query: string) => Promise<readonly string[]>): Promise<Evaluation> {
  const byQuery: { query: string; ndcg: number }[] = [];
  for (const { query, grades } of labelledQueries as readonly LabelledQuery[])
    byQuery.push({ query, ndcg: ndcg(await find(query), grades, labelledServers) });
  return { mean: byQuery.reduce((sum, each) => sum + each.ndcg, 0) / byQuery.length, byQuery };
}

/** What one would write first: the words as they were typed, somewhere in the text, the most installed first. */
export const ilike = (query: string) => ({
  text: `SELECT name FROM mcp_servers WHERE is_public AND (name ILIKE $1 OR title ILIKE $1 OR description ILIKE $1)
    ORDER BY installations DESC, name LIMIT 10`,
  values: [`%${query.replace(/[\\%_]/g, '\\$&')}%`],
});

/** The same for each word by itself. */
export const ilikeByWord = (query: string) => ({
  text: `SELECT name FROM mcp_servers WHERE is_public AND (name || ' ' || coalesce(title, '') || ' ' || coalesce(description, '')) ILIKE ALL ($1)
    ORDER BY installations DESC, name LIMIT 10`,
  values: [query.split(/\s+/).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)],
});
