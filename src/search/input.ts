import { z } from 'zod';
import { afterCursor, firstRows, integerBetween, oneOf, pageLimit, storableText } from '../platform/input/input.ts';

/** What may be asked for in UTF-16 units; longer is a mistake, and no search. */
const queryMax = 500;
const limitMax = 100;
const limitDefault = 20;
/** How far a list can be paged through. */
export const offsetMax = 10_000;

export const sources = ['registry', 'community', 'all'] as const;
export const packages = ['npm', 'docker', 'pypi'] as const;
const sorts = ['relevance', 'recent', 'popular'] as const;

/** Words as a user types them. Empty or white space alone: every server. */
const query = (field: string) => storableText(field).max(queryMax, `${field} must be at most ${queryMax} characters`);

const filters = {
  source: oneOf('source', sources)
    .nullish()
    .transform((source) => source ?? 'all'),
  package: oneOf('package', packages).nullish(),
  repository: storableText('repository').max(300, 'repository must be at most 300 characters').nullish(),
  sort: oneOf('sort', sorts)
    .nullish()
    .transform((sort) => sort ?? 'relevance'),
};

/** The parameters of a search, without those of the page. */
export const SearchRequest = z.object({ query: query('query'), ...filters });

/** The query of GET /api/search. Source: docs/specification/search.md#search. */
export const SearchQuery = z.object({
  q: query('q').describe('Words, at most 500 characters. Empty for all servers.'),
  source: oneOf('source', sources).optional().describe('Only servers of this origin; `all` by default.'),
  package: oneOf('package', packages).optional().describe('Only servers of this package registry.'),
  repository: filters.repository
    .unwrap()
    .unwrap()
    .optional()
    .describe('Only servers of a repository: its URL, or a part of it such as `owner/name`.'),
  sort: oneOf('sort', sorts).optional().describe('Order of the results; `relevance` by default.'),
  limit: integerBetween('limit', 1, limitMax).optional().describe('Number of results: 1 to 100, 20 by default.'),
  offset: integerBetween('offset', 0, offsetMax)
    .optional()
    .describe('Number of results to skip, at most 10 000; 0 by default.'),
});

/** A page by numbers, as REST has it. */
export const SearchPage = z.object({
  limit: pageLimit(limitMax, limitDefault),
  offset: integerBetween('offset', 0, offsetMax)
    .nullish()
    .transform((offset) => offset ?? 0),
});

/** A page after a cursor, as the graph has it. A cursor is a place in the list. */
export const SearchConnectionRequest = z.object({
  first: firstRows(limitMax, limitDefault),
  after: afterCursor(placeOf).transform((place) => place ?? 0),
});

export const cursorOf = (place: number): string => Buffer.from(`found:${place}`).toString('base64url');

function placeOf(cursor: string): number | null {
  const [, digits] = /^found:(\d{1,5})$/.exec(Buffer.from(cursor.slice(0, 40), 'base64url').toString()) ?? [];
  const place = Number(digits);
  return digits !== undefined && place <= offsetMax ? place : null;
}

const timeframes = ['day', 'week', 'month'] as const;
const timeframe = oneOf('timeframe', timeframes);

/** What search statistics are asked of. */
export const StatisticsRequest = z.object({
  query: query('query').refine((text) => text.trim() !== '', 'query must not be empty'),
  timeframe: timeframe.nullish().transform((given) => given ?? 'week'),
});

/** The query of GET /api/service/search. Source: docs/specification/search.md#statistics. */
export const StatisticsQuery = z.object({
  q: query('q')
    .refine((text) => text.trim() !== '', 'q must not be empty')
    .describe('The words of the search.'),
  timeframe: timeframe.optional().describe('Period of the statistics; `week` by default.'),
});

export const OpenedResult = z.object({ query: query('query'), serverUuid: z.string() });
