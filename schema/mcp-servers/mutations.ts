import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { builder, type InputFieldBuilder } from '../builder.ts';
import { rowColumns } from '../connection.ts';
import type { Context } from '../context.ts';
import { McpPackageType, McpTransport } from './enums.ts';
import { McpServer } from './server.ts';

type ServerRow = typeof McpServer.$inferType;

/** What of the server the payload is asked for. */
export const serverQuery = (context: Context, info: GraphQLResolveInfo) =>
  queryFromInfo({ context, info, typeName: 'McpServer', path: ['server'], select: rowColumns });

export const serverPayload = (name: string, description: string) =>
  builder.objectRef<{ server: ServerRow }>(name).implement({
    description,
    fields: (t) => ({
      server: t.field({ type: McpServer, description: 'The server as it is now.', resolve: ({ server }) => server }),
    }),
  });

const descriptions = {
  name: '1 to 255 characters.',
  title: 'For people.',
  description: 'What it is for: at most 5 000 characters.',
  transport: 'Left out: HTTP where there is a url and no command, else STDIO.',
  command: 'What a client starts; needed for STDIO. The platform never runs it.',
  args: 'What the command is given: at most 256.',
  url: 'Where it is; needed for HTTP and SSE. A public host.',
  env: 'An object of strings. Kept encrypted, and masked from now on.',
  headers: 'What is sent to the url, an object of strings. Kept encrypted, and masked from now on.',
  notes: 'For yourself: at most 10 000 characters.',
  repositoryUrl: 'Where its source is.',
  packageType: 'Where it is packaged.',
  category: 'What it is among: at most 64 characters.',
  tags: 'Words to find it by: at most 20 of 50 characters.',
  version: 'Its version.',
} as const;

/** What is said of a server alike when it is made and when it is changed. */
const commonFields = (t: InputFieldBuilder) => ({
  title: t.string({ description: descriptions.title }),
  description: t.string({ description: descriptions.description }),
  command: t.string({ description: descriptions.command }),
  args: t.stringList({ description: descriptions.args }),
  url: t.string({ description: descriptions.url }),
  notes: t.string({ description: descriptions.notes }),
  repositoryUrl: t.string({ description: descriptions.repositoryUrl }),
  packageType: t.field({ type: McpPackageType, description: descriptions.packageType }),
  category: t.string({ description: descriptions.category }),
  tags: t.stringList({ description: descriptions.tags }),
  version: t.string({ description: descriptions.version }),
});

const ServerCreateInput = builder.inputType('ServerCreateInput', {
  description: 'An MCP server.',
  fields: (t) => ({
    name: t.string({ required: true, description: descriptions.name }),
    ...commonFields(t),
    transport: t.field({ type: McpTransport, description: descriptions.transport }),
    env: t.field({ type: 'JSONObject', description: descriptions.env }),
    headers: t.field({ type: 'JSONObject', description: descriptions.headers }),
  }),
});

const ServerCreatePayload = serverPayload('ServerCreatePayload', 'What `serverCreate` did.');

builder.mutationField('serverCreate', (t) =>
  t.field({
    type: ServerCreatePayload,
    description: 'Adds an MCP server to your profile, for you alone. At most 200 in a profile.',
    args: { input: t.arg({ type: ServerCreateInput, required: true, description: 'The server.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => ({
      server: await context.services.mcpServers.configurations.create(
        context.caller,
        input,
        serverQuery(context, info),
      ),
    }),
  }),
);

const ServerUpdateInput = builder.inputType('ServerUpdateInput', {
  description: 'What to change; the rest stays, and null empties what may be empty.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Which server.' }),
    name: t.string({ description: descriptions.name }),
    ...commonFields(t),
    transport: t.field({ type: McpTransport, description: 'How it is used.' }),
    env: t.field({
      type: 'JSONObject',
      description: 'Takes the place of the whole. A value that is still `********` stays what it was.',
    }),
    headers: t.field({ type: 'JSONObject', description: 'Likewise.' }),
  }),
});

const ServerUpdatePayload = serverPayload('ServerUpdatePayload', 'What `serverUpdate` did.');

builder.mutationField('serverUpdate', (t) =>
  t.field({
    type: ServerUpdatePayload,
    description: 'Changes a server of yours.',
    args: { input: t.arg({ type: ServerUpdateInput, required: true, description: 'What to change.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...change } }, context, info) => ({
      server: await context.services.mcpServers.configurations.update(
        context.caller,
        uuid,
        change,
        serverQuery(context, info),
      ),
    }),
  }),
);

const ServerVisibilitySetInput = builder.inputType('ServerVisibilitySetInput', {
  description: 'Who sees a server.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Which server.' }),
    isPublic: t.boolean({ required: true, description: 'True for everybody, false for your profile alone.' }),
  }),
});

const ServerVisibilitySetPayload = serverPayload('ServerVisibilitySetPayload', 'What `serverVisibilitySet` did.');

builder.mutationField('serverVisibilitySet', (t) =>
  t.field({
    type: ServerVisibilitySetPayload,
    description: 'Shows a server of yours to everybody, or to your profile alone. Its secrets stay masked.',
    args: { input: t.arg({ type: ServerVisibilitySetInput, required: true, description: 'Which, and to whom.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, isPublic } }, context, info) => ({
      server: await context.services.mcpServers.configurations.setVisibility(
        context.caller,
        uuid,
        { isPublic },
        serverQuery(context, info),
      ),
    }),
  }),
);

const ServerDeleteInput = builder.inputType('ServerDeleteInput', {
  description: 'The server to delete.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'Its uuid.' }) }),
});

const ServerDeletePayload = builder.objectRef<{ uuid: string }>('ServerDeletePayload').implement({
  description: 'What `serverDelete` did.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'The server that is gone.' }) }),
});

builder.mutationField('serverDelete', (t) =>
  t.field({
    type: ServerDeletePayload,
    description: 'Deletes a server of yours with all that belongs to it.',
    args: { input: t.arg({ type: ServerDeleteInput, required: true, description: 'Which server.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      uuid: await services.mcpServers.configurations.remove(caller, input.uuid),
    }),
  }),
);
