import type { ClipboardChange } from '../../src/clipboard/index.ts';
import { builder } from '../builder.ts';
import { ClipboardEntryRef } from './entry.ts';
import { loadEntry } from './entry-loader.ts';

const ChangeKind = builder.enumType('ClipboardChangeKind', {
  description: 'What happened.',
  values: {
    SET: { description: 'A name was created or replaced.' },
    PUSHED: { description: 'A value came on top of the stack.' },
    POPPED: { description: 'The top of the stack was taken.' },
    DELETED: { description: 'One entry was deleted.' },
    CLEARED: { description: 'All entries were deleted.' },
    EXPIRED: { description: 'An entry had expired and was swept away.' },
  } as const,
});

const Change = builder.objectRef<ClipboardChange>('ClipboardChange').implement({
  description: 'A change of your clipboard.',
  fields: (t) => ({
    kind: t.field({ type: ChangeKind, description: 'What happened.', resolve: ({ kind }) => kind }),
    uuid: t.expose('uuid', { type: 'UUID', nullable: true, description: 'The entry; null when all were cleared.' }),
    name: t.exposeString('name', { nullable: true, description: 'Its name; null for an entry of the stack.' }),
    count: t.exposeInt('count', { description: 'How many entries it was: 1, or the number cleared.' }),
    at: t.field({ type: 'DateTime', description: 'When it happened.', resolve: ({ at }) => new Date(at) }),
    entry: t.field({
      type: ClipboardEntryRef,
      nullable: true,
      description: 'The entry as it stands when you are told; null when it is gone.',
      resolve: ({ uuid }, _args, context, info) => (uuid === null ? null : loadEntry(context, info, uuid)),
    }),
  }),
});

builder.subscriptionField('clipboardChanged', (t) =>
  t.field({
    type: Change,
    description: 'Every change of your clipboard from now on, by whomever and through whichever door.',
    extensions: { rateLimit: 'clipboard.read' },
    subscribe: (_root, _args, { caller, services }) => services.clipboard.changed(caller),
    resolve: (change) => change,
  }),
);
