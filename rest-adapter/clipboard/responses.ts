import { z } from 'zod';
import { encodings, visibilities } from '../../src/clipboard/input.ts';
import { namedObject } from '../schema.ts';

const timestamp = z.iso.datetime().describe('ISO 8601, UTC, milliseconds.');

/** Source: docs/specification/clipboard.md#entries. Absent values are explicit nulls. */
const ClipboardEntryBody = namedObject('ClipboardEntry', {
  uuid: z.uuid(),
  name: z.string().nullable().describe('Name of a named entry; null for an entry of the stack.'),
  idx: z.int().nullable().describe('Index in the stack; 0 is the newest entry. Null for a named entry.'),
  value: z.string(),
  contentType: z.string().describe('MIME type.'),
  encoding: z.enum(encodings),
  sizeBytes: z.int().describe('Bytes of the value in UTF-8.'),
  visibility: z.enum(visibilities),
  createdByTool: z.string().nullable(),
  createdByModel: z.string().nullable(),
  source: z.enum(['ui', 'sdk', 'mcp']).describe('Set by the platform.'),
  createdAt: timestamp,
  updatedAt: timestamp,
  expiresAt: timestamp,
});

/** A pop shows no expiry: the entry is gone. */
const PoppedEntryBody = ClipboardEntryBody.omit({ expiresAt: true }).meta({ id: 'PoppedClipboardEntry' });

const success = z.literal(true);

export const entryResponse = z.strictObject({ success, entry: ClipboardEntryBody });
export const popResponse = z.strictObject({ success, entry: PoppedEntryBody });
export const deleteResponse = z.strictObject({ success, deleted: z.boolean() });
export const clearResponse = z.strictObject({ success, deletedCount: z.int() });
export const clearAllResponse = clearResponse
  .extend({ deleted: z.int().describe('The same number as `count`.') })
  .strict();
export const listResponse = z.strictObject({
  success,
  entries: z.array(ClipboardEntryBody),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});
