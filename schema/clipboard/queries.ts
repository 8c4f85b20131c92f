import type { ClipboardEntry, EntryPage } from '../../src/clipboard/index.ts';
import { pageBytesMax, valueBytesMax } from '../../src/clipboard/input.ts';
import type { Connection } from '../../src/platform/input/keyset.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType } from '../connection.ts';
import { query } from '../query.ts';
import { readForResponse } from '../response-budget.ts';
import { asksFor } from '../selection.ts';
import { ClipboardEntryRef } from './entry.ts';
import { loadEntry } from './entry-loader.ts';

export const ClipboardEntrySelector = builder.inputType('ClipboardEntrySelector', {
  description: 'Selects one of your own entries by name or by index.',
  isOneOf: true,
  fields: (t) => ({
    name: t.string({ description: 'The name of a named entry.' }),
    idx: t.int({ description: 'Index in the stack; 0 is the newest entry.' }),
  }),
});

query('clipboardEntry', {
  type: ClipboardEntryRef,
  nullable: true,
  description:
    'One of your own entries; null if it does not exist or has expired. Read shared entries of other profiles with `node`.',
  args: (arg) => ({ by: arg({ type: ClipboardEntrySelector, required: true, description: 'Selects the entry.' }) }),
  extensions: { rateLimit: 'clipboard.read' },
  resolve: (_root, { by }, { caller, services }, info) =>
    readForResponse(info, { bytesMax: valueBytesMax, bytesOf: (entry) => entry?.sizeBytes ?? 0 }, () =>
      services.clipboard.get(caller, by),
    ),
});

query('clipboardEntryByUuid', {
  type: ClipboardEntryRef,
  nullable: true,
  description: 'An entry that is yours or shared with you; otherwise null.',
  args: (arg) => ({
    uuid: arg.string({ required: true, description: 'UUID of the entry. A malformed UUID counts as unknown.' }),
  }),
  extensions: { rateLimit: 'clipboard.read' },
  resolve: (_root, { uuid }, context, info) => loadEntry(context, info, uuid),
});

const EntryConnectionRef = connectionType(
  'ClipboardEntry',
  ClipboardEntryRef,
  'A page of your entries: the stack by index, then the names, newest first. It goes forward only.',
);

/** The filters of each list of entries. */
const filterArgs = () =>
  builder.args((t) => ({ contentType: t.string({ description: 'Only entries of exactly this content type.' }) }));

query('clipboardEntries', {
  type: EntryConnectionRef,
  description: 'Your entries. A page also ends at 8 MB of values, or at 16 MB of them as JSON.',
  args: () => ({ ...connectionArgs(), ...filterArgs() }),
  extensions: { rateLimit: 'clipboard.read' },
  resolve: async (_root, args, { caller, services }, info) => {
    const withValues = asksFor('value', info);
    const read = () => services.clipboard.connection(caller, args, { withValues });
    const bytesOf = ({ edges }: Connection<ClipboardEntry>) => bytesOfValues(edges.map(({ node }) => node));
    const page = await (withValues ? readForResponse(info, { bytesMax: pageBytesMax, bytesOf }, read) : read());
    return { ...page, count: () => services.clipboard.count(caller, args) };
  },
});

const EntryPageRef = builder.objectRef<EntryPage>('ClipboardEntryPage').implement({
  description: 'A page by offset.',
  fields: (t) => ({
    entries: t.expose('entries', { type: [ClipboardEntryRef], description: 'The entries of this page.' }),
    total: t.exposeInt('total', { description: 'Live entries on all pages together.' }),
    limit: t.exposeInt('limit', { description: 'Size of the page that was requested.' }),
    offset: t.exposeInt('offset', { description: 'Number of objects before this page.' }),
  }),
});

query('clipboardEntryPage', {
  type: EntryPageRef,
  description:
    'Your entries by offset, as GET /api/clipboard lists them. A page also ends at 8 MB of values, or at 16 MB of them as JSON.',
  args: (arg) => ({
    limit: arg.int({ defaultValue: 1000, description: '1 to 1000.' }),
    offset: arg.int({ defaultValue: 0, description: 'Number of objects to skip.' }),
    ...filterArgs(),
  }),
  extensions: { rateLimit: 'clipboard.read' },
  resolve: (_root, { limit, offset, ...filter }, { caller, services }, info) => {
    const withValues = asksFor('value', info);
    const request = { limit: limit ?? undefined, offset: offset ?? undefined, ...filter };
    const read = () => services.clipboard.page(caller, request, { withValues });
    const bytesOf = ({ entries }: EntryPage) => bytesOfValues(entries);
    return withValues ? readForResponse(info, { bytesMax: pageBytesMax, bytesOf }, read) : read();
  },
});

const bytesOfValues = (entries: readonly ClipboardEntry[]): number =>
  entries.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
