import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { type ProxiedServer, serversMax } from '../../src/mcp-servers/index.ts';
import { asksFor, counted, withinAnswer } from '../answer-size.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowColumns, rowPaths } from '../connection.ts';
import type { Context } from '../context.ts';
import { McpTransport } from './enums.ts';
import { McpServer } from './server.ts';
import { McpServerStatsRef } from './stats.ts';

/** What the long columns of one server may come to. */
const serverBytesMax = 64 * 1024;
/** What an answer with so many servers may come to, as far as it asks for what may be long. */
export const serverBytesOf = (info: GraphQLResolveInfo, servers: number): number =>
  longFields.some((field) => asksFor(field, info)) ? Math.min(Math.max(servers, 0), 100) * serverBytesMax : 0;

const longFields = ['args', 'description', 'notes', 'env', 'headers'];

export const McpServerConnection = connectionType('McpServer', McpServer, 'A page of MCP servers.');

builder.queryField('ownServers', (t) =>
  t.field({
    type: McpServerConnection,
    description: 'The MCP servers of your profile, the newest first.',
    args: connectionArgs(),
    extensions: { rateLimit: 'general' },
    resolve: async (_root, args, context, info) => {
      const { caller, services } = context;
      const query = queryFromInfo({ context, info, typeName: 'McpServer', paths: rowPaths, select: rowColumns });
      const page = await withinAnswer(info, serverBytesOf(info, args.first ?? 20), () =>
        services.mcpServers.configurations.connection(caller, args, query),
      );
      return { ...page, count: () => services.mcpServers.configurations.count(caller) };
    },
  }),
);

builder.queryField('server', (t) =>
  t.field({
    type: McpServer,
    description: 'An MCP server that is public or yours.',
    args: { uuid: t.arg.string({ required: true, description: 'Its uuid.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { uuid }, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'McpServer', select: rowColumns });
      const found = await context.services.mcpServers.configurations.find(context.caller, uuid, query);
      context.services.search.statistics.opened(context.caller, found.uuid);
      return found;
    },
  }),
);

builder.queryField('serverStats', (t) =>
  t.field({
    type: McpServerStatsRef,
    description: 'How an MCP server is used that is public or yours.',
    args: { uuid: t.arg.string({ required: true, description: 'Its uuid.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { uuid }, { caller, services }) => services.mcpServers.usage.stats(caller, uuid),
  }),
);

/** Shows what may be long, and counts it, but for a document of ours, which asks for each thing once. */
const long =
  <Column extends keyof ProxiedServer>(column: Column) =>
  (server: ProxiedServer, _args: object, { isRest }: Context, info: GraphQLResolveInfo): ProxiedServer[Column] =>
    isRest ? server[column] : counted(server[column], info);

const McpProxiedServer = builder.objectRef<ProxiedServer>('McpProxiedServer').implement({
  description: 'A server of yours as a proxy takes it.',
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'Which server.' }),
    slug: t.exposeString('slug', { description: 'Its name in addresses.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    description: t.string({
      nullable: true,
      description: 'What it is for.',
      resolve: long('description'),
    }),
    transport: t.field({
      type: McpTransport,
      description: 'How it is used.',
      resolve: ({ transport }) => transport as 'stdio',
    }),
    command: t.string({
      nullable: true,
      description: 'What to start.',
      resolve: long('command'),
    }),
    args: t.stringList({
      description: 'What it is given.',
      resolve: (...each) => [...long('args')(...each)],
    }),
    url: t.string({
      nullable: true,
      description: 'Where it is.',
      resolve: long('url'),
    }),
    env: t.field({
      type: 'JSONObject',
      description:
        'Its environment. The values are `********` here; GET /api/mcp-servers shows them to a key of yours.',
      resolve: (...each) => ({ ...long('env')(...each) }),
    }),
    headers: t.field({
      type: 'JSONObject',
      description: 'What is sent to its url; likewise.',
      resolve: (...each) => ({ ...long('headers')(...each) }),
    }),
    notes: t.string({
      nullable: true,
      description: 'What you noted.',
      resolve: long('notes'),
    }),
    profileUuid: t.expose('profileUuid', { type: 'UUID', description: 'Your profile.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

builder.queryField('proxiedServers', (t) =>
  t.field({
    type: [McpProxiedServer],
    description: 'All servers of your profile, the oldest first, as GET /api/mcp-servers lists them.',
    extensions: { rateLimit: 'general', defaultLength: serversMax },
    resolve: (_root, _args, { caller, services, isRest }, info) =>
      withinAnswer(info, isRest ? 0 : serversMax * serverBytesMax, () =>
        services.mcpServers.proxied.list(caller, { isProxyRoute: isRest }),
      ),
  }),
);
