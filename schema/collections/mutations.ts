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
        description: 'The collection as it is now.',
        resolve: ({ collection }) => collection,
      }),
    }),
  });

const descriptions = {
  name: '1 to 200 characters.',
  description: 'What it is for: at most 2 000 characters.',
  serverUuids: 'The servers in their order: at most 500, each public or yours.',
  isPublic: 'Whether everybody may see it, with those of its servers that everybody may see.',
} as const;

const CollectionCreateInput = builder.inputType('CollectionCreateInput', {
  description: 'A collection.',
  fields: (t) => ({
    name: t.string({ required: true, description: descriptions.name }),
    description: t.string({ description: descriptions.description }),
    serverUuids: t.stringList({ description: descriptions.serverUuids }),
    isPublic: t.boolean({ description: `${descriptions.isPublic} False if left out.` }),
    profileUuid: t.string({ description: 'Your own profile, which is also what is meant when it is left out.' }),
  }),
});

const CollectionCreatePayload = collectionPayload('CollectionCreatePayload', 'What `collectionCreate` did.');

builder.mutationField('collectionCreate', (t) =>
  t.field({
    type: CollectionCreatePayload,
    description: 'Makes a collection in your profile. At most 200 in a profile.',
    args: { input: t.arg({ type: CollectionCreateInput, required: true, description: 'The collection.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => ({
      collection: await context.services.collections.create(context.caller, input, collectionQuery(context, info)),
    }),
  }),
);

const CollectionUpdateInput = builder.inputType('CollectionUpdateInput', {
  description: 'What to change; the rest stays, and null empties the description and the list.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Which collection.' }),
    name: t.string({ description: descriptions.name }),
    description: t.string({ description: descriptions.description }),
    serverUuids: t.stringList({ description: `${descriptions.serverUuids} Takes the place of the whole list.` }),
    isPublic: t.boolean({ description: descriptions.isPublic }),
  }),
});

const CollectionUpdatePayload = collectionPayload('CollectionUpdatePayload', 'What `collectionUpdate` did.');

builder.mutationField('collectionUpdate', (t) =>
  t.field({
    type: CollectionUpdatePayload,
    description: 'Changes a collection of yours.',
    args: { input: t.arg({ type: CollectionUpdateInput, required: true, description: 'What to change.' }) },
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
  fields: (t) => ({ uuid: t.string({ required: true, description: 'Its uuid.' }) }),
});

const CollectionDeletePayload = builder.objectRef<{ uuid: string }>('CollectionDeletePayload').implement({
  description: 'What `collectionDelete` did.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'The collection that is gone.' }) }),
});

builder.mutationField('collectionDelete', (t) =>
  t.field({
    type: CollectionDeletePayload,
    description: 'Deletes a collection of yours. Its servers stay.',
    args: { input: t.arg({ type: CollectionDeleteInput, required: true, description: 'Which collection.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      uuid: await services.collections.remove(caller, input.uuid),
    }),
  }),
);

const CollectionImportInput = builder.inputType('CollectionImportInput', {
  description: 'The collection to import.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'Its uuid: a public one, or yours.' }) }),
});

const CollectionImportPayload = builder
  .objectRef<Import & { collection: CollectionRow }>('CollectionImportPayload')
  .implement({
    description: 'What `collectionImport` did.',
    fields: (t) => ({
      collection: t.field({
        type: Collection,
        description: 'The collection. Its servers are installed in your profile now.',
        resolve: ({ collection }) => collection,
      }),
      installed: t.exposeInt('installed', { description: 'How many servers were installed.' }),
      alreadyInstalled: t.exposeInt('alreadyInstalled', { description: 'How many had been installed before.' }),
    }),
  });

builder.mutationField('collectionImport', (t) =>
  t.field({
    type: CollectionImportPayload,
    description:
      'Installs in your profile all servers of a collection that you may see. A second time changes nothing.',
    args: { input: t.arg({ type: CollectionImportInput, required: true, description: 'Which collection.' }) },
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
