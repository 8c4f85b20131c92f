import { z } from 'zod';
import { EntrySelector, NewNamedEntry, NewStackEntry, PageRequest } from '../../src/clipboard/input.ts';
import { ApiError } from '../../src/platform/errors.ts';
import { clipboardErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Reference, type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

/** A value of 2 MB in which every character is escaped (`\u0001`) is 12.6 MB of JSON: our own error answers first. */
const bodyBytesMax = 13_500_000;

const shared = { tag: 'Clipboard', access: 'caller', errors: clipboardErrors } as const;

/** Asking to delete one and to delete all contradict each other. */
const SelectorWithoutClear = EntrySelector.and(
  z.object({ clearAll: z.literal(false, 'clearAll excludes name and idx').nullish() }),
);

/** The documented paths of the clipboard. Source: docs/specification/clipboard.md. */
export const clipboardRoutes: readonly Route[] = [
  route('GET /api/clipboard', {
    ...shared,
    when: ({ query }) => 'name' in query || 'idx' in query,
    reference: reference.readEntry,
    operation: operations.GetClipboardEntryDocument,
    query: EntrySelector,
    variables: ({ query }) => ({ by: selector(query) }),
    body: ({ clipboardEntry }) => ({ success: true, entry: entryBody(found(clipboardEntry)) }),
    response: responses.entryResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('GET /api/clipboard', {
    ...shared,
    reference: reference.listEntries,
    operation: operations.ListClipboardEntriesDocument,
    query: PageRequest,
    variables: ({ query }) => query,
    body: ({ clipboardEntryPage: { entries, total, limit, offset } }) => ({
      success: true,
      entries: entries.map(entryBody),
      total,
      limit,
      offset,
    }),
    response: responses.listResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('GET /api/clipboard/entries/:uuid', {
    ...shared,
    reference: reference.readEntryByUuid,
    operation: operations.GetClipboardEntryByUuidDocument,
    variables: ({ params }) => ({ uuid: params.uuid }),
    body: ({ clipboardEntryByUuid }) => ({ success: true, entry: entryBody(found(clipboardEntryByUuid)) }),
    response: responses.entryResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/clipboard/get', {
    ...shared,
    reference: reference.getEntry,
    operation: operations.GetClipboardEntryDocument,
    input: EntrySelector,
    variables: ({ body }) => ({ by: selector(body) }),
    body: ({ clipboardEntry }) => ({ success: true, entry: entryBody(found(clipboardEntry)) }),
    response: responses.entryResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/clipboard', {
    ...shared,
    isIdempotent: true,
    reference: reference.setEntry,
    operation: operations.SetClipboardEntryDocument,
    input: NewNamedEntry,
    bodyBytesMax,
    variables: ({ body }) => ({ input: body }),
    body: ({ clipboardSet }) => ({ success: true, entry: entryBody(clipboardSet.entry) }),
    response: responses.entryResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'TOO_LARGE'],
  }),
  route('POST /api/clipboard/push', {
    ...shared,
    isIdempotent: true,
    reference: reference.pushEntry,
    operation: operations.PushClipboardEntryDocument,
    input: NewStackEntry,
    bodyBytesMax,
    variables: ({ body }) => ({ input: body }),
    body: ({ clipboardPush }) => ({ success: true, entry: entryBody(clipboardPush.entry) }),
    response: responses.entryResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'TOO_LARGE'],
  }),
  popRoute('DELETE', reference.popEntry),
  popRoute('POST', reference.popEntryByPost),
  route('DELETE /api/clipboard', {
    ...shared,
    when: ({ body }) => body.clearAll === true && (body.name ?? body.idx ?? null) === null,
    reference: reference.clearEntries,
    operation: operations.ClearClipboardDocument,
    input: z.object({ clearAll: z.literal(true) }),
    variables: () => ({}),
    body: ({ clipboardClear: { deletedCount } }) => ({ success: true, deleted: deletedCount, deletedCount }),
    response: responses.clearAllResponse,
    errorCodes: ['FORBIDDEN'],
  }),
  route('DELETE /api/clipboard', {
    ...shared,
    reference: reference.deleteEntry,
    operation: operations.DeleteClipboardEntryDocument,
    input: SelectorWithoutClear,
    variables: ({ body }) => ({ input: selector(body) }),
    body: ({ clipboardDelete }) => ({ success: true, deleted: clipboardDelete.deleted }),
    response: responses.deleteResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('DELETE /api/clipboard/all', {
    ...shared,
    reference: reference.deleteEntries,
    operation: operations.ClearClipboardDocument,
    variables: () => ({}),
    body: ({ clipboardClear }) => ({ success: true, deletedCount: clipboardClear.deletedCount }),
    response: responses.clearResponse,
    errorCodes: ['FORBIDDEN'],
  }),
];

function popRoute(
  method: 'DELETE' | 'POST',
  reference: Reference<string, z.ZodObject, z.ZodObject, typeof responses.popResponse>,
): Route {
  return route(`${method} /api/clipboard/pop`, {
    ...shared,
    // A pop whose response was lost can be had again (A07).
    isIdempotent: true,
    reference,
    operation: operations.PopClipboardEntryDocument,
    variables: () => ({}),
    body: ({ clipboardPop }) => {
      // The documented response of a pop has no expiry: the entry is gone.
      const { expiresAt: _, ...popped } = entryBody(clipboardPop.entry);
      return { success: true, entry: popped };
    },
    response: responses.popResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  });
}

/** The graph takes exactly one member; null counts as absent. */
const selector = ({ name, idx }: z.output<typeof EntrySelector>) =>
  ((name ?? null) !== null ? { name } : { idx }) as operations.ClipboardEntrySelector;

function found<Entry>(entry: Entry | null): Entry {
  if (entry === null) throw new ApiError('NOT_FOUND', 'Entry not found');
  return entry;
}

const encodingText = { UTF_8: 'utf-8', BASE64: 'base64', HEX: 'hex' } as const;

const entryBody = (entry: operations.ClipboardEntryFieldsFragment) => ({
  uuid: entry.uuid,
  name: entry.name,
  idx: entry.idx,
  value: entry.value,
  contentType: entry.contentType,
  encoding: encodingText[entry.encoding],
  sizeBytes: entry.sizeBytes,
  visibility: entry.visibility.toLowerCase(),
  createdByTool: entry.createdByTool,
  createdByModel: entry.createdByModel,
  source: entry.source.toLowerCase(),
  createdAt: entry.createdAt,
  updatedAt: entry.updatedAt,
  expiresAt: entry.expiresAt,
});
