import type { GraphQLResolveInfo } from 'graphql';
import { rowQuery } from '../connection.ts';
import type { Context } from '../context.ts';
import { mutation, selector } from '../mutation.ts';
import { Collection } from './collection.ts';

/** The selection of the collection in the payload. */
const collectionQuery = (context: Context, info: GraphQLResolveInfo) =>
  rowQuery(context, info, 'Collection', 'collection');

const descriptions = {
  name: '1 to 200 characters.',
  description: 'Purpose of the collection, at most 2 000 characters.',
  serverUuids: 'The servers in their order: at most 500, each public or yours.',
  isPublic: 'Whether all users can see the collection and its public servers.',
} as const;

const changedCollection = {
  collection: { type: Collection, description: 'The collection after the operation.' },
} as const;

mutation('collectionCreate', {
  description: 'Creates a collection in your profile. A profile has at most 200 collections.',
  rateLimit: 'general',
  input: {
    description: 'A collection.',
    argument: 'The collection.',
    fields: (t) => ({
      name: t.string({ required: true, description: descriptions.name }),
      description: t.string({ description: descriptions.description }),
      serverUuids: t.stringList({ description: descriptions.serverUuids }),
      isPublic: t.boolean({ description: `${descriptions.isPublic} False if left out.` }),
      profileUuid: t.string({ description: 'UUID of your own profile, which is the default.' }),
    }),
  },
  payload: changedCollection,
  resolve: async (input, context, info) => ({
    collection: await context.services.collections.create(context.caller, input, collectionQuery(context, info)),
  }),
});

mutation('collectionUpdate', {
  description: 'Updates a collection of yours.',
  rateLimit: 'general',
  input: {
    description:
      'The fields to change. Fields that are left out stay as they are; null empties the description and the list of servers.',
    argument: 'The changes.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the collection.' }),
      name: t.string({ description: descriptions.name }),
      description: t.string({ description: descriptions.description }),
      serverUuids: t.stringList({ description: `${descriptions.serverUuids} Takes the place of the whole list.` }),
      isPublic: t.boolean({ description: descriptions.isPublic }),
    }),
  },
  payload: changedCollection,
  resolve: async ({ uuid, ...change }, context, info) => ({
    collection: await context.services.collections.update(context.caller, uuid, change, collectionQuery(context, info)),
  }),
});

mutation('collectionDelete', {
  description: 'Deletes a collection of yours. Its servers stay.',
  rateLimit: 'general',
  input: selector('The collection to delete.', { argument: 'Selects the collection.' }),
  payload: { uuid: { type: 'UUID', description: 'UUID of the deleted collection.' } },
  resolve: async (input, { caller, services }) => ({
    uuid: await services.collections.remove(caller, input.uuid),
  }),
});

mutation('collectionImport', {
  description:
    'Installs in your profile all servers of a collection that you may see. Servers that are already installed stay as they are.',
  rateLimit: 'general',
  input: {
    description: 'The collection to import.',
    argument: 'Selects the collection.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of a collection that is public or yours.' }),
    }),
  },
  payload: {
    collection: { type: Collection, description: 'The imported collection.' },
    installed: { type: 'Int', description: 'Number of newly installed servers.' },
    alreadyInstalled: { type: 'Int', description: 'Number of servers that were already installed.' },
  },
  resolve: async ({ uuid }, context, info) => {
    const { collections } = context.services;
    const done = await collections.importServers(context.caller, uuid);
    return {
      ...done,
      collection: await collections.findImported(context.caller, uuid, collectionQuery(context, info)),
    };
  },
});
