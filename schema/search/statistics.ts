import type { SearchStatistics } from '../../src/search/index.ts';
import { builder } from '../builder.ts';

type Result = SearchStatistics['topResults'][number];

const SearchTimeframe = builder.enumType('SearchTimeframe', {
  description: 'The days that statistics are of, today (UTC) counted.',
  values: {
    DAY: { value: 'day', description: 'Today.' },
    WEEK: { value: 'week', description: 'Seven days.' },
    MONTH: { value: 'month', description: 'Thirty days.' },
  } as const,
});

const SearchResultStatistics = builder.objectRef<Result>('SearchResultStatistics').implement({
  description: 'How a server did among what a search found. Each user counts once a day.',
  fields: (t) => ({
    serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'Which server.' }),
    clicks: t.exposeInt('clicks', { description: 'How often it was opened.' }),
    impressions: t.exposeInt('impressions', { description: 'How often it was shown.' }),
    ctr: t.exposeFloat('ctr', { description: 'Clicks by impressions, 0 to 1.' }),
  }),
});

const SearchStatisticsRef = builder.objectRef<SearchStatistics>('SearchStatistics').implement({
  description: 'How a search was used; nothing but zeros for what fewer than three users have asked in the time.',
  fields: (t) => ({
    query: t.exposeString('query', {
      description:
        'What was asked, as you asked it. Spellings that differ in case and spaces only are counted together.',
    }),
    totalSearches: t.exposeInt('totalSearches', { description: 'How often it was asked.' }),
    uniqueUsers: t.exposeInt('uniqueUsers', {
      description: 'How many users have asked it; nobody who has not signed in is among them.',
    }),
    topResults: t.field({
      type: [SearchResultStatistics],
      description: 'What was opened most, at most ten.',
      extensions: { defaultLength: 10 },
      resolve: ({ topResults }) => [...topResults],
    }),
    relatedQueries: t.field({
      type: ['String'],
      description:
        'What else the same servers were found by, at most ten; of that, too, only what three users have asked.',
      resolve: ({ relatedQueries }) => [...relatedQueries],
    }),
  }),
});

builder.queryField('searchStatistics', (t) =>
  t.field({
    type: SearchStatisticsRef,
    description: 'How a search of public servers was used.',
    args: {
      query: t.arg.string({ required: true, description: 'The words, in any case.' }),
      timeframe: t.arg({ type: SearchTimeframe, description: 'Of which days; WEEK by default.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: (_root, args, { caller, services }) => services.search.statistics.find(caller, args),
  }),
);

const SearchResultOpenedInput = builder.inputType('SearchResultOpenedInput', {
  description: 'Which result of which search.',
  fields: (t) => ({
    query: t.string({ required: true, description: 'The words that were searched for.' }),
    serverUuid: t.string({ required: true, description: 'The server that was opened.' }),
  }),
});

const SearchResultOpenedPayload = builder.objectRef<{ isCounted: boolean }>('SearchResultOpenedPayload').implement({
  description: 'What `searchResultOpened` did.',
  fields: (t) => ({
    counted: t.exposeBoolean('isCounted', {
      description: 'Whether your search of today or yesterday showed it; nothing is counted otherwise.',
    }),
  }),
});

builder.mutationField('searchResultOpened', (t) =>
  t.field({
    type: SearchResultOpenedPayload,
    description:
      'Tells that a server that was found was opened elsewhere. Looking it up by `server` within half an hour tells it by itself.',
    args: { input: t.arg({ type: SearchResultOpenedInput, required: true, description: 'What was opened.' }) },
    extensions: { rateLimit: 'search' },
    resolve: async (_root, { input }, { caller, services }) => ({
      isCounted: await services.search.statistics.reportOpened(caller, input),
    }),
  }),
);
