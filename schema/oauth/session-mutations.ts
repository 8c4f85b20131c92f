import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { CompletedSession } from '../../src/oauth/index.ts';
import { builder } from '../builder.ts';
import { rowColumns } from '../connection.ts';
import type { Context } from '../context.ts';
import { OauthSession } from './session.ts';

type SessionRow = typeof OauthSession.$inferType;

/** The session of a payload, with the columns that the document asks for. */
const sessionOf = (context: Context, info: GraphQLResolveInfo, uuid: string) =>
  context.services.oauth.sessions.findChanged(
    context.caller,
    uuid,
    queryFromInfo({ context, info, typeName: 'OauthSession', path: ['session'], select: rowColumns }),
  );

const CreateInput = builder.inputType('OauthSessionCreateInput', {
  description: 'A new OAuth session.',
  fields: (t) => ({
    provider: t.string({
      required: true,
      description: 'Name of a provider that the operator has configured, or UUID or slug of an MCP server of yours.',
    }),
    redirectUri: t.string({
      required: true,
      description: 'URL to which the authorization server redirects the browser: https, or http on loopback.',
    }),
    scopes: t.stringList({ description: 'Scopes to ask for. Left out: those that the provider or the server names.' }),
  }),
});

const CreatePayload = builder
  .objectRef<{ authorizationUrl: string; session: SessionRow }>('OauthSessionCreatePayload')
  .implement({
    description: 'Result of `oauthSessionCreate`.',
    fields: (t) => ({
      authorizationUrl: t.exposeString('authorizationUrl', { description: 'URL to send the browser to.' }),
      session: t.field({ type: OauthSession, description: 'The pending session.', resolve: ({ session }) => session }),
    }),
  });

builder.mutationField('oauthSessionCreate', (t) =>
  t.field({
    type: CreatePayload,
    description:
      'Starts an authorization. Send the browser to the URL, and pass what comes back to `oauthSessionComplete` within five minutes.',
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The session.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { redirectUri, ...input } }, context, info) => {
      const { create } = context.services.oauth.sessions;
      const { authorizationUrl, uuid } = await create(context.caller, { ...input, redirect_uri: redirectUri });
      return { authorizationUrl, session: await sessionOf(context, info, uuid) };
    },
  }),
);

const CompleteInput = builder.inputType('OauthSessionCompleteInput', {
  description: 'The parameters of the redirect back from the authorization server.',
  fields: (t) => ({
    sessionId: t.string({ required: true, description: 'UUID of the session.' }),
    code: t.string({ required: true, description: 'The authorization code, which can be used once.' }),
    state: t.string({ required: true, description: 'The `state` of the redirect, which can be used once.' }),
    iss: t.string({ description: 'The `iss` of the redirect, where it has one (RFC 9207).' }),
  }),
});

const CompletePayload = builder
  .objectRef<CompletedSession & { session: SessionRow }>('OauthSessionCompletePayload')
  .implement({
    description: 'Result of `oauthSessionComplete`. The tokens are ciphertext that only the platform can use.',
    fields: (t) => ({
      accessToken: t.exposeString('accessToken', { description: 'The access token, encrypted.' }),
      refreshToken: t.exposeString('refreshToken', {
        nullable: true,
        description: 'The refresh token, encrypted; null if the authorization server gave none.',
      }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Expiry of the access token; null if the authorization server did not say.',
      }),
      session: t.field({ type: OauthSession, description: 'The active session.', resolve: ({ session }) => session }),
    }),
  });

builder.mutationField('oauthSessionComplete', (t) =>
  t.field({
    type: CompletePayload,
    description: 'Completes an authorization: exchanges the code for tokens. The state is used up, also by a failure.',
    args: { input: t.arg({ type: CompleteInput, required: true, description: 'The parameters of the redirect.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { sessionId, ...input } }, context, info) => {
      const { complete } = context.services.oauth.sessions;
      const completed = await complete(context.caller, { ...input, session_id: sessionId });
      return { ...completed, session: await sessionOf(context, info, completed.uuid) };
    },
  }),
);

const RevokeInput = builder.inputType('OauthSessionRevokeInput', {
  description: 'The session to revoke.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the session.' }) }),
});

const RevokePayload = builder.objectRef<{ session: SessionRow }>('OauthSessionRevokePayload').implement({
  description: 'Result of `oauthSessionRevoke`.',
  fields: (t) => ({
    session: t.field({
      type: OauthSession,
      description: 'The session after the operation.',
      resolve: ({ session }) => session,
    }),
  }),
});

builder.mutationField('oauthSessionRevoke', (t) =>
  t.field({
    type: RevokePayload,
    description:
      'Revokes a session: the platform removes its tokens, and tells the authorization server. A session that is over stays as it is.',
    args: { input: t.arg({ type: RevokeInput, required: true, description: 'Selects the session.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => {
      const uuid = await context.services.oauth.sessions.revoke(context.caller, input.uuid);
      return { session: await sessionOf(context, info, uuid) };
    },
  }),
);
