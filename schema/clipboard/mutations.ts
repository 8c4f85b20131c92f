import type { ClipboardEntry } from '../../src/clipboard/index.ts';
import { valueBytesMax } from '../../src/clipboard/input.ts';
import { readForAnswer } from '../answer-budget.ts';
import { builder, type InputFieldBuilder } from '../builder.ts';
import { ClipboardEncoding, ClipboardEntryRef, ClipboardVisibility } from './entry.ts';
import { ClipboardEntrySelector } from './queries.ts';

const payloadWithEntry = (name: string, description: string, ofEntry: string) =>
  builder.objectRef<{ entry: ClipboardEntry }>(name).implement({
    description,
    fields: (t) => ({
      entry: t.field({ type: ClipboardEntryRef, description: ofEntry, resolve: ({ entry }) => entry }),
    }),
  });

/** What a value may come with, whether it gets a name or a place in the stack. */
const valueFields = (t: InputFieldBuilder) => ({
  value: t.string({ required: true, description: 'The content: at most 2 097 152 bytes in UTF-8. May be empty.' }),
  contentType: t.string({ description: 'The MIME type, at most 255 characters; `text/plain` by default.' }),
  encoding: t.field({ type: ClipboardEncoding, description: 'UTF_8 by default.' }),
  visibility: t.field({ type: ClipboardVisibility, description: 'PRIVATE by default.' }),
  createdByTool: t.string({ description: 'The MCP tool that writes it, at most 255 characters.' }),
  createdByModel: t.string({ description: 'The AI model that writes it, at most 255 characters.' }),
  ttlSeconds: t.int({ description: 'Lifetime in seconds: 1 to 2 592 000 (30 days); 86 400 if left out.' }),
});

const ClipboardSetInput = builder.inputType('ClipboardSetInput', {
  description: 'A named entry to create or replace.',
  fields: (t) => ({
    name: t.string({ required: true, description: '1 to 255 letters, digits, underscores and hyphens.' }),
    ...valueFields(t),
  }),
});

builder.mutationField('clipboardSet', (t) =>
  t.field({
    type: payloadWithEntry('ClipboardSetPayload', 'What `clipboardSet` did.', 'The entry as it now stands.'),
    description: 'Creates or replaces a named entry. A live one keeps its uuid and createdAt; the rest is replaced.',
    args: { input: t.arg({ type: ClipboardSetInput, required: true, description: 'The entry.' }) },
    extensions: { rateLimit: 'clipboard.write' },
    resolve: async (_root, { input }, { caller, services }) => ({
      entry: await services.clipboard.set(caller, withoutNullTtl(input)),
    }),
  }),
);

const ClipboardPushInput = builder.inputType('ClipboardPushInput', {
  description: 'A value for the top of the stack.',
  fields: (t) => valueFields(t),
});

builder.mutationField('clipboardPush', (t) =>
  t.field({
    type: payloadWithEntry('ClipboardPushPayload', 'What `clipboardPush` did.', 'The new entry, at index 0.'),
    description: 'Pushes a value on the stack; it becomes index 0 and every other index grows by one.',
    args: { input: t.arg({ type: ClipboardPushInput, required: true, description: 'The value.' }) },
    extensions: { rateLimit: 'clipboard.write' },
    resolve: async (_root, { input }, { caller, services }) => ({
      entry: await services.clipboard.push(caller, withoutNullTtl(input)),
    }),
  }),
);

builder.mutationField('clipboardPop', (t) =>
  t.field({
    type: payloadWithEntry('ClipboardPopPayload', 'What `clipboardPop` did.', 'The entry that was at index 0.'),
    description:
      'Takes the newest entry off the stack; NOT_FOUND on an empty one. At most once: a lost answer is a lost entry.',
    extensions: { rateLimit: 'clipboard.delete' },
    resolve: async (_root, _args, { caller, services }, info) => {
      const bytesOf = ({ sizeBytes }: ClipboardEntry) => sizeBytes;
      // Refused before an entry is taken that the answer could not hold.
      const pop = () => services.clipboard.pop(caller);
      return { entry: await readForAnswer(info, { bytesMax: valueBytesMax, bytesOf }, pop) };
    },
  }),
);

const ClipboardDeletePayload = builder.objectRef<{ deletedUuid: string | null }>('ClipboardDeletePayload').implement({
  description: 'What `clipboardDelete` did.',
  fields: (t) => ({
    deleted: t.boolean({
      description: 'Whether there was such an entry.',
      resolve: ({ deletedUuid }) => deletedUuid !== null,
    }),
    deletedUuid: t.expose('deletedUuid', {
      type: 'UUID',
      nullable: true,
      description: 'The uuid of the deleted entry.',
    }),
  }),
});

builder.mutationField('clipboardDelete', (t) =>
  t.field({
    type: ClipboardDeletePayload,
    description: 'Deletes one of your entries. One that does not exist is no error.',
    args: { input: t.arg({ type: ClipboardEntrySelector, required: true, description: 'Which entry.' }) },
    extensions: { rateLimit: 'clipboard.delete' },
    resolve: async (_root, { input }, { caller, services }) => ({
      deletedUuid: await services.clipboard.remove(caller, input),
    }),
  }),
);

const ClipboardClearPayload = builder.objectRef<{ deletedCount: number }>('ClipboardClearPayload').implement({
  description: 'What `clipboardClear` did.',
  fields: (t) => ({ deletedCount: t.exposeInt('deletedCount', { description: 'How many live entries went.' }) }),
});

builder.mutationField('clipboardClear', (t) =>
  t.field({
    type: ClipboardClearPayload,
    description: 'Deletes all entries of your profile. Irreversible.',
    extensions: { rateLimit: 'clipboard.delete' },
    resolve: async (_root, _args, { caller, services }) => ({ deletedCount: await services.clipboard.clear(caller) }),
  }),
);

/** An explicit null is no lifetime: it stays as it came, so that the service can refuse it by name. */
const withoutNullTtl = <Input extends { ttlSeconds?: number | null | undefined }>(input: Input) =>
  input as Omit<Input, 'ttlSeconds'> & { ttlSeconds?: number };
