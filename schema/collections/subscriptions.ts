import type { CollectionEvent } from '../../src/collections/index.ts';
import { isApiError } from '../../src/platform/errors.ts';
import { builder } from '../builder.ts';
import { rowQuery } from '../connection.ts';
import { Collection } from './collection.ts';

const ChangeKind = builder.enumType('CollectionChangeKind', {
  description: 'Kind of a change of a collection.',
  values: {
    CREATED: { description: 'The collection was created.' },
    UPDATED: { description: 'The collection was updated.' },
    DELETED: { description: 'The object was removed.' },
  } as const,
});

const Change = builder.objectRef<CollectionEvent>('CollectionChange').implement({
  description: 'A change of one of your collections.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ChangeKind, description: 'Kind of the change.' }),
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the collection.' }),
    collection: t.field({
      type: Collection,
      nullable: true,
      description: 'The current collection; null if it was deleted.',
      resolve: async ({ uuid }, _args, context, info) => {
        const query = rowQuery(context, info, 'Collection');
        return context.services.collections.find(context.caller, uuid, query).catch((error: unknown) => {
          if (isApiError(error) && error.code === 'NOT_FOUND') return null;
          throw error;
        });
      },
    }),
  }),
});

builder.subscriptionField('collectionChanged', (t) =>
  t.field({
    type: Change,
    description: 'Every change of the collections of your profile from now on, from all clients and APIs.',
    extensions: { rateLimit: 'general' },
    subscribe: (_root, _args, { caller, services }) => services.collections.changed(caller),
    resolve: (change) => change,
  }),
);
