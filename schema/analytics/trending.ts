import { rankChangeOf, type TrendingPlace } from '../../src/analytics/index.ts';
import type { McpServerRecord } from '../../src/mcp-servers/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowPaths, rowsQuery } from '../connection.ts';
import { enumOf } from '../enum.ts';
import { readServers } from '../mcp-servers/queries.ts';
import { McpServer } from '../mcp-servers/server.ts';
import { optional } from '../optional.ts';
import { query } from '../query.ts';

const TrendingTimeframe = enumOf(
  'TrendingTimeframe',
  'Period of a trend, in whole hours of UTC. It ends with the current hour.',
  {
    day: 'The last 24 hours.',
    week: 'The last 7 days, which are 168 hours.',
    month: 'The last 30 days, which are 720 hours.',
  },
);

interface TrendingServerShape extends TrendingPlace {
  readonly server: McpServerRecord;
}

const TrendingServer = builder.objectRef<TrendingServerShape>('TrendingServer').implement({
  description: 'A public server with its trending score and rank.',
  fields: (t) => ({
    server: t.field({ type: McpServer, description: 'The server.', resolve: ({ server }) => server as never }),
    score: t.exposeInt('score', {
      description:
        'Trending score: 40 for each user who installed the server and did not remove it, 40 for each user and day with a call, and up to 20 for recent use.',
    }),
    rank: t.exposeInt('rank', {
      description: 'Rank among all categories, starting at 1. Servers with the same score share a rank.',
    }),
    previousRank: t.exposeInt(
      'rankBefore',
      optional('Rank in the previous period; null if the server was not ranked.'),
    ),
    rankChange: t.string({
      description: 'Change of rank since the previous period: "+5", "-2", "0" or "new".',
      resolve: rankChangeOf,
    }),
  }),
});

const TrendingServerConnection = connectionType(
  'TrendingServer',
  TrendingServer,
  'A page of trending servers, the best first.',
);

/** Where in the connection the servers stand. */
const serverPaths = rowPaths.map((path) => [...path, 'server']);

query('trendingServers', {
  type: TrendingServerConnection,
  description:
    "Public servers by trending score, the best first. Activity counts within seconds. The owner's own activity is excluded.",
  args: (arg) => ({
    timeframe: arg({ type: TrendingTimeframe, description: 'Period; WEEK by default.' }),
    category: arg.string({ description: 'Only servers of this category.' }),
    ...connectionArgs(),
  }),
  extensions: { rateLimit: 'general' },
  resolve: async (_root, args, context, info) => {
    const { caller, services } = context;
    const { trending } = services.analytics;
    const { edges, hasNextPage } = await trending.connection(caller, args);
    const uuids = edges.map(({ node }) => node.serverUuid);
    const query = rowsQuery(context, info, 'McpServer', serverPaths);
    const shape = { rowsMax: uuids.length, countOf: ({ length }: readonly object[]) => length };
    const servers = await readServers(info, shape, () =>
      services.mcpServers.configurations.publicAmong(caller, uuids, query),
    );
    const byUuid = new Map(servers.map((server) => [server.uuid, server]));
    // A server that was hidden since the page was read is missing.
    const shown = edges.flatMap(({ cursor, node }) => {
      const server = byUuid.get(node.serverUuid);
      return server ? [{ cursor, node: { ...node, server } }] : [];
    });
    return { edges: shown, hasNextPage, count: () => trending.count(caller, args) };
  },
});
