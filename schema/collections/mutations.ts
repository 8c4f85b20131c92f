import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { Import } from '../../src/collections/index.ts';
import { builder } from '../builder.ts';
import { rowColumns } from '../connection.ts';
import type { Context } from '../context.ts';
import { Collection } from './collection.ts';

type CollectionRow = typeof Collection.$inferType;

/** What of the collection the payload is asked for. */
const collectionQuery = (context: Context, info: GraphQLResolveInfo) =>
  queryFromInfo({ context, info, typeName: 'Collection', path: ['collection'], select: rowColumns });

const collectionPayload = (name: string, description: string) =>
  builder.objectRef<{ collection: CollectionRow }>(name).implement({
    description,
    fields: (t) => ({
      collection: t.field({
        type: Collection,
        description: 'The collection after the operation.',
        resolve: ({ collection }) => collection,
      }),
    }),
  });

const descriptions = {
  name: '1 to 200 characters.',
  description: 'Purpose of the collection, at most 2 000 characters.',
  serverUuids: 'The servers in their order: at most 500, each public or yours.',
  isPublic: 'Whether all users can see the collection and its public servers.',
} as const;

const CollectionCreateInput = builder.inputType('CollectionCreateInput', {
  description: 'A collection.',
  fields: (t) => ({
    name: t.string({ required: true, description: descriptions.name }),
    description: t.string({ description: descriptions.description }),
    serverUuids: t.stringList({ description: descriptions.serverUuids }),
    isPublic: t.boolean({ description: `${descriptions.isPublic} False if left out.` }),
    profileUuid: t.string({ description: 'UUID of your own profile, which is the default.' }),
  }),
});

const CollectionCreatePayload = collectionPayload('CollectionCreatePayload', 'Result of `collectionCreate`.');

builder.mutationField('collectionCreate', (t) =>
  t.field({
    type: CollectionCreatePayload,
    description: 'Creates a collection in your profile. A profile has at most 200 collections.',
    args: { input: t.arg({ type: CollectionCreateInput, required: true, description: 'The collection.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => ({
      collection: await context.services.collections.create(context.caller, input, collectionQuery(context, info)),
    }),
  }),
);

const CollectionUpdateInput = builder.inputType('CollectionUpdateInput', {
  description:
    'The fields to change. Fields that are left out stay as they are; null empties the description and the list of servers.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the collection.' }),
    name: t.string({ description: descriptions.name }),
    description: t.string({ description: descriptions.description }),
    serverUuids: t.stringList({ description: `${descriptions.serverUuids} Takes the place of the whole list.` }),
    isPublic: t.boolean({ description: descriptions.isPublic }),
  }),
});

const CollectionUpdatePayload = collectionPayload('CollectionUpdatePayload', 'Result of `collectionUpdate`.');

builder.mutationField('collectionUpdate', (t) =>
  t.field({
    type: CollectionUpdatePayload,
    description: 'Updates a collection of yours.',
    args: { input: t.arg({ type: CollectionUpdateInput, required: true, description: 'The changes.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...change } }, context, info) => ({
      collection: await context.services.collections.update(
        context.caller,
        uuid,
        change,
        collectionQuery(context, info),
      ),
    }),
  }),
);

const CollectionDeleteInput = builder.inputType('CollectionDeleteInput', {
  description: 'The collection to delete.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

const CollectionDeletePayload = builder.objectRef<{ uuid: string }>('CollectionDeletePayload').implement({
  description: 'Result of `collectionDelete`.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the deleted collection.' }) }),
});

builder.mutationField('collectionDelete', (t) =>
  t.field({
    type: CollectionDeletePayload,
    description: 'Deletes a collection of yours. Its servers stay.',
    args: { input: t.arg({ type: CollectionDeleteInput, required: true, description: 'Selects the collection.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      uuid: await services.collections.remove(caller, input.uuid),
    }),
  }),
);

const CollectionImportInput = builder.inputType('CollectionImportInput', {
  description: 'The collection to import.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of a collection that is public or yours.' }) }),
});

const CollectionImportPayload = builder
  .objectRef<Import & { collection: CollectionRow }>('CollectionImportPayload')
  .implement({
    description: 'Result of `collectionImport`.',
    fields: (t) => ({
      collection: t.field({
        type: Collection,
        description: 'The imported collection.',
        resolve: ({ collection }) => collection,
      }),
      installed: t.exposeInt('installed', { description: 'Number of newly installed servers.' }),
      alreadyInstalled: t.exposeInt('alreadyInstalled', {
        description: 'Number of servers that were already installed.',
      }),
    }),
  });

builder.mutationField('collectionImport', (t) =>
  t.field({
    type: CollectionImportPayload,
    description:
      'Installs in your profile all servers of a collection that you may see. Servers that are already installed stay as they are.',
    args: { input: t.arg({ type: CollectionImportInput, required: true, description: 'Selects the collection.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid } }, context, info) => {
      const { collections } = context.services;
      const done = await collections.importServers(context.caller, uuid);
      return {
        ...done,
        collection: await collections.findImported(context.caller, uuid, collectionQuery(context, info)),
      };
    },
  }),
);
