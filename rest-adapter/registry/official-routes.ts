import { CatalogueQuery, DeletedQuery } from '../../src/registry/input.ts';
import { registryErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'MCP registry API', errors: registryErrors, access: 'public' } as const;

/**
 * The registry as editors read it: the read-only part of the official registry's API.
 *
 * @see The official registry, OpenAPI document of 2025-12-01
 */
export const officialRoutes: readonly Route[] = [
  route('GET /v0.1/servers', {
    ...shared,
    reference: reference.listEntries,
    operation: operations.ListRegistryServersDocument,
    query: CatalogueQuery,
    variables: ({ query: { limit: first, cursor: after, ...query } }) => ({ ...query, first, after }),
    body: ({ registryServers: { nodes, pageInfo } }) => ({
      servers: nodes.map(entryBody),
      metadata: {
        ...(pageInfo.hasNextPage && pageInfo.endCursor !== null && { nextCursor: pageInfo.endCursor }),
        count: nodes.length,
      },
    }),
    response: responses.entriesResponse,
    errorCodes: ['VALIDATION_ERROR', 'TOO_LARGE'],
  }),
  route('GET /v0.1/servers/:serverName/versions', {
    ...shared,
    reference: reference.listVersions,
    operation: operations.ListRegistryServerVersionsDocument,
    query: DeletedQuery,
    variables: ({ params, query }) => ({ ...query, name: params.serverName }),
    body: ({ registryServerVersions: versions }) => ({
      servers: versions.map(entryBody),
      metadata: { count: versions.length },
    }),
    response: responses.entriesResponse,
    errorCodes: ['VALIDATION_ERROR', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route('GET /v0.1/servers/:serverName/versions/:version', {
    ...shared,
    reference: reference.getVersion,
    operation: operations.GetRegistryServerDocument,
    query: DeletedQuery,
    variables: ({ params, query }) => ({ ...query, name: params.serverName, version: params.version }),
    body: ({ registryServer }) => entryBody(registryServer),
    response: responses.entryResponse,
    errorCodes: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
];

const entryBody = (entry: operations.RegistryEntryFieldsFragment) => ({
  server: entry.document,
  _meta: {
    [responses.officialKey]: {
      status: entry.status.toLowerCase(),
      ...(entry.statusMessage !== null && { statusMessage: entry.statusMessage }),
      statusChangedAt: entry.statusChangedAt,
      publishedAt: entry.publishedAt,
      updatedAt: entry.updatedAt,
      isLatest: entry.isLatest,
    },
  },
});
