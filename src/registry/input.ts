import { z } from 'zod';
import { instantMessage, integerBetween, listOf, oneOf, storableText, trueOrFalse } from '../platform/input/input.ts';

/** How a submitted server is used. Source: docs/specification/registry.md#submit. */
export const transports = ['stdio', 'sse', 'http'] as const;
/** Source: docs/specification/search.md#search. */
export const packageTypes = ['npm', 'docker', 'pypi'] as const;
export type PackageType = (typeof packageTypes)[number];
/** Source: docs/specification/registry.md#review. */
export const submissionStatuses = ['pending', 'accepted', 'rejected'] as const;

const variablesMax = 100;
/** Source: the official registry, `statusMessage`. */
const messageMax = 500;

const repository = storableText('repository')
  .min(1, 'repository must not be empty')
  .max(500, 'repository must be at most 500 characters');

/** POSIX 8.1: names of an environment. */
function variableName(field: string) {
  const error = `${field} must be a list of names such as API_KEY`;
  return storableText(field)
    .max(255, { error, abort: true })
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, error);
}

const fieldsOf = (names: { packageType: string; environmentVariables: string }) => ({
  packageType: oneOf(names.packageType, packageTypes).nullish(),
  transport: listOf('transport', oneOf('each of transport', transports), {
    of: transports.join(', '),
    min: 1,
    max: transports.length,
  })
    .nullish()
    .transform((given) => [...new Set(given ?? (['stdio'] as const))]),
  environmentVariables: listOf(names.environmentVariables, variableName(names.environmentVariables), {
    of: 'strings',
    max: variablesMax,
  })
    .nullish()
    .transform((given) => [...new Set(given ?? [])]),
});

const graphNames = { packageType: 'packageType', environmentVariables: 'environmentVariables' };
const bodyNames = fieldsOf({ packageType: 'package_type', environmentVariables: 'environment_variables' });

/** Source: docs/specification/registry.md#submit. */
export const NewSubmission = z.object({ repository, ...fieldsOf(graphNames) });

/** The same as the specification spells it. */
export const NewSubmissionBody = z.object({
  repository,
  transport: bodyNames.transport,
  package_type: bodyNames.packageType,
  environment_variables: bodyNames.environmentVariables,
});

const message = (field: string) =>
  storableText(field)
    .trim()
    .min(1, `${field} must not be empty`)
    .max(messageMax, `${field} must be at most ${messageMax} characters`);

/** The revision that an administrator has reviewed. */
export const Seen = z.object({
  digest: z
    .string({ error: 'digest must be the `digest` of the submission: 64 hexadecimal digits' })
    .max(64, { error: 'digest must be the `digest` of the submission: 64 hexadecimal digits', abort: true })
    .regex(/^[0-9a-f]{64}$/, 'digest must be the `digest` of the submission: 64 hexadecimal digits'),
});
export const Reason = z.object({ reason: message('reason') });
export const StatusMessage = z.object({ message: message('message') });

const cursorPattern = /^[0-9a-z]{1,13}$/;

/** A place in the feed as clients carry it around: they are not to count with it. */
export const cursorOf = (seq: bigint | string | number): string =>
  Buffer.from(BigInt(seq).toString(36)).toString('base64url');

function placeOf(cursor: string): string | null {
  const text = Buffer.from(cursor.slice(0, 100), 'base64url').toString();
  if (!cursorPattern.test(text) || Buffer.from(text).toString('base64url') !== cursor) return null;
  const place = [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  return place <= 9_223_372_036_854_775_807n ? String(place) : null;
}

/** RFC 3339, 5.6; seconds and a zone are part of it. */
const instantPattern = /^(\d{4})-(\d{2})-(\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Characters: longer than any instant, so that a longer text is none. */
const instantMax = 64;

const rowsMax = 100;

function instantOf(text: string): Date | null {
  const [, year, month, day] = instantPattern.exec(text.slice(0, instantMax))?.map(Number) ?? [];
  const time = new Date(year === undefined ? Number.NaN : text);
  // JavaScript takes the 30th of February for the 2nd of March.
  const isOfCalendar = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
  return isOfCalendar && !Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 1970 ? time : null;
}

const instant = (field: string) =>
  z
    .string()
    .refine((text) => instantOf(text) !== null, instantMessage(field))
    .nullish();

/** A place in the list; none where it is empty. */
const cursor = (field: string) =>
  z
    .string()
    .refine((text) => text === '' || placeOf(text) !== null, `${field} is not a cursor of this list`)
    .nullish();

const catalogueFields = (names: { limit: string; rowsDefault: number }) => ({
  first: integerBetween(names.limit, names.limit === 'limit' ? 1 : 0, rowsMax)
    .nullish()
    .transform((first) => first ?? names.rowsDefault),
  search: storableText('search').max(200, 'search must be at most 200 characters').nullish(),
  version: storableText('version').max(255, 'version must be at most 255 characters').nullish(),
});

/** A page of the registry, for the graph. */
export const CatalogueRequest = z.object({
  ...catalogueFields({ limit: 'first', rowsDefault: 20 }),
  updatedSince: instant('updatedSince').transform((text) => (text ? instantOf(text) : null)),
  after: cursor('after').transform((text) => (text ? placeOf(text) : null)),
  includeDeleted: z.boolean().nullish(),
});

const restFields = catalogueFields({ limit: 'limit', rowsDefault: 30 });

/** The query of GET /v0.1/servers. Source: the official registry, OpenAPI document of 2025-12-01. */
export const CatalogueQuery = z.object({
  cursor: cursor('cursor').describe('The `nextCursor` of the previous page.'),
  limit: restFields.first.describe('How many: 1 to 100, 30 by default.'),
  search: restFields.search.describe('Part of the name, case-insensitive.'),
  updated_since: instant('updated_since').describe(
    'Only changes since this time, including deletions. To follow the feed, pass the latest `updatedAt` that you have seen: a time of your own clock can miss changes that were being committed.',
  ),
  version: restFields.version.describe('`latest`, or a version.'),
  include_deleted: trueOrFalse('include_deleted').optional().describe('Whether to include deleted servers.'),
});

export const DeletedQuery = z.object({
  include_deleted: trueOrFalse('include_deleted').optional().describe('Whether to include deleted versions.'),
});
