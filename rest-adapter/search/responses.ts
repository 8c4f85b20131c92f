import { z } from 'zod';
import { serverSummary } from '../mcp-servers/responses.ts';
import { namedObject } from '../schema.ts';

export const searchResponse = z.strictObject({
  servers: z.array(serverSummary),
  total: z.int().min(0).describe('With words or a repository up to 1 000, which then means 1 000 or more.'),
  limit: z.int(),
  offset: z.int(),
});

const count = z.int().min(0);

/** Source: docs/specification/search.md#statistics. */
export const statisticsResponse = namedObject('SearchStatistics', {
  query: z
    .string()
    .describe('The search as you sent it. Spellings that differ only in case and spaces are counted together.'),
  total_searches: count,
  unique_users: count.describe(
    'Number of searches. It and all other figures are 0 if fewer than three users made the search.',
  ),
  top_results: z.array(
    z.strictObject({
      server_uuid: z.uuid(),
      clicks: count.describe('Each user counts once a day.'),
      impressions: count.describe('Likewise.'),
      ctr: z.number().min(0).max(1),
    }),
  ),
  related_queries: z.array(z.string()).describe('Other searches that found the same servers.'),
});
