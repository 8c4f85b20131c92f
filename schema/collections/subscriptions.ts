import { queryFromInfo } from '@pothos/plugin-prisma';
import type { CollectionNews } from '../../src/collections/index.ts';
import { isRefusal } from '../../src/platform/errors.ts';
import { builder } from '../builder.ts';
import { rowColumns } from '../connection.ts';
import { Collection } from './collection.ts';

const ChangeKind = builder.enumType('CollectionChangeKind', {
  description: 'What happened to a collection.',
  values: {
    CREATED: { description: 'It was made.' },
    UPDATED: { description: 'Something of it was changed.' },
    DELETED: { description: 'It is gone.' },
  } as const,
});

const Change = builder.objectRef<CollectionNews>('CollectionChange').implement({
  description: 'A change of one of your collections.',
  fields: (t) => ({
    kind: t.field({ type: ChangeKind, description: 'What happened.', resolve: ({ kind }) => kind }),
    uuid: t.expose('uuid', { type: 'UUID', description: 'Which collection.' }),
    collection: t.field({
      type: Collection,
      nullable: true,
      description: 'The collection as it stands when you are told; null when it is gone.',
      resolve: async ({ uuid }, _args, context, info) => {
        const query = queryFromInfo({ context, info, typeName: 'Collection', select: rowColumns });
        return context.services.collections.find(context.caller, uuid, query).catch((error: unknown) => {
          if (isRefusal(error) && error.code === 'NOT_FOUND') return null;
          throw error;
        });
      },
    }),
  }),
});

builder.subscriptionField('collectionChanged', (t) =>
  t.field({
    type: Change,
    description: 'Every change of the collections of your profile from now on, by whomever and through whichever door.',
    extensions: { rateLimit: 'general' },
    subscribe: (_root, _args, { caller, services }) => services.collections.changed(caller),
    resolve: (change) => change,
  }),
);
