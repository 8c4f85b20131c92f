import { exampleServer } from '../reference.ts';

export const trendingServers = {
  summary: 'List trending servers',
  description:
    'Public servers by trending score, the best first. Installations and calls count within seconds. A server without a score is not listed.',
  example: {
    query: { timeframe: 'week', limit: 20 },
    response: {
      servers: [
        {
          uuid: exampleServer,
          name: 'Weather',
          slug: 'weather',
          category: 'data',
          installation_count: 132,
          rating: 4.6,
          trending_score: 5_480,
          rank_change: '+5',
        },
      ],
      total: 1,
      timeframe: 'week',
    },
  },
} as const;
