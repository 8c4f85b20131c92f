import type { DiscoveryEvent, ToolChangeRecord, ToolsChangedEvent } from '../../src/mcp-servers/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowsMaxOf } from '../connection.ts';
import { mutation } from '../mutation.ts';
import { query } from '../query.ts';
import { readForResponse } from '../response-budget.ts';
import { McpDiscoveryStage, McpToolChangeKind } from './enums.ts';
import { changedServer, serverQuery } from './mutations.ts';

mutation('serverDiscover', {
  description:
    'Queues servers of yours for capability discovery. Subscribe to `serverDiscoveryProgressed` for the progress.',
  rateLimit: 'general',
  input: {
    description: 'Selects the servers.',
    fields: (t) => ({ uuid: t.string({ description: 'UUID of the server; all your servers by default.' }) }),
  },
  payload: {
    queued: {
      type: 'Int',
      description: 'Number of newly queued servers. STDIO servers and servers that are already queued are not counted.',
    },
  },
  resolve: async (input, { caller, services }) => ({
    queued: await services.mcpServers.discoveries.request(caller, input.uuid ?? null),
  }),
});

mutation('serverCapabilitiesReport', {
  description:
    'Reports the capabilities of a STDIO server of yours, which the platform never starts. CONFLICT for other transports.',
  rateLimit: 'general',
  input: {
    description: 'The capabilities of a STDIO server. A kind that is left out stays as it is.',
    argument: 'The capabilities.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the server.' }),
      tools: t.field({ type: ['JSONObject'], description: 'All tools as returned by `tools/list`.' }),
      resources: t.field({ type: ['JSONObject'], description: 'The resources as returned by `resources/list`.' }),
      resourceTemplates: t.field({
        type: ['JSONObject'],
        description: 'The resource templates as returned by `resources/templates/list`.',
      }),
      prompts: t.field({ type: ['JSONObject'], description: 'The prompts as returned by `prompts/list`.' }),
    }),
  },
  payload: changedServer,
  resolve: async ({ uuid, ...report }, context, info) => {
    const { discoveries, configurations } = context.services.mcpServers;
    await discoveries.report(context.caller, uuid, report);
    return { server: await configurations.findChanged(context.caller, uuid, serverQuery(context, info)) };
  },
});

const McpToolChange = builder.objectRef<ToolChangeRecord>('McpToolChange').implement({
  description: 'A change of a tool between two discoveries.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the object.' }),
    change: t.field({
      type: McpToolChangeKind,
      description: 'Kind of the change.',
      resolve: ({ change }) => change as 'added',
    }),
    before: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Definition before the change; null if the tool was added.',
      resolve: ({ before }) => before as Record<string, unknown> | null,
    }),
    after: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Definition after the change; null if the tool was removed.',
      resolve: ({ after }) => after as Record<string, unknown> | null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the change was detected.' }),
  }),
});

const McpToolChangeConnection = connectionType('McpToolChange', McpToolChange, 'A page of changes, the newest first.');
/** Two definitions. */
const changeBytesMax = 128 * 1024;

query('serverToolChanges', {
  type: McpToolChangeConnection,
  description: 'Changes of the tools of a server that is public or yours, the newest first. At most 100 are kept.',
  args: (arg) => ({
    uuid: arg.string({ required: true, description: 'UUID of the server.' }),
    ...connectionArgs(),
  }),
  extensions: { rateLimit: 'general' },
  resolve: async (_root, { uuid, ...args }, { caller, services }, info) => {
    const { changes } = services.mcpServers;
    const bytesMax = rowsMaxOf(args.first) * changeBytesMax;
    const bytesOf = ({ edges }: { edges: readonly object[] }) => edges.length * changeBytesMax;
    const page = await readForResponse(info, { bytesMax, bytesOf }, () => changes.connection(caller, uuid, args));
    return { ...page, count: () => changes.count(caller, uuid) };
  },
});

const Progress = builder.objectRef<DiscoveryEvent>('ServerDiscoveryProgress').implement({
  description: 'Progress of the discovery of a server.',
  fields: (t) => ({
    serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'UUID of the server.' }),
    stage: t.expose('stage', { type: McpDiscoveryStage, description: 'Stage of the discovery.' }),
    error: t.string({
      nullable: true,
      description: 'Error of a failed discovery.',
      resolve: ({ error }) => error ?? null,
    }),
    offers: t.int({
      nullable: true,
      description: 'Number of capabilities of the server, after the discovery has succeeded.',
      resolve: ({ offers }) => offers ?? null,
    }),
  }),
});

builder.subscriptionField('serverDiscoveryProgressed', (t) =>
  t.field({
    type: Progress,
    description: 'Progress of the discoveries of your servers.',
    args: { uuid: t.arg.string({ description: 'Only events of this server.' }) },
    extensions: { rateLimit: 'general', sharesResults: true },
    subscribe: (_root, args, { caller, services }) => services.mcpServers.watch.progressed(caller, args),
    resolve: (event) => event,
  }),
);

const ToolsChanged = builder.objectRef<ToolsChangedEvent>('ServerToolsChanged').implement({
  description: 'Changes of the tools of a server. `serverToolChanges` has the definitions.',
  fields: (t) => ({
    serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'UUID of the server.' }),
    changes: t.expose('changes', {
      type: [
        builder.objectRef<ToolsChangedEvent['changes'][number]>('ServerToolChanged').implement({
          description: 'A changed tool.',
          fields: (f) => ({
            name: f.exposeString('name', { description: 'Name of the object.' }),
            change: f.expose('change', { type: McpToolChangeKind, description: 'Kind of the change.' }),
          }),
        }),
      ],
      description: 'The tools: at most 100.',
      extensions: { defaultLength: 100 },
    }),
  }),
});

builder.subscriptionField('serverToolsChanged', (t) =>
  t.field({
    type: ToolsChanged,
    description: 'Changes of tools that a discovery finds: of your servers, or of one server that you may see.',
    args: { uuid: t.arg.string({ description: 'Only changes of this server, which may be public.' }) },
    extensions: { rateLimit: 'general', sharesResults: true },
    subscribe: (_root, args, { caller, services }) => services.mcpServers.watch.toolsChanged(caller, args),
    resolve: (event) => event,
  }),
);
