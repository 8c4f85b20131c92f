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
      server: t.field({
        type: McpServer,
        description: 'The server after the operation.',
        resolve: ({ server }) => server,
      }),
    }),
  });

const descriptions = {
  name: '1 to 255 characters.',
  title: 'Title for display.',
  description: 'Purpose of the server, at most 5 000 characters.',
  transport: 'Transport. The default is HTTP if there is a url and no command, otherwise STDIO.',
  command: 'Command that a client runs to start the server; required for STDIO. The platform never runs it.',
  args: 'Arguments of the command, at most 256.',
  url: 'URL of the server; required for HTTP and SSE. The host must be public.',
  env: 'Environment variables: an object of strings. Values are stored encrypted and shown masked.',
  headers: 'HTTP headers: an object of strings. Values are stored encrypted and shown masked.',
  notes: 'Private notes, at most 10 000 characters.',
  repositoryUrl: 'URL of the source repository.',
  packageType: 'Package registry of the server.',
  category: 'Category, at most 64 characters.',
  tags: 'Tags for search: at most 20, each of at most 50 characters.',
  version: 'Version of the server.',
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

const ServerCreatePayload = serverPayload('ServerCreatePayload', 'Result of `serverCreate`.');

builder.mutationField('serverCreate', (t) =>
  t.field({
    type: ServerCreatePayload,
    description: 'Adds a private MCP server to your profile. A profile has at most 200 servers.',
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
  description: 'The fields to change. Fields that are left out stay as they are; null empties optional fields.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the server.' }),
    name: t.string({ description: descriptions.name }),
    ...commonFields(t),
    transport: t.field({ type: McpTransport, description: 'Transport of the server.' }),
    env: t.field({
      type: 'JSONObject',
      description:
        'Environment variables. They replace all existing ones; a value `********` keeps the existing value.',
    }),
    headers: t.field({
      type: 'JSONObject',
      description: 'HTTP headers. They replace all existing ones; a value `********` keeps the existing value.',
    }),
  }),
});

const ServerUpdatePayload = serverPayload('ServerUpdatePayload', 'Result of `serverUpdate`.');

builder.mutationField('serverUpdate', (t) =>
  t.field({
    type: ServerUpdatePayload,
    description: 'Updates a server of yours.',
    args: { input: t.arg({ type: ServerUpdateInput, required: true, description: 'The changes.' }) },
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
  description: 'The visibility of a server.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the server.' }),
    isPublic: t.boolean({
      required: true,
      description: 'True to make the server public, false to make it private to your profile.',
    }),
  }),
});

const ServerVisibilitySetPayload = serverPayload('ServerVisibilitySetPayload', 'Result of `serverVisibilitySet`.');

builder.mutationField('serverVisibilitySet', (t) =>
  t.field({
    type: ServerVisibilitySetPayload,
    description: 'Makes a server of yours public or private. Secrets stay masked.',
    args: {
      input: t.arg({ type: ServerVisibilitySetInput, required: true, description: 'The server and its visibility.' }),
    },
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
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

const ServerDeletePayload = builder.objectRef<{ uuid: string }>('ServerDeletePayload').implement({
  description: 'Result of `serverDelete`.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the deleted server.' }) }),
});

builder.mutationField('serverDelete', (t) =>
  t.field({
    type: ServerDeletePayload,
    description: 'Deletes a server of yours with everything that belongs to it.',
    args: { input: t.arg({ type: ServerDeleteInput, required: true, description: 'Selects the server.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      uuid: await services.mcpServers.configurations.remove(caller, input.uuid),
    }),
  }),
);
