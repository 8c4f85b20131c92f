import { queryFromInfo } from '@pothos/plugin-prisma';
import { rankChangeOf, type TrendingPlace } from '../../src/analytics/index.ts';
import type { McpServerRecord } from '../../src/mcp-servers/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowColumns, rowPaths } from '../connection.ts';
import { readServers } from '../mcp-servers/queries.ts';
import { McpServer } from '../mcp-servers/server.ts';

const TrendingTimeframe = builder.enumType('TrendingTimeframe', {
  description: 'What a trend is of. An hour of UTC is counted as a whole; the current one is the last.',
  values: {
    DAY: { value: 'day', description: 'The last 24 hours.' },
    WEEK: { value: 'week', description: 'The last 7 days, which are 168 hours.' },
    MONTH: { value: 'month', description: 'The last 30 days, which are 720 hours.' },
  } as const,
});

interface TrendingServerShape extends TrendingPlace {
  readonly server: McpServerRecord;
}

const TrendingServer = builder.objectRef<TrendingServerShape>('TrendingServer').implement({
  description: 'A public server and how it stands.',
  fields: (t) => ({
    server: t.field({ type: McpServer, description: 'The server.', resolve: ({ server }) => server as never }),
    score: t.exposeInt('score', {
      description:
        '40 for each user who installed it and did not remove it, 40 for each user and day with a call, and up to 20 for having been used lately.',
    }),
    rank: t.exposeInt('rank', {
      description: 'From 1: its place among all categories. Servers of one score share it.',
    }),
    previousRank: t.exposeInt('rankBefore', {
      nullable: true,
      description: 'The same for the window before this one; null where it was not in the list.',
    }),
    rankChange: t.string({
      description: 'How many places it has moved since the window before: "+5", "-2", "0", or "new".',
      resolve: rankChangeOf,
    }),
  }),
});

const TrendingServerConnection = connectionType(
  'TrendingServer',
  TrendingServer,
  'A page of the servers that are used most lately, the best first.',
);

/** Where in the connection the servers stand. */
const serverPaths = rowPaths.map((path) => [...path, 'server']);

builder.queryField('trendingServers', (t) =>
  t.field({
    type: TrendingServerConnection,
    description:
      'The public servers that are used most lately, the best first. What is done with a server counts within seconds; what its owner does counts never.',
    args: {
      timeframe: t.arg({ type: TrendingTimeframe, description: 'WEEK if left out.' }),
      category: t.arg.string({ description: 'Only servers of this category.' }),
      ...connectionArgs(),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, args, context, info) => {
      const { caller, services } = context;
      const { trending } = services.analytics;
      const { edges, hasNextPage } = await trending.connection(caller, args);
      const uuids = edges.map(({ node }) => node.serverUuid);
      const query = queryFromInfo({ context, info, typeName: 'McpServer', paths: serverPaths, select: rowColumns });
      const shape = { rowsMax: uuids.length, countOf: ({ length }: readonly object[]) => length };
      const servers = await readServers(info, shape, () =>
        services.mcpServers.configurations.publicAmong(caller, uuids, query),
      );
      const byUuid = new Map(servers.map((server) => [server.uuid, server]));
      // One that was hidden meanwhile is not there any more.
      const shown = edges.flatMap(({ cursor, node }) => {
        const server = byUuid.get(node.serverUuid);
        return server ? [{ cursor, node: { ...node, server } }] : [];
      });
      return { edges: shown, hasNextPage, count: () => trending.count(caller, args) };
    },
  }),
);
