import type { SearchStatistics } from '../../src/search/index.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { mutation } from '../mutation.ts';
import { query } from '../query.ts';

type Result = SearchStatistics['topResults'][number];

const SearchTimeframe = enumOf('SearchTimeframe', 'Period of statistics in days, including today (UTC).', {
  day: 'Today.',
  week: 'Seven days.',
  month: 'Thirty days.',
});

const SearchResultStatistics = builder.objectRef<Result>('SearchResultStatistics').implement({
  description: 'Statistics of a result of a search. Each user counts once a day.',
  fields: (t) => ({
    serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'UUID of the server.' }),
    clicks: t.exposeInt('clicks', { description: 'Number of times that the result was opened.' }),
    impressions: t.exposeInt('impressions', { description: 'Number of times that the result was shown.' }),
    ctr: t.exposeFloat('ctr', { description: 'Clicks divided by impressions, 0 to 1.' }),
  }),
});

const SearchStatisticsRef = builder.objectRef<SearchStatistics>('SearchStatistics').implement({
  description: 'Statistics of a search. All figures are 0 for a search that fewer than three users made in the period.',
  fields: (t) => ({
    query: t.exposeString('query', {
      description: 'The search as you sent it. Spellings that differ only in case and spaces are counted together.',
    }),
    totalSearches: t.exposeInt('totalSearches', { description: 'Number of searches.' }),
    uniqueUsers: t.exposeInt('uniqueUsers', { description: 'Number of signed-in users that made the search.' }),
    topResults: t.expose('topResults', {
      type: [SearchResultStatistics],
      description: 'The results that were opened most, at most ten.',
      extensions: { defaultLength: 10 },
    }),
    relatedQueries: t.exposeStringList('relatedQueries', {
      description: 'Other searches that found the same servers and were made by at least three users; at most ten.',
    }),
  }),
});

query('searchStatistics', {
  type: SearchStatisticsRef,
  description: 'Statistics of a search for public servers.',
  args: (arg) => ({
    query: arg.string({ required: true, description: 'The words of the search, case-insensitive.' }),
    timeframe: arg({ type: SearchTimeframe, description: 'Period of the statistics; WEEK by default.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, { caller, services }) => services.search.statistics.find(caller, args),
});

const SearchResultOpenedPayload = builder.objectRef<{ isCounted: boolean }>('SearchResultOpenedPayload').implement({
  description: 'Result of `searchResultOpened`.',
  fields: (t) => ({
    counted: t.exposeBoolean('isCounted', {
      description:
        'Whether the report was counted: a search of yours of today or yesterday must have shown the server.',
    }),
  }),
});

mutation('searchResultOpened', {
  description:
    'Reports that a search result was opened outside this API. Reading the server with `server` within half an hour reports it automatically.',
  rateLimit: 'search',
  input: {
    description: 'A search and one of its results.',
    argument: 'The search and the result.',
    fields: (t) => ({
      query: t.string({ required: true, description: 'The words that were searched for.' }),
      serverUuid: t.string({ required: true, description: 'The server that was opened.' }),
    }),
  },
  payload: SearchResultOpenedPayload,
  resolve: async (input, { caller, services }) => ({
    isCounted: await services.search.statistics.reportOpened(caller, input),
  }),
});
