import type { z } from 'zod';
import { CollectionChange, NewCollection, PageRequest } from '../../src/collections/input.ts';
import type { Transport } from '../../src/mcp-servers/input.ts';
import { generalErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'Collections', errors: generalErrors, access: 'caller' } as const;

/** The paths of collections. Source: docs/specification/collections.md. */
export const collectionRoutes: readonly Route[] = [
  route('GET /api/collections/:uuid', {
    ...shared,
    reference: reference.listCollections,
    operation: operations.ListCollectionsDocument,
    query: PageRequest,
    variables: ({ params, query }) => ({ ...query, profileUuid: params.uuid }),
    body: ({ collectionPage: { collections, total } }) => ({ collections: collections.map(collectionBody), total }),
    response: responses.collectionsResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route('GET /api/collections/public/:uuid', {
    ...shared,
    access: 'public',
    reference: reference.getCollection,
    operation: operations.GetCollectionDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ collection }) => collectionBody(collection as operations.CollectionFieldsFragment),
    response: responses.collectionResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route('POST /api/collections', {
    ...shared,
    isIdempotent: true,
    reference: reference.createCollection,
    operation: operations.CreateCollectionDocument,
    input: NewCollection,
    variables: ({ body }) => ({ input: body }),
    body: ({ collectionCreate: { collection } }) => collectionBody(collection),
    response: responses.collectionResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE'],
  }),
  route('PATCH /api/collections/:uuid', {
    ...shared,
    reference: reference.updateCollection,
    operation: operations.UpdateCollectionDocument,
    input: CollectionChange,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ collectionUpdate: { collection } }) => collectionBody(collection),
    response: responses.collectionResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route('DELETE /api/collections/:uuid', {
    ...shared,
    reference: reference.deleteCollection,
    operation: operations.DeleteCollectionDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: () => ({ success: true, message: 'Collection deleted' }),
    response: responses.deletedResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/collections/import/:uuid', {
    ...shared,
    isIdempotent: true,
    reference: reference.importCollection,
    operation: operations.ImportCollectionDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ collectionImport: { installed, alreadyInstalled, collection } }) => ({
      success: true,
      installed,
      already_installed: alreadyInstalled,
      servers: collection.servers.nodes.map(serverBody),
    }),
    response: responses.importedResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
];

const collectionBody = (
  collection: operations.CollectionFieldsFragment,
): z.output<typeof responses.collectionResponse> => ({
  uuid: collection.uuid,
  name: collection.name,
  description: collection.description,
  profile_uuid: collection.profileUuid,
  server_uuids: collection.servers.nodes.map(({ uuid }) => uuid),
  servers: collection.servers.nodes.map(serverBody),
  is_public: collection.isPublic,
  created_at: collection.createdAt,
  updated_at: collection.updatedAt,
});

const serverBody = (server: operations.CollectedServerFragment) => ({
  uuid: server.uuid,
  slug: server.slug,
  title: server.title ?? server.name,
  description: server.description,
  repository_url: server.repositoryUrl,
  package_type: (server.packageType?.toLowerCase() ?? null) as 'npm' | 'docker' | 'pypi' | null,
  installation_count: server.installationCount,
  rating: server.rating,
  transports: server.transports.map((transport) => transport.toLowerCase() as Transport),
});
