import type { GraphQLResolveInfo } from 'graphql';
import type { InputFieldBuilder } from '../builder.ts';
import { rowQuery } from '../connection.ts';
import type { Context } from '../context.ts';
import { mutation, selector } from '../mutation.ts';
import { McpPackageType, McpTransport } from './enums.ts';
import { McpServer } from './server.ts';

/** The selection of the server in the payload. */
export const serverQuery = (context: Context, info: GraphQLResolveInfo) =>
  rowQuery(context, info, 'McpServer', 'server');

/** The payload of mutations that change a server. */
export const changedServer = { server: { type: McpServer, description: 'The server after the operation.' } } as const;

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

/** Fields that are the same when a server is created and when it is changed. */
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

mutation('serverCreate', {
  description: 'Adds a private MCP server to your profile. A profile has at most 200 servers.',
  rateLimit: 'general',
  input: {
    description: 'An MCP server.',
    argument: 'The server.',
    fields: (t) => ({
      name: t.string({ required: true, description: descriptions.name }),
      ...commonFields(t),
      transport: t.field({ type: McpTransport, description: descriptions.transport }),
      env: t.field({ type: 'JSONObject', description: descriptions.env }),
      headers: t.field({ type: 'JSONObject', description: descriptions.headers }),
    }),
  },
  payload: changedServer,
  resolve: async (input, context, info) => ({
    server: await context.services.mcpServers.configurations.create(context.caller, input, serverQuery(context, info)),
  }),
});

mutation('serverUpdate', {
  description: 'Updates a server of yours.',
  rateLimit: 'general',
  input: {
    description: 'The fields to change. Fields that are left out stay as they are; null empties optional fields.',
    argument: 'The changes.',
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
  },
  payload: changedServer,
  resolve: async ({ uuid, ...change }, context, info) => ({
    server: await context.services.mcpServers.configurations.update(
      context.caller,
      uuid,
      change,
      serverQuery(context, info),
    ),
  }),
});

mutation('serverVisibilitySet', {
  description: 'Makes a server of yours public or private. Secrets stay masked.',
  rateLimit: 'general',
  input: {
    description: 'The visibility of a server.',
    argument: 'The server and its visibility.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the server.' }),
      isPublic: t.boolean({
        required: true,
        description: 'True to make the server public, false to make it private to your profile.',
      }),
    }),
  },
  payload: changedServer,
  resolve: async ({ uuid, isPublic }, context, info) => ({
    server: await context.services.mcpServers.configurations.setVisibility(
      context.caller,
      uuid,
      { isPublic },
      serverQuery(context, info),
    ),
  }),
});

mutation('serverDelete', {
  description: 'Deletes a server of yours with everything that belongs to it.',
  rateLimit: 'general',
  input: selector('The server to delete.', { argument: 'Selects the server.' }),
  payload: { uuid: { type: 'UUID', description: 'UUID of the deleted server.' } },
  resolve: async (input, { caller, services }) => ({
    uuid: await services.mcpServers.configurations.remove(caller, input.uuid),
  }),
});
