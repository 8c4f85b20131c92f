import DataLoader from 'dataloader';
import type { ServerAuthorization } from '../../src/oauth/index.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { perExecution } from '../loader.ts';
import { changedServer, serverQuery } from '../mcp-servers/mutations.ts';
import { McpServer } from '../mcp-servers/server.ts';
import { mutation } from '../mutation.ts';
import { optional } from '../optional.ts';

/** The authorizations of all servers of one response, in one statement. */
const authorizationLoader = perExecution(
  ({ caller, services }) =>
    new DataLoader((uuids: readonly string[]) => services.oauth.serverSettings.authorizations(caller, uuids), {
      cache: false,
    }),
);

const ClientKind = enumOf('OauthClientKind', 'Origin of the client at an authorization server.', {
  configured: 'The owner of the server has configured it.',
  metadata_document: 'The id is the URL of a metadata document of the platform.',
  registered: 'The platform registered it dynamically (RFC 7591).',
});

const Authorization = builder.objectRef<ServerAuthorization>('McpServerAuthorization').implement({
  description: 'Authorization of the platform at an MCP server.',
  fields: (t) => ({
    isAuthorized: t.exposeBoolean('isAuthorized', { description: 'Whether the platform holds tokens for the server.' }),
    issuer: t.exposeString('issuer', optional('Issuer of the authorization server, if it is known.')),
    clientKind: t.expose('clientKind', {
      type: ClientKind,
      nullable: true,
      description: 'Kind of the client; null if there is none yet.',
    }),
    clientId: t.exposeString('clientId', optional('Id of the client.')),
    allowsOtherIssuer: t.exposeBoolean('allowsOtherIssuer', {
      description: 'Exception: accept metadata with an issuer other than the one it was read from. False by default.',
    }),
    omitsResource: t.exposeBoolean('omitsResource', {
      description: 'Exception: send no `resource` parameter. False by default.',
    }),
    omitsReport: t.exposeBoolean('omitsReport', {
      description: 'Whether the server is excluded from authorization reports. False by default.',
    }),
  }),
});

builder.prismaObjectField(McpServer, 'authorization', (t) =>
  t.field({
    type: Authorization,
    nullable: true,
    description: 'Authorization of the platform at the server; null unless the server belongs to your profile.',
    resolve: ({ uuid }, _args, context, info) => authorizationLoader(context, info).load(uuid),
  }),
);

const AuthenticationMethod = enumOf(
  'OauthAuthenticationMethod',
  'Client authentication at the token endpoint (RFC 6749, 2.3.1).',
  {
    client_secret_basic: 'By HTTP Basic authentication; the default.',
    client_secret_post: 'In the body of the request.',
  },
);

const ClientInput = builder.inputType('OauthClientInput', {
  description: 'A client that was registered manually at an authorization server.',
  fields: (t) => ({
    issuer: t.string({
      required: true,
      description: 'Issuer of the authorization server. The client is used only there.',
    }),
    clientId: t.string({ required: true, description: 'Id of the client.' }),
    clientSecret: t.string({ description: 'Secret of the client; left out for a public client.' }),
    authenticationMethod: t.field({
      type: AuthenticationMethod,
      description: 'Client authentication with the secret: CLIENT_SECRET_BASIC by default.',
    }),
  }),
});

mutation('oauthServerConfigure', {
  description:
    'Sets the OAuth client of one of your MCP servers, exceptions from the checks, and whether it has an authorization report. Every change is a security event.',
  rateLimit: 'sensitive',
  input: {
    description: 'The settings to change. Fields that are left out stay as they are.',
    argument: 'The settings.',
    fields: (t) => ({
      serverUuid: t.string({ required: true, description: 'UUID of an MCP server of yours.' }),
      client: t.field({ type: ClientInput, description: 'Replaces the configured client.' }),
      removesClient: t.boolean({ description: 'Whether to remove the configured client.' }),
      allowsOtherIssuer: t.boolean({
        description: 'Exception: accept metadata with an issuer other than the one it was read from.',
      }),
      omitsResource: t.boolean({ description: 'Exception: send no `resource` parameter.' }),
      omitsReport: t.boolean({
        description: 'Whether to exclude the server from authorization reports. True also removes the current report.',
      }),
    }),
  },
  payload: changedServer,
  resolve: async (input, context, info) => {
    const { oauth, mcpServers } = context.services;
    const uuid = await oauth.serverSettings.configure(context.caller, input);
    return { server: await mcpServers.configurations.findChanged(context.caller, uuid, serverQuery(context, info)) };
  },
});
