import { fillBy, type GrowthArea, get, graphql } from './stage.ts';

const tally = (list: string, category: string) => `
  SELECT 'week', false, ${list}, step, score >> step, count(*) FROM trending_servers, unnest('{0,6,12}'::int[]) step
    WHERE score > 0 ${category} GROUP BY 3, 4, 5
  UNION ALL SELECT 'week', false, ${list}, 31, 0, count(*) FROM trending_servers WHERE score > 0 ${category} GROUP BY 3`;

/** All public servers of the area mcp-servers are in the trends of the week. */
export const analytics: GrowthArea = {
  name: 'analytics',
  page: 'analytics',
  async fill(pool) {
    await fillBy(
      pool,
      `INSERT INTO trending_servers (server_uuid, timeframe, category, score, score_before)
        SELECT uuid, 'week', category, 1 + abs(hashtext(slug)) % 10000, 0 FROM mcp_servers WHERE is_public
        ON CONFLICT DO NOTHING`,
    );
    await fillBy(
      pool,
      `TRUNCATE trending_tallies;
      INSERT INTO trending_tallies (timeframe, is_before, list, step, bucket, servers)
      ${tally("''", '')} UNION ALL ${tally("'=' || category", 'AND category IS NOT NULL')}`,
    );
  },
  operations: async () => [
    { name: 'first page', calls: [get('/api/trending/servers')] },
    { name: 'first page of a category', calls: [get('/api/trending/servers?category=category-3')] },
    {
      name: 'connection, with the total',
      calls: [graphql('{ trendingServers(first: 20) { nodes { rank score } totalCount } }')],
    },
  ],
};
