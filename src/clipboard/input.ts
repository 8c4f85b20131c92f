import { z } from 'zod';
import { integerBetween, line, oneOf, storableText, upTo, whenValid } from '../platform/input/input.ts';

/** Bytes of a value in UTF-8, inclusive: 2 MB. Source: docs/specification/clipboard.md#constraints. */
export const valueBytesMax = 2_097_152;
/** 24 hours by default, at most 30 days. Source: docs/specification/clipboard.md#constraints. */
const ttlSecondsDefault = 86_400;
const ttlSecondsMax = 2_592_000;
/** Entries of one page over REST. Source: docs/specification/clipboard.md#list. */
const pageEntriesMax = 1_000;
/** A page ends when its values reach this many bytes: a thousand entries of 2 MB would be 2 GB. */
export const pageBytesMax = 8 * 1024 * 1024;

/** A page also ends when its values reach this many bytes as JSON, where a control character has six. */
export const pageJsonBytesMax = 16 * 1024 * 1024;

/** Entries, and bytes of their values, that can be read by their ids at once. */
export const foundEntriesMax = 100;
export const foundBytesMax = 16 * 1024 * 1024;

export const encodings = ['utf-8', 'base64', 'hex'] as const;
export const visibilities = ['private', 'workspace', 'public'] as const;
export type Encoding = (typeof encodings)[number];
export type Visibility = (typeof visibilities)[number];

const int32Max = 2_147_483_647;
const lineMax = 255;

const oneOfOrDefault = <const Values extends readonly [string, ...string[]]>(
  field: string,
  values: Values,
  fallback: Values[number],
) =>
  oneOf(field, values)
    .nullish()
    .transform((value) => value ?? (fallback as Values[number]));

const namePattern = /^[A-Za-z0-9_-]+$/;

/** 1 to 255 of A-Z, a-z, 0-9, underscore and hyphen. Source: docs/specification/clipboard.md#constraints. */
const EntryName = z
  .string({ error: (issue) => (issue.input === undefined ? 'name is required' : 'name must be a string') })
  .min(1, 'name must be 1 to 255 characters')
  .max(255, 'name must be 1 to 255 characters')
  .refine(
    upTo(255, (name) => namePattern.test(name)),
    'name may hold only letters, digits, underscore and hyphen',
  )
  .meta({ pattern: namePattern.source });

/** A place in the stack; 0 is the newest. */
const EntryIndex = integerBetween('idx', 0, int32Max);

const entryFields = {
  value: storableText('value'),
  contentType: line('contentType', lineMax)
    .nullish()
    .transform((value) => value ?? 'text/plain'),
  encoding: oneOfOrDefault('encoding', encodings, 'utf-8'),
  visibility: oneOfOrDefault('visibility', visibilities, 'private'),
  createdByTool: line('createdByTool', lineMax).nullish(),
  createdByModel: line('createdByModel', lineMax).nullish(),
  ttlSeconds: integerBetween('ttlSeconds', 1, ttlSecondsMax)
    .nullish()
    .transform((seconds) => seconds ?? ttlSecondsDefault),
};

/** The text must be what its encoding says, in the one canonical spelling, so that every reader decodes the same bytes. */
function inItsEncoding(entry: { value: string; encoding: Encoding }, context: z.RefinementCtx): void {
  // Too long is its own error; decoding megabytes to find a second fault would only cost.
  if (entry.value.length > valueBytesMax) return;
  if (entry.encoding === 'base64' && Buffer.from(entry.value, 'base64').toString('base64') !== entry.value)
    context.addIssue({ code: 'custom', path: ['value'], message: 'value must be canonical base64 (RFC 4648, padded)' });
  if (entry.encoding === 'hex' && (entry.value.length % 2 !== 0 || /[^0-9a-fA-F]/.test(entry.value)))
    context.addIssue({
      code: 'custom',
      path: ['value'],
      message: 'value must be an even number of hexadecimal digits',
    });
}

/** What POST /api/clipboard takes. */
export const NewNamedEntry = z
  .object({ name: EntryName, ...entryFields })
  .superRefine(inItsEncoding, whenValid('value', 'encoding'));
/** What POST /api/clipboard/push takes. */
export const NewStackEntry = z.object(entryFields).superRefine(inItsEncoding, whenValid('value', 'encoding'));

/** Exactly one of name and idx; null counts as absent. */
export const EntrySelector = z
  .object({
    name: EntryName.nullish().describe('Name of a named entry.'),
    idx: EntryIndex.nullish().describe('Index in the stack; 0 is the newest entry.'),
  })
  .superRefine(exactlyOne, whenValid('name', 'idx'));

function exactlyOne(
  selector: { name?: string | null | undefined; idx?: number | null | undefined },
  context: z.RefinementCtx,
): void {
  const given = (selector.name ?? null) !== null;
  if (given !== ((selector.idx ?? null) !== null)) return;
  const message = given ? 'provide either name or idx, not both' : 'either name or idx is required';
  context.addIssue({ code: 'custom', path: ['name'], message });
}

const filterFields = {
  contentType: line('contentType', lineMax).nullish().describe('Only entries of exactly this content type.'),
};

/** What a list, its pages and its count have in common. */
export const EntryFilter = z.object(filterFields);
export type EntryFilter = z.output<typeof EntryFilter>;

/** A page by offset, for REST. */
export const PageRequest = z.object({
  limit: integerBetween('limit', 1, pageEntriesMax)
    .default(pageEntriesMax)
    .describe('Number of entries: 1 to 1000, 1000 by default.'),
  offset: integerBetween('offset', 0, int32Max).default(0).describe('Number of entries to skip, 0 by default.'),
  ...filterFields,
});

/** A page after a cursor, for the graph. */
export const ConnectionRequest = z.object({
  first: integerBetween('first', 0, 100)
    .nullish()
    .transform((first) => first ?? 20),
  after: z.string().max(200, 'after is not a cursor of this list').nullish(),
  ...filterFields,
});
