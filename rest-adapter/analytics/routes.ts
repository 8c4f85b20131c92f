import { TrendingQuery } from '../../src/analytics/input.ts';
import { generalErrors } from '../errors.ts';
import { ListTrendingServersDocument, type TrendingTimeframe } from '../generated/operations.ts';
import { integerOf, type Route, route } from '../route.ts';
import { trendingAnswer } from './answers.ts';

/** The paths of the analytics. Source: spec.md, Analytics. */
export const analyticsRoutes: readonly Route[] = [
  route({
    tag: 'Analytics',
    errors: generalErrors,
    access: 'caller',
    method: 'GET',
    path: '/api/trending/servers',
    summary: 'The public servers that are used most lately; what is done with a server counts within seconds',
    operation: ListTrendingServersDocument,
    query: TrendingQuery,
    variables: ({ query }) => ({
      timeframe: timeframeOf(query.timeframe),
      category: query.category,
      // A page of the graph may be empty; none of REST is.
      limit: query.limit === '0' ? Number.NaN : integerOf(query.limit),
    }),
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
      timeframe: query.timeframe ?? 'week',
    }),
    answer: trendingAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
];

/** As the graph spells it. What already is in that spelling is not a documented one, and is refused. */
const timeframeOf = (text: string | undefined) =>
  (text !== undefined && /^[a-z]+$/.test(text) ? text.toUpperCase() : text && 'NONE') as TrendingTimeframe | undefined;
