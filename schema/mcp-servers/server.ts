import { ratingOf } from '../../src/mcp-servers/index.ts';
import { knownUuid } from '../auth/known-uuid.ts';
import { builder } from '../builder.ts';
import { rowColumns } from '../connection.ts';
import { McpPrompt, McpResource, McpResourceTemplate, McpTool, offered } from './capability.ts';
import { McpDiscoveryStatus, McpPackageType, McpServerSource, McpTransport } from './enums.ts';
import { serverLoaders } from './loaders.ts';
import { McpServerStatsRef } from './stats.ts';

export const McpServer = builder.prismaNode('McpServer', {
  description: 'An MCP server: how to start or reach it, and what it offers.',
  id: { field: 'uuid', description: 'The global id.' },
  // Named columns alone are read, so nothing that is sealed leaves the database.
  select: rowColumns,
  nullable: true,
  findUnique: (uuid, { caller, services }) => ({
    uuid: knownUuid(uuid),
    AND: [services.mcpServers.configurations.visible(caller)],
  }),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The id within the platform, as REST shows it.' }),
    slug: t.exposeString('slug', { description: 'Its name in addresses: one of the whole platform.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    title: t.exposeString('title', { nullable: true, description: 'For people.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    transport: t.field({
      type: McpTransport,
      description: 'How it is used.',
      select: { transport: true },
      resolve: ({ transport }) => transport as 'stdio',
    }),
    transports: t.field({
      type: [McpTransport],
      description: 'All ways that it offers.',
      select: { transports: true },
      resolve: ({ transports }) => transports as 'stdio'[],
    }),
    command: t.exposeString('command', {
      nullable: true,
      description: 'What a client starts; null unless it is STDIO. The platform never runs it.',
    }),
    args: t.exposeStringList('args', { description: 'What the command is given.' }),
    url: t.string({
      nullable: true,
      description:
        'Where it is; null for STDIO. The query is `********` unless the server is of your profile and you may write.',
      select: { url: true, profileUuid: true },
      resolve: (server, _args, { caller, services }) => services.mcpServers.configurations.shownUrl(caller, server),
    }),
    env: t.field({
      type: 'JSONObject',
      description: 'The names of its environment; every value is `********`.',
      select: { envNames: true },
      resolve: ({ envNames }, _args, { services }) => services.mcpServers.configurations.masked(envNames),
    }),
    headers: t.field({
      type: 'JSONObject',
      description: 'The names of what is sent to its url; every value is `********`.',
      select: { headerNames: true },
      resolve: ({ headerNames }, _args, { services }) => services.mcpServers.configurations.masked(headerNames),
    }),
    notes: t.string({
      nullable: true,
      description: 'What its owner noted; null for everybody else.',
      select: { notes: true, profileUuid: true },
      resolve: (server, _args, { caller, services }) =>
        services.mcpServers.configurations.isOwn(caller, server) ? server.notes : null,
    }),
    isOwn: t.boolean({
      description: 'Whether it belongs to your profile.',
      select: { profileUuid: true },
      resolve: (server, _args, { caller, services }) => services.mcpServers.configurations.isOwn(caller, server),
    }),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether everybody may see it.' }),
    source: t.field({
      type: McpServerSource,
      description: 'Where the platform knows it from.',
      select: { source: true },
      resolve: ({ source }) => source as 'community',
    }),
    packageType: t.field({
      type: McpPackageType,
      nullable: true,
      description: 'Where it is packaged.',
      select: { packageType: true },
      resolve: ({ packageType }) => packageType as 'npm' | null,
    }),
    repositoryUrl: t.exposeString('repositoryUrl', { nullable: true, description: 'Where its source is.' }),
    category: t.exposeString('category', { nullable: true, description: 'What it is among.' }),
    tags: t.exposeStringList('tags', { description: 'Words to find it by.' }),
    version: t.exposeString('version', { nullable: true, description: 'Its version, if it tells one.' }),
    installationCount: t.exposeInt('installations', {
      description: 'How many users have it installed, in however many profiles.',
    }),
    rating: t.float({
      description: '1 to 5, the mean of all ratings; 0 while there is none.',
      select: { ratingSum: true, ratingsCount: true },
      resolve: (server) => ratingOf(server),
    }),
    ratingsCount: t.exposeInt('ratingsCount', { description: 'How many users have rated it.' }),
    lastActivityAt: t.expose('lastActivityAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The latest call that a client reported, installation or removal.',
    }),
    tools: t.field({
      type: [McpTool],
      description: 'Its tools, in its own order.',
      ...offered('tool'),
    }),
    resources: t.field({
      type: [McpResource],
      description: 'Its resources, in its own order.',
      ...offered('resource'),
    }),
    resourceTemplates: t.field({
      type: [McpResourceTemplate],
      description: 'Its templates of resources, in its own order.',
      ...offered('resource_template'),
    }),
    prompts: t.field({
      type: [McpPrompt],
      description: 'Its prompts, in its own order.',
      ...offered('prompt'),
    }),
    stats: t.field({
      type: McpServerStatsRef,
      nullable: true,
      description: 'How it is used.',
      resolve: ({ uuid }, _args, context, info) => serverLoaders(context, info).stats.load(uuid),
    }),
    discoveryStatus: t.field({
      type: McpDiscoveryStatus,
      description: 'How it stands with asking it what it offers.',
      select: { discoveryStatus: true },
      resolve: ({ discoveryStatus }) => discoveryStatus as 'never',
    }),
    discoveredAt: t.expose('discoveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last told what it offers.',
    }),
    discoveryError: t.string({
      nullable: true,
      description: 'Why it could not be asked the last time; null for everybody but its owner.',
      select: { discoveryError: true, profileUuid: true },
      resolve: (server, _args, { caller, services }) =>
        services.mcpServers.configurations.isOwn(caller, server) ? server.discoveryError : null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its configuration was last changed.' }),
  }),
});
