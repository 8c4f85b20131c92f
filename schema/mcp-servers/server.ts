import { ratingOf } from '../../src/mcp-servers/index.ts';
import { builder } from '../builder.ts';
import { enumColumn } from '../enum.ts';
import { optional, optionalTime } from '../optional.ts';
import { ownRow } from '../row.ts';
import { McpPrompt, McpResource, McpResourceTemplate, McpTool, offered } from './capability.ts';
import { McpDiscoveryStatus, McpPackageType, McpServerSource, McpTransport } from './enums.ts';
import { serverLoaders } from './loaders.ts';
import { McpServerStatsRef } from './stats.ts';

export const McpServer = builder.prismaNode('McpServer', {
  description: 'An MCP server: how to start or reach it, and what it offers.',
  ...ownRow(({ caller, services }) => services.mcpServers.configurations.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    slug: t.exposeString('slug', { description: 'URL slug, unique across the platform.' }),
    name: t.exposeString('name', { description: 'Name of the object.' }),
    title: t.exposeString('title', optional('Title for display.')),
    description: t.exposeString('description', optional('Purpose of the object.')),
    transport: t.field(enumColumn('transport', { type: McpTransport, description: 'Transport of the server.' })),
    transports: t.field(
      enumColumn('transports', { type: [McpTransport], description: 'All transports that the server supports.' }),
    ),
    command: t.exposeString(
      'command',
      optional(
        'Command that a client runs to start the server; null unless the transport is STDIO. The platform never runs it.',
      ),
    ),
    args: t.exposeStringList('args', { description: 'Arguments of the command.' }),
    url: t.string({
      nullable: true,
      description:
        'URL of the server; null for STDIO. The query string is `********` unless the server belongs to your profile and you may write.',
      select: { url: true, profileUuid: true },
      resolve: (server, _args, { caller, services }) => services.mcpServers.configurations.shownUrl(caller, server),
    }),
    env: t.field({
      type: 'JSONObject',
      description: 'Environment variables by name; every value is `********`.',
      select: { envNames: true },
      resolve: ({ envNames }, _args, { services }) => services.mcpServers.configurations.masked(envNames),
    }),
    headers: t.field({
      type: 'JSONObject',
      description: 'HTTP headers by name; every value is `********`.',
      select: { headerNames: true },
      resolve: ({ headerNames }, _args, { services }) => services.mcpServers.configurations.masked(headerNames),
    }),
    notes: t.string({
      nullable: true,
      description: 'Notes of the owner; null for other callers.',
      select: { notes: true, profileUuid: true },
      resolve: (server, _args, { caller, services }) =>
        services.mcpServers.configurations.isOwn(caller, server) ? server.notes : null,
    }),
    isOwn: t.boolean({
      description: 'Whether the object belongs to your profile.',
      select: { profileUuid: true },
      resolve: (server, _args, { caller, services }) => services.mcpServers.configurations.isOwn(caller, server),
    }),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether all users can see it.' }),
    source: t.field(enumColumn('source', { type: McpServerSource, description: 'Origin of the server.' })),
    packageType: t.field(
      enumColumn('packageType', {
        type: McpPackageType,
        nullable: true,
        description: 'Package registry of the server.',
      }),
    ),
    repositoryUrl: t.exposeString('repositoryUrl', optional('URL of the source repository.')),
    category: t.exposeString('category', optional('Category of the server.')),
    tags: t.exposeStringList('tags', { description: 'Tags for search.' }),
    version: t.exposeString('version', optional('Version, if the server states one.')),
    installationCount: t.exposeInt('installations', {
      description: 'Number of users that have installed the server in one or more profiles.',
    }),
    rating: t.float({
      description: 'Mean of all ratings, 1 to 5; 0 without ratings.',
      select: { ratingSum: true, ratingsCount: true },
      resolve: (server) => ratingOf(server),
    }),
    ratingsCount: t.exposeInt('ratingsCount', { description: 'Number of ratings.' }),
    lastActivityAt: t.expose(
      'lastActivityAt',
      optionalTime('Time of the latest reported call, installation or removal.'),
    ),
    tools: t.field({
      type: [McpTool],
      description: 'The tools, in the order of the server.',
      ...offered('tool'),
    }),
    resources: t.field({
      type: [McpResource],
      description: 'The resources, in the order of the server.',
      ...offered('resource'),
    }),
    resourceTemplates: t.field({
      type: [McpResourceTemplate],
      description: 'The resource templates, in the order of the server.',
      ...offered('resource_template'),
    }),
    prompts: t.field({
      type: [McpPrompt],
      description: 'The prompts, in the order of the server.',
      ...offered('prompt'),
    }),
    stats: t.field({
      type: McpServerStatsRef,
      nullable: true,
      description: 'Transport of the server.',
      resolve: ({ uuid }, _args, context, info) => serverLoaders(context, info).stats.load(uuid),
    }),
    discoveryStatus: t.field(
      enumColumn('discoveryStatus', {
        type: McpDiscoveryStatus,
        description: 'Status of the latest capability discovery.',
      }),
    ),
    discoveredAt: t.expose('discoveredAt', optionalTime('Time of the last successful discovery.')),
    discoveryError: t.string({
      nullable: true,
      description: 'Error of the last discovery; null for callers other than the owner.',
      select: { discoveryError: true, profileUuid: true },
      resolve: (server, _args, { caller, services }) =>
        services.mcpServers.configurations.isOwn(caller, server) ? server.discoveryError : null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the server was added.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time of the last change of the configuration.',
    }),
  }),
});
