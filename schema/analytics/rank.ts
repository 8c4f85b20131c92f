import DataLoader from 'dataloader';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { McpServerStatsRef } from '../mcp-servers/stats.ts';

/** Nothing is remembered: the next mutation of the same document may change it. */
const loaders = new WeakMap<Context, DataLoader<string, number>>();

/** The ranks of all servers of an answer, in one statement. */
function rankLoader(context: Context): DataLoader<string, number> {
  const { trending } = context.services.analytics;
  const loader = loaders.get(context) ?? new DataLoader((uuids) => trending.ranksOf(uuids), { cache: false });
  loaders.set(context, loader);
  return loader;
}

builder.objectField(McpServerStatsRef, 'trendingRank', (t) =>
  t.int({
    description:
      'Rank among the public servers in the last seven days, starting at 1. Servers without activity rank last.',
    resolve: ({ serverUuid }, _args, context) => rankLoader(context).load(serverUuid),
  }),
);
