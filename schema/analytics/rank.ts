import DataLoader from 'dataloader';
import { builder } from '../builder.ts';
import { perExecution } from '../loader.ts';
import { McpServerStatsRef } from '../mcp-servers/stats.ts';

/** The ranks of all servers of a response, in one statement. */
const rankLoader = perExecution(
  ({ services }) =>
    new DataLoader((uuids: readonly string[]) => services.analytics.trending.ranksOf(uuids), { cache: false }),
);

builder.objectField(McpServerStatsRef, 'trendingRank', (t) =>
  t.int({
    description:
      'Rank among the public servers in the last seven days, starting at 1. Servers without activity rank last.',
    resolve: ({ serverUuid }, _args, context, info) => rankLoader(context, info).load(serverUuid),
  }),
);
