import { z } from 'zod';
import { encodings, visibilities } from '../../src/clipboard/input.ts';

const timestamp = z.iso.datetime().describe('ISO 8601, UTC, milliseconds.');

/** Source: docs/specification/clipboard.md#entries. Absent values are explicit nulls. */
const ClipboardEntryBody = z
  .object({
    uuid: z.uuid(),
    name: z.string().nullable().describe('The name of a named entry; null on the stack.'),
    idx: z.int().nullable().describe('The place in the stack, 0 the newest; null on a named entry.'),
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
  })
  .strict()
  .meta({ id: 'ClipboardEntry' });

/** A pop shows no expiry: the entry is gone. */
const PoppedEntryBody = ClipboardEntryBody.omit({ expiresAt: true }).meta({ id: 'PoppedClipboardEntry' });

const success = z.literal(true);

export const entryAnswer = z.object({ success, entry: ClipboardEntryBody }).strict();
export const popAnswer = z.object({ success, entry: PoppedEntryBody }).strict();
export const deleteAnswer = z.object({ success, deleted: z.boolean() }).strict();
export const clearAnswer = z.object({ success, deletedCount: z.int() }).strict();
export const clearAllAnswer = clearAnswer.extend({ deleted: z.int().describe('The same number.') }).strict();
export const listAnswer = z
  .object({ success, entries: z.array(ClipboardEntryBody), total: z.int(), limit: z.int(), offset: z.int() })
  .strict();
