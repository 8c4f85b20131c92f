import { SearchQuery, StatisticsQuery } from '../../src/search/input.ts';
import { generalErrors } from '../errors.ts';
import {
  GetSearchStatisticsDocument,
  type GetSearchStatisticsQueryVariables,
  SearchServersDocument,
  type SearchServersQueryVariables,
} from '../generated/operations.ts';
import { integerOf, type Route, type RouteRequest, route } from '../route.ts';
import { searchAnswer, statisticsAnswer } from './answers.ts';

const shared = { tag: 'Search', errors: generalErrors } as const;

/** Finding public servers, and what was asked for. Source: spec.md, Search and servers, Analytics. */
export const searchRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/search',
    access: 'public',
    summary: 'Public MCP servers by words and filters; misspelled words and beginnings are understood',
    operation: SearchServersDocument,
    query: SearchQuery,
    variables: ({ query }) => searchVariables(query),
    body: ({ serverPage: { servers, total, limit, offset } }) => ({
      servers: servers.map((server) => ({
        uuid: server.uuid,
        slug: server.slug,
        title: server.title || server.name,
        description: server.description,
        repository_url: server.repositoryUrl,
        package_type: server.packageType?.toLowerCase() ?? null,
        installation_count: server.installationCount,
        rating: server.rating,
        transports: server.transports.map((transport) => transport.toLowerCase()),
      })),
      total,
      limit,
      offset,
    }),
    answer: searchAnswer,
    refusals: ['VALIDATION_ERROR'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/service/search',
    access: 'caller',
    summary: 'How a search was used; zeros for what fewer than three users have asked',
    operation: GetSearchStatisticsDocument,
    query: StatisticsQuery,
    variables: ({ query: { q, timeframe } }) =>
      ({ query: q, timeframe: enumValue(timeframe) }) as GetSearchStatisticsQueryVariables,
    body: ({ searchStatistics: { query, totalSearches, uniqueUsers, topResults, relatedQueries } }) => ({
      query,
      total_searches: totalSearches,
      unique_users: uniqueUsers,
      top_results: topResults.map(({ serverUuid, clicks, impressions, ctr }) => ({
        server_uuid: serverUuid,
        clicks,
        impressions,
        ctr,
      })),
      related_queries: relatedQueries,
    }),
    answer: statisticsAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
];

/** The graph's spelling. What already is in that spelling is not a documented one, and is refused. */
const enumValue = (text: string | undefined) =>
  text === undefined ? undefined : /^[a-z]+$/.test(text) ? text.toUpperCase() : '';

function searchVariables({ q, source, package: packaged, repository, sort, limit, offset }: RouteRequest['query']) {
  return {
    query: q,
    source: source === 'all' ? undefined : enumValue(source),
    package: enumValue(packaged),
    repository,
    sort: enumValue(sort),
    limit: integerOf(limit),
    offset: integerOf(offset),
  } as SearchServersQueryVariables;
}
