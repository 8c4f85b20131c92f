import { z } from 'zod';
import { integerBetween, isUuid, listOf, oneOf, storableText, whenValid } from '../../platform/input/input.ts';

/** Source: docs/specification/documents.md#search. */
const queryMax = 500;
const limitMax = 50;
const limitDefault = 10;
/** How far results can be paged through. */
const offsetMax = 1_000;
const sources = ['upload', 'ai_generated', 'api'] as const;

const dayMs = 86_400_000;
const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** A day of the calendar as its first instant in UTC; null for anything else. */
function dayOf(text: string): Date | null {
  const day = new Date(`${text}T00:00:00.000Z`);
  const isDay = datePattern.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  return isDay && day.getUTCFullYear() >= 1 ? day : null;
}

const date = (field: string) =>
  z
    .string({ error: `${field} must be a date like 2026-01-31` })
    .transform((text, context) => {
      const day = dayOf(text.slice(0, 11));
      if (day === null) context.addIssue({ code: 'custom', message: `${field} must be a date like 2026-01-31` });
      return day ?? z.NEVER;
    })
    .nullish();

const query = storableText('query')
  .max(queryMax, `query must be at most ${queryMax} characters`)
  .refine((text) => text.trim() !== '', 'query must not be empty');

export const DocumentSearchFilters = z
  .object(
    {
      source: oneOf('source', sources).nullish().describe('Only documents of this source.'),
      modelName: storableText('modelName')
        .min(1, 'modelName must not be empty')
        .max(200, 'modelName must be at most 200 characters')
        .nullish()
        .describe('Only documents that this AI model contributed to.'),
      dateFrom: date('dateFrom').describe('Only documents made on this day or later, in UTC: `2026-01-31`.'),
      dateTo: date('dateTo').describe('Only documents made on this day or earlier, in UTC.'),
      tags: listOf('tags', storableText('tags').max(50, 'each of tags must be at most 50 characters'), {
        of: 'strings',
        max: 50,
      })
        .nullish()
        .describe('Only documents that have all of these tags.'),
    },
    { error: 'filters must be an object' },
  )
  .refine(({ dateFrom, dateTo }) => !dateFrom || !dateTo || dateFrom <= dateTo, {
    error: 'dateTo must not be before dateFrom',
    path: ['dateTo'],
    ...whenValid('dateFrom', 'dateTo'),
  });

/** A search over the documents of a profile. Source: docs/specification/documents.md#search. */
export const DocumentSearchRequest = z.object({
  query: query.describe('A question or words, 1 to 500 characters.'),
  filters: DocumentSearchFilters.nullish(),
  limit: integerBetween('limit', 1, limitMax)
    .nullish()
    .transform((limit) => limit ?? limitDefault)
    .describe('Number of results: 1 to 50, 10 by default.'),
  offset: integerBetween('offset', 0, offsetMax)
    .nullish()
    .transform((offset) => offset ?? 0)
    .describe('Number of results to skip, at most 1 000; 0 by default.'),
});

const documentsMax = 100;

/** Passages for a question. */
export const PassageRequest = z.object({
  query,
  limit: integerBetween('limit', 1, limitMax)
    .nullish()
    .transform((limit) => limit ?? limitDefault),
  documentUuids: listOf('documentUuids', z.string(), { of: 'UUIDs', max: documentsMax })
    .transform((uuids) => uuids.filter(isUuid))
    .nullish(),
});

const ownProfile = {
  profileUuid: z
    .string({ error: 'profileUuid must be a string' })
    .nullish()
    .describe('UUID of your own profile, which is the default.'),
};
/** A search as a caller asks for it. */
export const SearchQuestion = DocumentSearchRequest.extend(ownProfile);
/** Passages as a caller asks for them. */
export const PassageQuestion = PassageRequest.extend(ownProfile);

/** What a search is narrowed to. */
export interface Narrowing {
  readonly source: string | null;
  readonly modelName: string | null;
  readonly from: Date | null;
  /** The first instant that is too late. */
  readonly before: Date | null;
  readonly tags: readonly string[] | null;
  readonly documentUuids: readonly string[] | null;
}

const everything: Narrowing = {
  source: null,
  modelName: null,
  from: null,
  before: null,
  tags: null,
  documentUuids: null,
};

export const narrowingOf = (filters: z.output<typeof DocumentSearchFilters> | null | undefined): Narrowing => ({
  ...everything,
  source: filters?.source ?? null,
  modelName: filters?.modelName ?? null,
  from: filters?.dateFrom ?? null,
  before: filters?.dateTo ? new Date(filters.dateTo.getTime() + dayMs) : null,
  tags: filters?.tags?.length ? filters.tags : null,
});

export const narrowedTo = (documentUuids: readonly string[] | null | undefined): Narrowing => ({
  ...everything,
  documentUuids: documentUuids ?? null,
});
