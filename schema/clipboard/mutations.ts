import type { ClipboardEntry } from '../../src/clipboard/index.ts';
import { valueBytesMax } from '../../src/clipboard/input.ts';
import type { InputFieldBuilder } from '../builder.ts';
import { mutation } from '../mutation.ts';
import { readForResponse } from '../response-budget.ts';
import { ClipboardEncoding, ClipboardEntryRef, ClipboardVisibility } from './entry.ts';
import { ClipboardEntrySelector } from './queries.ts';

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

mutation('clipboardSet', {
  description: 'Creates or replaces a named entry. An existing entry keeps its uuid and createdAt.',
  rateLimit: 'clipboard.write',
  input: {
    description: 'A named entry to create or replace.',
    argument: 'The entry.',
    fields: (t) => ({
      name: t.string({ required: true, description: '1 to 255 letters, digits, underscores and hyphens.' }),
      ...valueFields(t),
    }),
  },
  payload: { entry: { type: ClipboardEntryRef, description: 'The entry after the operation.' } },
  resolve: async (input, { caller, services }) => ({
    entry: await services.clipboard.set(caller, withoutNullTtl(input)),
  }),
});

mutation('clipboardPush', {
  description: 'Pushes a value on the stack; it becomes index 0 and every other index grows by one.',
  rateLimit: 'clipboard.write',
  input: {
    description: 'A value to push on the stack.',
    argument: 'The value.',
    fields: (t) => valueFields(t),
  },
  payload: { entry: { type: ClipboardEntryRef, description: 'The new entry, at index 0.' } },
  resolve: async (input, { caller, services }) => ({
    entry: await services.clipboard.push(caller, withoutNullTtl(input)),
  }),
});

mutation('clipboardPop', {
  description:
    'Removes the newest entry from the stack and returns it; NOT_FOUND if the stack is empty. If the response is lost, so is the entry.',
  rateLimit: 'clipboard.delete',
  payload: { entry: { type: ClipboardEntryRef, description: 'The entry that was at index 0.' } },
  resolve: async (_none, { caller, services }, info) => {
    const bytesOf = ({ sizeBytes }: ClipboardEntry) => sizeBytes;
    // Refused before an entry is taken that the response could not hold.
    const pop = () => services.clipboard.pop(caller);
    return { entry: await readForResponse(info, { bytesMax: valueBytesMax, bytesOf }, pop) };
  },
});

mutation('clipboardDelete', {
  description: 'Deletes one of your entries. A missing entry is not an error.',
  rateLimit: 'clipboard.delete',
  input: { type: ClipboardEntrySelector, description: 'Selects the entry.' },
  payload: {
    deleted: { type: 'Boolean', description: 'Whether the entry existed.' },
    deletedUuid: { type: 'UUID', nullable: true, description: 'The uuid of the deleted entry.' },
  },
  resolve: async (input, { caller, services }) => {
    const deletedUuid = await services.clipboard.remove(caller, input);
    return { deleted: deletedUuid !== null, deletedUuid };
  },
});

mutation('clipboardClear', {
  description: 'Deletes all entries of your profile. Irreversible.',
  rateLimit: 'clipboard.delete',
  payload: {
    deletedCount: { type: 'Int', description: 'Number of deleted entries. Expired entries are not counted.' },
  },
  resolve: async (_none, { caller, services }) => ({ deletedCount: await services.clipboard.clear(caller) }),
});

/** An explicit null is not a lifetime: it is passed on, so that the service can reject it by name. */
const withoutNullTtl = <Input extends { ttlSeconds?: number | null | undefined }>(input: Input) =>
  input as Omit<Input, 'ttlSeconds'> & { ttlSeconds?: number };
