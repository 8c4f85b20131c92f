import { type FlowOutcome, graceMinutes } from '../../src/oauth/index.ts';
import { builder } from '../builder.ts';

const FlowError = builder.enumType('OauthFlowError', {
  description: 'Reason why a server was not authorized.',
  values: {
    STATE_INVALID: {
      value: 'state_invalid',
      description: 'The state is unknown or was already used, or you are not signed in.',
    },
    STATE_EXPIRED: { value: 'state_expired', description: 'The authorization took more than five minutes.' },
    INTEGRITY_VIOLATION: { value: 'integrity_violation', description: 'The stored state was changed.' },
    USER_MISMATCH: { value: 'user_mismatch', description: 'Another user started the authorization.' },
    ACCESS_DENIED: { value: 'access_denied', description: 'The user denied the authorization.' },
    CODE_EXCHANGE_FAILED: {
      value: 'code_exchange_failed',
      description: 'The authorization server did not exchange the code for tokens, or its response is not valid.',
    },
  } as const,
});

const BeginInput = builder.inputType('OauthFlowBeginInput', {
  description: 'The server to authorize.',
  fields: (t) => ({
    serverUuid: t.string({ required: true, description: 'UUID of an MCP server of yours.' }),
    redirectUri: t.string({ description: 'Path of the callback: `/api/oauth/callback`, the default.' }),
  }),
});

const BeginPayload = builder
  .objectRef<{ authorizationUrl: string; state: string; expiresAt: Date }>('OauthFlowBeginPayload')
  .implement({
    description: 'Result of `oauthFlowBegin`.',
    fields: (t) => ({
      authorizationUrl: t.exposeString('authorizationUrl', { description: 'URL to send the browser to.' }),
      state: t.exposeString('state', { description: 'The `state` of the authorization request.' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Expiry of the state: after five minutes.' }),
    }),
  });

builder.mutationField('oauthFlowBegin', (t) =>
  t.field({
    type: BeginPayload,
    description:
      'Starts the authorization of one of your MCP servers. Only for signed-in users; the same user must complete it within five minutes.',
    args: { input: t.arg({ type: BeginInput, required: true, description: 'The server.' }) },
    extensions: { rateLimit: 'oauth.initiate' },
    resolve: (_root, { input }, { caller, services }) => services.oauth.flows.begin(caller, input),
  }),
);

const CompleteInput = builder.inputType('OauthFlowCompleteInput', {
  description: 'The query of the callback.',
  fields: (t) => ({
    state: t.string({ description: 'The `state` of the authorization request, which can be used once.' }),
    code: t.string({ description: 'The authorization code, which can be used once.' }),
    error: t.string({ description: 'The error that the authorization server sent instead of a code.' }),
    iss: t.string({ description: 'The issuer of the response (RFC 9207).' }),
  }),
});

const CompletePayload = builder.objectRef<FlowOutcome>('OauthFlowCompletePayload').implement({
  description: 'Result of `oauthFlowComplete`.',
  fields: (t) => ({
    error: t.field({
      type: FlowError,
      nullable: true,
      description: 'Reason why the server was not authorized; null if it was authorized.',
      resolve: ({ error }) => error,
    }),
    serverUuid: t.expose('serverUuid', {
      type: 'UUID',
      nullable: true,
      description: 'UUID of the server; null if the callback belongs to no authorization of yours.',
    }),
  }),
});

builder.mutationField('oauthFlowComplete', (t) =>
  t.field({
    type: CompletePayload,
    description: 'Completes an authorization, as GET /api/oauth/callback does.',
    args: { input: t.arg({ type: CompleteInput, required: true, description: 'The query of the callback.' }) },
    extensions: { rateLimit: 'oauth.callback' },
    resolve: (_root, { input }, { caller, services }) => services.oauth.flows.complete(caller, input),
  }),
);

const RefreshInput = builder.inputType('OauthTokensRefreshInput', {
  description: 'The server whose tokens are refreshed.',
  fields: (t) => ({ serverUuid: t.string({ required: true, description: 'UUID of an MCP server of yours.' }) }),
});

const RefreshPayload = builder.objectRef<{ expiresAt: Date | null }>('OauthTokensRefreshPayload').implement({
  description: 'Result of `oauthTokensRefresh`.',
  fields: (t) => ({
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Expiry of the new access token; null if the authorization server did not say.',
    }),
  }),
});

builder.mutationField('oauthTokensRefresh', (t) =>
  t.field({
    type: RefreshPayload,
    description:
      'Refreshes the tokens of one of your MCP servers. Only for signed-in users. Simultaneous calls share one refresh. CONFLICT when a refresh token was used twice: all tokens of the server are revoked then.',
    args: { input: t.arg({ type: RefreshInput, required: true, description: 'The server.' }) },
    extensions: { rateLimit: 'oauth.refresh' },
    resolve: (_root, { input }, { caller, services }) => services.oauth.flows.refresh(caller, input),
  }),
);

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

builder.mutationField('oauthStatesCleanup', (t) =>
  t.field({
    type: CleanupPayload,
    description:
      'Removes the PKCE states that expired more than ten minutes ago, as POST /api/oauth/cleanup-pkce does. Only for administrators. It also runs every 15 minutes.',
    extensions: { rateLimit: 'oauth.cleanup' },
    resolve: (_root, _args, { caller, services, capabilities }) =>
      services.oauth.states.cleanUpNow(caller, capabilities.has('run-maintenance')),
  }),
);
