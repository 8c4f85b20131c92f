import type { GraphQLResolveInfo } from 'graphql';
import { type ProxiedServer, serversMax } from '../../src/mcp-servers/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowQuery, rowsMaxOf, rowsQuery } from '../connection.ts';
import { optional } from '../optional.ts';
import { query } from '../query.ts';
import { readForResponse } from '../response-budget.ts';
import { asksFor } from '../selection.ts';
import { McpTransport } from './enums.ts';
import { McpServer } from './server.ts';
import { McpServerStatsRef } from './stats.ts';

/** What the long columns of one server may come to. */
const serverBytesMax = 64 * 1024;

/**
 * Reads a list of servers.
 *
 * @param shape.rowsMax How many servers it may be.
 * @param shape.countOf How many it is.
 */
export function readServers<Result>(
  info: GraphQLResolveInfo,
  { rowsMax, countOf }: { rowsMax: number; countOf: (result: Result) => number },
  read: () => Promise<Result>,
): Promise<Result> {
  if (!longFields.some((field) => asksFor(field, info))) return read();
  const bytesOf = (result: Result) => countOf(result) * serverBytesMax;
  return readForResponse(info, { bytesMax: rowsMax * serverBytesMax, bytesOf }, read);
}

const longFields = ['args', 'description', 'notes', 'env', 'headers'];

export const McpServerConnection = connectionType('McpServer', McpServer, 'A page of MCP servers.');

query('ownServers', {
  type: McpServerConnection,
  description: 'The MCP servers of your profile, the newest first.',
  args: () => connectionArgs(),
  extensions: { rateLimit: 'general' },
  resolve: async (_root, args, context, info) => {
    const { caller, services } = context;
    const query = rowsQuery(context, info, 'McpServer');
    const shape = {
      rowsMax: rowsMaxOf(args.first),
      countOf: ({ edges }: { edges: readonly object[] }) => edges.length,
    };
    const page = await readServers(info, shape, () =>
      services.mcpServers.configurations.connection(caller, args, query),
    );
    return { ...page, count: () => services.mcpServers.configurations.count(caller) };
  },
});

query('server', {
  type: McpServer,
  description: 'An MCP server that is public or yours.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the object.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, context, info) =>
    context.services.mcpServers.configurations.open(context.caller, uuid, rowQuery(context, info, 'McpServer')),
});

query('serverStats', {
  type: McpServerStatsRef,
  description: 'Usage statistics of an MCP server that is public or yours.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the object.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, { caller, services }) => services.mcpServers.usage.stats(caller, uuid),
});

const McpProxiedServer = builder.objectRef<ProxiedServer>('McpProxiedServer').implement({
  description: 'A server of yours in the form that a proxy needs.',
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the server.' }),
    slug: t.exposeString('slug', { description: 'URL slug of the server.' }),
    name: t.exposeString('name', { description: 'Name of the object.' }),
    description: t.exposeString('description', optional('Purpose of the object.')),
    transport: t.field({
      type: McpTransport,
      description: 'Transport of the server.',
      resolve: ({ transport }) => transport as 'stdio',
    }),
    command: t.exposeString('command', optional('Command that starts the server.')),
    args: t.exposeStringList('args', { description: 'Arguments of the command.' }),
    url: t.exposeString('url', optional('URL of the server.')),
    env: t.field({
      type: 'JSONObject',
      description:
        'Environment variables. The values are `********` here; GET /api/mcp-servers shows them to your API keys.',
      resolve: ({ env }) => ({ ...env }),
    }),
    headers: t.field({
      type: 'JSONObject',
      description: 'HTTP headers that are sent to the server. The values are masked like those of `env`.',
      resolve: ({ headers }) => ({ ...headers }),
    }),
    notes: t.exposeString('notes', optional('Notes of the owner.')),
    profileUuid: t.expose('profileUuid', { type: 'UUID', description: 'UUID of your profile.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the server was added.' }),
  }),
});

query('proxiedServers', {
  type: [McpProxiedServer],
  description: 'All servers of your profile, the oldest first, as GET /api/mcp-servers lists them.',
  extensions: { rateLimit: 'general', defaultLength: serversMax },
  resolve: (_root, _args, { caller, services, capabilities }, info) => {
    const isProxyRoute = capabilities.has('reveal-server-secrets');
    return readServers(info, { rowsMax: serversMax, countOf: ({ length }) => length }, () =>
      services.mcpServers.proxied.list(caller, { isProxyRoute }),
    );
  },
});
