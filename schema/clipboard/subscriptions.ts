import type { ClipboardChange } from '../../src/clipboard/index.ts';
import { builder } from '../builder.ts';
import { optional, optionalUuid } from '../optional.ts';
import { ClipboardEntryRef } from './entry.ts';
import { loadEntry } from './entry-loader.ts';

const ChangeKind = builder.enumType('ClipboardChangeKind', {
  description: 'Kind of the change.',
  values: {
    SET: { description: 'A named entry was created or replaced.' },
    PUSHED: { description: 'A value was pushed on the stack.' },
    POPPED: { description: 'The newest entry was popped off the stack.' },
    DELETED: { description: 'One entry was deleted.' },
    CLEARED: { description: 'All entries were deleted.' },
    EXPIRED: { description: 'An expired entry was removed.' },
  } as const,
});

const Change = builder.objectRef<ClipboardChange>('ClipboardChange').implement({
  description: 'A change of your clipboard.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ChangeKind, description: 'Kind of the change.' }),
    uuid: t.expose('uuid', optionalUuid('UUID of the entry; null if all entries were cleared.')),
    name: t.exposeString('name', optional('Name of the entry; null for an entry of the stack.')),
    count: t.exposeInt('count', { description: 'Number of changed entries: 1, or the number of cleared entries.' }),
    at: t.field({ type: 'DateTime', description: 'Time of the change.', resolve: ({ at }) => new Date(at) }),
    entry: t.field({
      type: ClipboardEntryRef,
      nullable: true,
      description: 'The current entry; null if it was removed.',
      resolve: ({ uuid }, _args, context, info) => (uuid === null ? null : loadEntry(context, info, uuid)),
    }),
  }),
});

builder.subscriptionField('clipboardChanged', (t) =>
  t.field({
    type: Change,
    description: 'Every change of your clipboard from now on, from all clients and APIs.',
    extensions: { rateLimit: 'clipboard.read' },
    subscribe: (_root, _args, { caller, services }) => services.clipboard.changed(caller),
    resolve: (change) => change,
  }),
);
