import { exampleSummary } from '../mcp-servers/reference.ts';

export const searchServers = {
  summary: 'Search for public servers',
  description:
    'Finds servers by words of their names, titles, descriptions and tags. Incomplete and misspelled words match too. An empty `q` lists all servers.',
  example: {
    query: { q: 'weather', package: 'npm', sort: 'relevance', limit: 20, offset: 0 },
    response: { servers: [exampleSummary], total: 1, limit: 20, offset: 0 },
  },
} as const;

export const searchStatistics = {
  summary: 'Get statistics of a search',
  description:
    'How often a search was made in the window, and which results were opened. All figures are 0 for a search that fewer than three users made.',
  example: {
    query: { q: 'weather', timeframe: 'week' },
    response: {
      query: 'weather',
      total_searches: 48,
      unique_users: 17,
      top_results: [{ server_uuid: exampleSummary.uuid, clicks: 9, impressions: 30, ctr: 0.3 }],
      related_queries: ['forecast'],
    },
  },
} as const;
