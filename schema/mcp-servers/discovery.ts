import type { DiscoveryNews, ToolChangeRecord, ToolNews } from '../../src/mcp-servers/index.ts';
import { readForAnswer } from '../answer-budget.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowsMaxOf } from '../connection.ts';
import { McpDiscoveryStage, McpToolChangeKind } from './enums.ts';
import { serverPayload, serverQuery } from './mutations.ts';

const ServerDiscoverInput = builder.inputType('ServerDiscoverInput', {
  description: 'What to ask.',
  fields: (t) => ({ uuid: t.string({ description: 'Which server; all of yours by default.' }) }),
});

const ServerDiscoverPayload = builder.objectRef<{ queued: number }>('ServerDiscoverPayload').implement({
  description: 'What `serverDiscover` did.',
  fields: (t) => ({
    queued: t.exposeInt('queued', {
      description: 'How many servers will be asked: without those that are STDIO, or about to be asked already.',
    }),
  }),
});

builder.mutationField('serverDiscover', (t) =>
  t.field({
    type: ServerDiscoverPayload,
    description: 'Asks servers of yours what they offer, soon. `serverDiscoveryProgressed` tells how far it is.',
    args: { input: t.arg({ type: ServerDiscoverInput, required: true, description: 'What to ask.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      queued: await services.mcpServers.discoveries.request(caller, input.uuid ?? null),
    }),
  }),
);

const ServerCapabilitiesReportInput = builder.inputType('ServerCapabilitiesReportInput', {
  description: 'What a client found out of a STDIO server. A kind that is left out stays as it was.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Which server.' }),
    tools: t.field({ type: ['JSONObject'], description: 'As `tools/list` answers them: all of them.' }),
    resources: t.field({ type: ['JSONObject'], description: 'As `resources/list` answers them.' }),
    resourceTemplates: t.field({ type: ['JSONObject'], description: 'As `resources/templates/list` answers them.' }),
    prompts: t.field({ type: ['JSONObject'], description: 'As `prompts/list` answers them.' }),
  }),
});

const ServerCapabilitiesReportPayload = serverPayload(
  'ServerCapabilitiesReportPayload',
  'What `serverCapabilitiesReport` did.',
);

builder.mutationField('serverCapabilitiesReport', (t) =>
  t.field({
    type: ServerCapabilitiesReportPayload,
    description: 'Tells what a STDIO server of yours offers, which the platform never starts. CONFLICT for any other.',
    args: { input: t.arg({ type: ServerCapabilitiesReportInput, required: true, description: 'What it offers.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...report } }, context, info) => {
      const { discoveries, configurations } = context.services.mcpServers;
      await discoveries.report(context.caller, uuid, report);
      return { server: await configurations.findChanged(context.caller, uuid, serverQuery(context, info)) };
    },
  }),
);

const McpToolChange = builder.objectRef<ToolChangeRecord>('McpToolChange').implement({
  description: 'A tool that was another at one discovery than at the one before.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    change: t.field({
      type: McpToolChangeKind,
      description: 'In what way.',
      resolve: ({ change }) => change as 'added',
    }),
    before: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Its definition before; null for one that was added.',
      resolve: ({ before }) => before as Record<string, unknown> | null,
    }),
    after: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Its definition afterwards; null for one that was removed.',
      resolve: ({ after }) => after as Record<string, unknown> | null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was noticed.' }),
  }),
});

const McpToolChangeConnection = connectionType('McpToolChange', McpToolChange, 'A page of changes, the newest first.');
/** Two definitions. */
const changeBytesMax = 128 * 1024;

builder.queryField('serverToolChanges', (t) =>
  t.field({
    type: McpToolChangeConnection,
    description:
      'What changed of the tools of a server that is public or yours, the newest first: at most 100 are kept.',
    args: {
      uuid: t.arg.string({ required: true, description: 'Which server.' }),
      ...connectionArgs(),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { uuid, ...args }, { caller, services }, info) => {
      const { changes } = services.mcpServers;
      const bytesMax = rowsMaxOf(args.first) * changeBytesMax;
      const bytesOf = ({ edges }: { edges: readonly object[] }) => edges.length * changeBytesMax;
      const page = await readForAnswer(info, { bytesMax, bytesOf }, () => changes.connection(caller, uuid, args));
      return { ...page, count: () => changes.count(caller, uuid) };
    },
  }),
);

const Progress = builder.objectRef<DiscoveryNews>('ServerDiscoveryProgress').implement({
  description: 'How far the discovery of a server is.',
  fields: (t) => ({
    serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'The server.' }),
    stage: t.field({ type: McpDiscoveryStage, description: 'How far.', resolve: ({ stage }) => stage }),
    error: t.string({ nullable: true, description: 'Why it failed.', resolve: ({ error }) => error ?? null }),
    offers: t.int({
      nullable: true,
      description: 'How many things the server offers, once it has succeeded.',
      resolve: ({ offers }) => offers ?? null,
    }),
  }),
});

builder.subscriptionField('serverDiscoveryProgressed', (t) =>
  t.field({
    type: Progress,
    description: 'How far the discoveries of your servers are, whenever they are further.',
    args: { uuid: t.arg.string({ description: 'Only those of this server.' }) },
    extensions: { rateLimit: 'general', sharesResults: true },
    subscribe: (_root, args, { caller, services }) => services.mcpServers.watch.progressed(caller, args),
    resolve: (news) => news,
  }),
);

const ToolsChanged = builder.objectRef<ToolNews>('ServerToolsChanged').implement({
  description: 'That tools of a server are others than they were. `serverToolChanges` has their definitions.',
  fields: (t) => ({
    serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'The server.' }),
    changes: t.field({
      type: [
        builder.objectRef<ToolNews['changes'][number]>('ServerToolChanged').implement({
          description: 'A tool that is another.',
          fields: (f) => ({
            name: f.exposeString('name', { description: 'Its name.' }),
            change: f.field({
              type: McpToolChangeKind,
              description: 'In what way.',
              resolve: ({ change }) => change,
            }),
          }),
        }),
      ],
      description: 'The tools: at most 100.',
      extensions: { defaultLength: 100 },
      resolve: ({ changes }) => [...changes],
    }),
  }),
});

builder.subscriptionField('serverToolsChanged', (t) =>
  t.field({
    type: ToolsChanged,
    description:
      'Whenever a discovery finds other tools than the one before: of your servers, or of one that you may see.',
    args: { uuid: t.arg.string({ description: 'Only those of this server, which may be a public one.' }) },
    extensions: { rateLimit: 'general', sharesResults: true },
    subscribe: (_root, args, { caller, services }) => services.mcpServers.watch.toolsChanged(caller, args),
    resolve: (news) => news,
  }),
);
