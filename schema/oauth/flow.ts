import { graceMinutes } from '../../src/oauth/index.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { mutation } from '../mutation.ts';

const FlowError = enumOf('OauthFlowError', 'Reason why a server was not authorized.', {
  state_invalid: 'The state is unknown or was already used, or you are not signed in.',
  state_expired: 'The authorization took more than five minutes.',
  integrity_violation: 'The stored state was changed.',
  user_mismatch: 'Another user started the authorization.',
  access_denied: 'The user denied the authorization.',
  code_exchange_failed: 'The authorization server rejected the code, or its response is not valid.',
});

mutation('oauthFlowBegin', {
  description:
    'Starts the authorization of one of your MCP servers. Only for signed-in users; the same user must complete it within five minutes.',
  rateLimit: 'oauth.initiate',
  input: {
    description: 'The server to authorize.',
    argument: 'The server.',
    fields: (t) => ({
      serverUuid: t.string({ required: true, description: 'UUID of an MCP server of yours.' }),
      redirectUri: t.string({ description: 'Path of the callback: `/api/oauth/callback`, the default.' }),
    }),
  },
  payload: {
    authorizationUrl: { type: 'String', description: 'URL to send the browser to.' },
    state: { type: 'String', description: 'The `state` of the authorization request.' },
    expiresAt: { type: 'DateTime', description: 'Expiry of the state: after five minutes.' },
  },
  resolve: (input, { caller, services }) => services.oauth.flows.begin(caller, input),
});

mutation('oauthFlowComplete', {
  description: 'Completes an authorization, as GET /api/oauth/callback does.',
  rateLimit: 'oauth.callback',
  input: {
    description: 'The query of the callback.',
    fields: (t) => ({
      state: t.string({ description: 'The `state` of the authorization request, which can be used once.' }),
      code: t.string({ description: 'The authorization code, which can be used once.' }),
      error: t.string({ description: 'The error that the authorization server sent instead of a code.' }),
      iss: t.string({ description: 'The issuer of the response (RFC 9207).' }),
    }),
  },
  payload: {
    error: {
      type: FlowError,
      nullable: true,
      description: 'Reason why the server was not authorized; null if it was authorized.',
    },
    serverUuid: {
      type: 'UUID',
      nullable: true,
      description: 'UUID of the server; null if the callback belongs to no authorization of yours.',
    },
  },
  resolve: (input, { caller, services }) => services.oauth.flows.complete(caller, input),
});

mutation('oauthTokensRefresh', {
  description:
    'Refreshes the tokens of one of your MCP servers. Only for signed-in users. Simultaneous calls share one refresh. CONFLICT when a refresh token was used twice: all tokens of the server are revoked then.',
  rateLimit: 'oauth.refresh',
  input: {
    description: 'The server whose tokens are refreshed.',
    argument: 'The server.',
    fields: (t) => ({ serverUuid: t.string({ required: true, description: 'UUID of an MCP server of yours.' }) }),
  },
  payload: {
    expiresAt: {
      type: 'DateTime',
      nullable: true,
      description: 'Expiry of the new access token; null if the authorization server did not say.',
    },
  },
  resolve: (input, { caller, services }) => services.oauth.flows.refresh(caller, input),
});

const CleanupPayload = builder.objectRef<{ deleted: number; at: Date }>('OauthStatesCleanupPayload').implement({
  description: 'Result of `oauthStatesCleanup`.',
  fields: (t) => ({
    deleted: t.exposeInt('deleted', { description: 'Number of states that were removed.' }),
    gracePeriodMinutes: t.int({
      description: 'Minutes that an expired state is kept.',
      resolve: () => graceMinutes,
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Time of the cleanup.' }),
  }),
});

mutation('oauthStatesCleanup', {
  description:
    'Removes the PKCE states that expired more than ten minutes ago, as POST /api/oauth/cleanup-pkce does. Only for administrators. It also runs every 15 minutes.',
  rateLimit: 'oauth.cleanup',
  payload: CleanupPayload,
  resolve: (_none, { caller, services, capabilities }) =>
    services.oauth.states.cleanUpNow(caller, capabilities.has('run-maintenance')),
});
