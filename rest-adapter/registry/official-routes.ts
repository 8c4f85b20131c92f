import { CatalogueQuery, DeletedQuery } from '../../src/registry/input.ts';
import { registryErrors } from '../errors.ts';
import {
  GetRegistryServerDocument,
  ListRegistryServersDocument,
  ListRegistryServerVersionsDocument,
  type RegistryEntryFieldsFragment,
} from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import { entriesAnswer, entryAnswer, officialKey } from './answers.ts';
import * as reference from './reference.ts';

const shared = { tag: 'MCP registry API', errors: registryErrors, access: 'public', method: 'GET' } as const;

/**
 * The registry as editors read it: the read-only part of the official registry's API.
 *
 * @see The official registry, OpenAPI document of 2025-12-01
 */
export const officialRoutes: readonly Route[] = [
  route({
    ...shared,
    path: '/v0.1/servers',
    reference: reference.listEntries,
    operation: ListRegistryServersDocument,
    query: CatalogueQuery,
    variables: ({ query: { limit: first, cursor: after, ...query } }) => ({ ...query, first, after }),
    body: ({ registryServers: { nodes, pageInfo } }) => ({
      servers: nodes.map(entryBody),
      metadata: {
        ...(pageInfo.hasNextPage && pageInfo.endCursor !== null && { nextCursor: pageInfo.endCursor }),
        count: nodes.length,
      },
    }),
    answer: entriesAnswer,
    errorCodes: ['VALIDATION_ERROR', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    path: '/v0.1/servers/:serverName/versions',
    reference: reference.listVersions,
    operation: ListRegistryServerVersionsDocument,
    query: DeletedQuery,
    variables: ({ params, query }) => ({ ...query, name: params.serverName }),
    body: ({ registryServerVersions: versions }) => ({
      servers: versions.map(entryBody),
      metadata: { count: versions.length },
    }),
    answer: entriesAnswer,
    errorCodes: ['VALIDATION_ERROR', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    path: '/v0.1/servers/:serverName/versions/:version',
    reference: reference.getVersion,
    operation: GetRegistryServerDocument,
    query: DeletedQuery,
    variables: ({ params, query }) => ({ ...query, name: params.serverName, version: params.version }),
    body: ({ registryServer }) => entryBody(registryServer),
    answer: entryAnswer,
    errorCodes: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
];

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
