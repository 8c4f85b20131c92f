import { TrendingQuery } from '../../src/analytics/input.ts';
import { generalErrors } from '../errors.ts';
import { ListTrendingServersDocument } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import { trendingResponse } from './responses.ts';

/** The paths of the analytics. Source: docs/specification/analytics.md. */
export const analyticsRoutes: readonly Route[] = [
  route('GET /api/trending/servers', {
    tag: 'Analytics',
    errors: generalErrors,
    access: 'caller',
    reference: reference.trendingServers,
    operation: ListTrendingServersDocument,
    query: TrendingQuery,
    variables: ({ query }) => query,
    body: ({ trendingServers: { nodes, totalCount } }, { query }) => ({
      servers: nodes.map(({ score, rankChange, server }) => ({
        uuid: server.uuid,
        name: server.name,
        slug: server.slug,
        category: server.category,
        installation_count: server.installationCount,
        rating: server.rating,
        trending_score: score,
        rank_change: rankChange,
      })),
      total: totalCount,
      timeframe: query.timeframe,
    }),
    response: trendingResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
];
