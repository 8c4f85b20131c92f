import { CatalogueQuery, DeletedQuery } from '../../src/registry/input.ts';
import { registryErrors } from '../errors.ts';
import {
  GetRegistryServerDocument,
  ListRegistryServersDocument,
  ListRegistryServerVersionsDocument,
  type RegistryEntryFieldsFragment,
} from '../generated/operations.ts';
import { integerOf, type Route, type RouteRequest, route } from '../route.ts';
import { entriesAnswer, entryAnswer, officialKey } from './answers.ts';

const shared = { tag: 'MCP registry API', errors: registryErrors, access: 'public', method: 'GET' } as const;

/** Servers of a page for who does not say. Source: the official registry, limit. */
const rowsDefault = 30;

/**
 * The registry as editors read it: the read-only part of the official registry's API.
 *
 * @see The official registry, OpenAPI document of 2025-12-01
 */
export const officialRoutes: readonly Route[] = [
  route({
    ...shared,
    path: '/v0.1/servers',
    summary: 'The servers of the registry, in the order of changes',
    operation: ListRegistryServersDocument,
    query: CatalogueQuery,
    variables: ({ query }) => ({
      // The graph takes 0, too.
      first: query.limit === undefined ? rowsDefault : query.limit === '0' ? Number.NaN : integerOf(query.limit),
      after: query.cursor,
      search: query.search,
      updatedSince: query.updated_since,
      version: query.version,
      includeDeleted: flagOf(query),
    }),
    body: ({ registryServers: { nodes, pageInfo } }) => ({
      servers: nodes.map(entryBody),
      metadata: {
        ...(pageInfo.hasNextPage && pageInfo.endCursor !== null && { nextCursor: pageInfo.endCursor }),
        count: nodes.length,
      },
    }),
    answer: entriesAnswer,
    refusals: ['VALIDATION_ERROR', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    path: '/v0.1/servers/:serverName/versions',
    summary: 'The versions of a server, the newest first',
    operation: ListRegistryServerVersionsDocument,
    query: DeletedQuery,
    variables: ({ params, query }) => ({ name: params.serverName ?? '', includeDeleted: flagOf(query) }),
    body: ({ registryServerVersions: versions }) => ({
      servers: versions.map(entryBody),
      metadata: { count: versions.length },
    }),
    answer: entriesAnswer,
    refusals: ['VALIDATION_ERROR', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    path: '/v0.1/servers/:serverName/versions/:version',
    summary: 'A version of a server, or its `latest`',
    operation: GetRegistryServerDocument,
    query: DeletedQuery,
    variables: ({ params, query }) => ({
      name: params.serverName ?? '',
      version: params.version ?? '',
      includeDeleted: flagOf(query),
    }),
    body: ({ registryServer }) => entryBody(registryServer),
    answer: entryAnswer,
    refusals: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
];

/** What is neither is no Boolean to the graph either, and is refused. */
const flagOf = ({ include_deleted: flag }: RouteRequest['query']): boolean | undefined =>
  flag === undefined ? undefined : flag === 'true' ? true : flag === 'false' ? false : (flag as unknown as boolean);

const entryBody = (entry: RegistryEntryFieldsFragment) => ({
  server: entry.document,
  _meta: {
    [officialKey]: {
      status: entry.status.toLowerCase(),
      ...(entry.statusMessage !== null && { statusMessage: entry.statusMessage }),
      statusChangedAt: entry.statusChangedAt,
      publishedAt: entry.publishedAt,
      updatedAt: entry.updatedAt,
      isLatest: entry.isLatest,
    },
  },
});
