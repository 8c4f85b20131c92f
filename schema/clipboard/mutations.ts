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
    type: payloadWithEntry('ClipboardSetPayload', 'Result of `clipboardSet`.', 'The entry after the operation.'),
    description: 'Creates or replaces a named entry. An existing entry keeps its uuid and createdAt.',
    args: { input: t.arg({ type: ClipboardSetInput, required: true, description: 'The entry.' }) },
    extensions: { rateLimit: 'clipboard.write' },
    resolve: async (_root, { input }, { caller, services }) => ({
      entry: await services.clipboard.set(caller, withoutNullTtl(input)),
    }),
  }),
);

const ClipboardPushInput = builder.inputType('ClipboardPushInput', {
  description: 'A value to push on the stack.',
  fields: (t) => valueFields(t),
});

builder.mutationField('clipboardPush', (t) =>
  t.field({
    type: payloadWithEntry('ClipboardPushPayload', 'Result of `clipboardPush`.', 'The new entry, at index 0.'),
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
    type: payloadWithEntry('ClipboardPopPayload', 'Result of `clipboardPop`.', 'The entry that was at index 0.'),
    description:
      'Removes the newest entry from the stack and returns it; NOT_FOUND if the stack is empty. If the response is lost, so is the entry.',
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
  description: 'Result of `clipboardDelete`.',
  fields: (t) => ({
    deleted: t.boolean({
      description: 'Whether the entry existed.',
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
    description: 'Deletes one of your entries. A missing entry is not an error.',
    args: { input: t.arg({ type: ClipboardEntrySelector, required: true, description: 'Selects the entry.' }) },
    extensions: { rateLimit: 'clipboard.delete' },
    resolve: async (_root, { input }, { caller, services }) => ({
      deletedUuid: await services.clipboard.remove(caller, input),
    }),
  }),
);

const ClipboardClearPayload = builder.objectRef<{ deletedCount: number }>('ClipboardClearPayload').implement({
  description: 'Result of `clipboardClear`.',
  fields: (t) => ({
    deletedCount: t.exposeInt('deletedCount', {
      description: 'Number of deleted entries. Expired entries are not counted.',
    }),
  }),
});

builder.mutationField('clipboardClear', (t) =>
  t.field({
    type: ClipboardClearPayload,
    description: 'Deletes all entries of your profile. Irreversible.',
    extensions: { rateLimit: 'clipboard.delete' },
    resolve: async (_root, _args, { caller, services }) => ({ deletedCount: await services.clipboard.clear(caller) }),
  }),
);

/** An explicit null is not a lifetime: it is passed on, so that the service can reject it by name. */
const withoutNullTtl = <Input extends { ttlSeconds?: number | null | undefined }>(input: Input) =>
  input as Omit<Input, 'ttlSeconds'> & { ttlSeconds?: number };
