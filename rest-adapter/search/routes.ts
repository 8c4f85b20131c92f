import { SearchQuery, StatisticsQuery } from '../../src/search/input.ts';
import { generalErrors } from '../errors.ts';
import { GetSearchStatisticsDocument, SearchServersDocument } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import { searchResponse, statisticsResponse } from './responses.ts';

const shared = { tag: 'Search', errors: generalErrors } as const;

/** Search for public servers, and its statistics. Source: docs/specification/search.md. */
export const searchRoutes: readonly Route[] = [
  route('GET /api/search', {
    ...shared,
    access: 'public',
    reference: reference.searchServers,
    operation: SearchServersDocument,
    query: SearchQuery,
    variables: ({ query: { q: query, source, ...filters } }) => ({
      ...filters,
      query,
      source: source === 'ALL' ? undefined : source,
    }),
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
    response: searchResponse,
    errorCodes: ['VALIDATION_ERROR'],
  }),
  route('GET /api/service/search', {
    ...shared,
    access: 'caller',
    reference: reference.searchStatistics,
    operation: GetSearchStatisticsDocument,
    query: StatisticsQuery,
    variables: ({ query: { q: query, timeframe } }) => ({ query, timeframe }),
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
    response: statisticsResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
];
