import type { z } from 'zod';
import { CollectionChange, NewCollection, PageRequest } from '../../src/collections/input.ts';
import type { Transport } from '../../src/mcp-servers/input.ts';
import { generalErrors } from '../errors.ts';
import {
  type CollectedServerFragment,
  type CollectionFieldsFragment,
  CreateCollectionDocument,
  DeleteCollectionDocument,
  GetCollectionDocument,
  ImportCollectionDocument,
  ListCollectionsDocument,
  UpdateCollectionDocument,
} from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import { collectionAnswer, collectionsAnswer, deletedAnswer, importedAnswer } from './answers.ts';
import * as reference from './reference.ts';

const shared = { tag: 'Collections', errors: generalErrors, access: 'caller' } as const;

/** The paths of collections. Source: docs/specification/collections.md. */
export const collectionRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/collections/:uuid',
    reference: reference.listCollections,
    operation: ListCollectionsDocument,
    query: PageRequest,
    variables: ({ params, query }) => ({ ...query, profileUuid: params.uuid }),
    body: ({ collectionPage: { collections, total } }) => ({ collections: collections.map(collectionBody), total }),
    answer: collectionsAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/collections/public/:uuid',
    access: 'public',
    reference: reference.getCollection,
    operation: GetCollectionDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ collection }) => collectionBody(collection as CollectionFieldsFragment),
    answer: collectionAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/collections',
    isIdempotent: true,
    reference: reference.createCollection,
    operation: CreateCollectionDocument,
    input: NewCollection,
    variables: ({ body }) => ({ input: body }),
    body: ({ collectionCreate: { collection } }) => collectionBody(collection),
    answer: collectionAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/api/collections/:uuid',
    reference: reference.updateCollection,
    operation: UpdateCollectionDocument,
    input: CollectionChange,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ collectionUpdate: { collection } }) => collectionBody(collection),
    answer: collectionAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/collections/:uuid',
    reference: reference.deleteCollection,
    operation: DeleteCollectionDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: () => ({ success: true, message: 'Collection deleted' }),
    answer: deletedAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/collections/import/:uuid',
    isIdempotent: true,
    reference: reference.importCollection,
    operation: ImportCollectionDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ collectionImport: { installed, alreadyInstalled, collection } }) => ({
      success: true,
      installed,
      already_installed: alreadyInstalled,
      servers: collection.servers.nodes.map(serverBody),
    }),
    answer: importedAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE'],
  }),
];

const collectionBody = (collection: CollectionFieldsFragment): z.output<typeof collectionAnswer> => ({
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

const serverBody = (server: CollectedServerFragment) => ({
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
