import { createDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createUpkeep } from '../../src/search/upkeep.ts';
import { searchMix } from '../search-mix.ts';
import { each, type GrowthArea, get, graphql } from './stage.ts';

/** The public servers of the area mcp-servers, by words and filters. */
export const search: GrowthArea = {
  name: 'search',
  page: 'search',
  async fill(pool) {
    const database = createDatabase({ url: pool.options.connectionString as string, log: createLogger('silent') });
    await pool.query('VACUUM ANALYZE search_documents');
    await createUpkeep({ database }).countWords();
    await database.close();
  },
  operations: async () => [
    ...[...searchMix(40)].map(([kind, queries]) => ({
      name: kind,
      calls: each(queries, (query) => get(`/api/search?${query}`)),
    })),
    {
      name: 'connection',
      calls: [graphql('{ servers(query: "data", first: 20) { nodes { name } totalCount } }')],
    },
    {
      name: 'statistics',
      calls: [graphql('{ searchStatistics(query: "data") { totalSearches } }')],
    },
  ],
};
