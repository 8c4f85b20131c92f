import type { GraphQLResolveInfo } from 'graphql';
import { rowQuery } from '../connection.ts';
import type { Context } from '../context.ts';
import { mutation, selector } from '../mutation.ts';
import { OauthSession } from './session.ts';

/** The session of a payload, with the columns that the document asks for. */
const sessionOf = (context: Context, info: GraphQLResolveInfo, uuid: string) =>
  context.services.oauth.sessions.findChanged(context.caller, uuid, rowQuery(context, info, 'OauthSession', 'session'));

mutation('oauthSessionCreate', {
  description:
    'Starts an authorization. Send the browser to the URL, and pass what comes back to `oauthSessionComplete` within five minutes.',
  rateLimit: 'general',
  input: {
    description: 'A new OAuth session.',
    argument: 'The session.',
    fields: (t) => ({
      provider: t.string({
        required: true,
        description: 'Name of a provider that the operator has configured, or UUID or slug of an MCP server of yours.',
      }),
      redirectUri: t.string({
        required: true,
        description: 'URL to which the authorization server redirects the browser: https, or http on loopback.',
      }),
      scopes: t.stringList({
        description: 'Scopes to request; by default those that the provider or the server names.',
      }),
    }),
  },
  payload: {
    authorizationUrl: { type: 'String', description: 'URL to send the browser to.' },
    session: { type: OauthSession, description: 'The pending session.' },
  },
  resolve: async ({ redirectUri, ...input }, context, info) => {
    const { create } = context.services.oauth.sessions;
    const { authorizationUrl, uuid } = await create(context.caller, { ...input, redirect_uri: redirectUri });
    return { authorizationUrl, session: await sessionOf(context, info, uuid) };
  },
});

mutation('oauthSessionComplete', {
  description:
    'Completes an authorization: exchanges the code for tokens. The state can be used once, also if the exchange fails.',
  rateLimit: 'general',
  input: {
    description: 'The parameters of the redirect back from the authorization server.',
    argument: 'The parameters of the redirect.',
    fields: (t) => ({
      sessionId: t.string({ required: true, description: 'UUID of the session.' }),
      code: t.string({ required: true, description: 'The authorization code, which can be used once.' }),
      state: t.string({ required: true, description: 'The `state` of the redirect, which can be used once.' }),
      iss: t.string({ description: 'The `iss` of the redirect, where it has one (RFC 9207).' }),
    }),
  },
  payload: {
    accessToken: { type: 'String', description: 'The access token, encrypted.' },
    refreshToken: {
      type: 'String',
      nullable: true,
      description: 'The refresh token, encrypted; null if the authorization server gave none.',
    },
    expiresAt: {
      type: 'DateTime',
      nullable: true,
      description: 'Expiry of the access token; null if the authorization server did not say.',
    },
    session: { type: OauthSession, description: 'The active session.' },
  },
  payloadDescription: 'Result of `oauthSessionComplete`. The tokens are ciphertext that only the platform can decrypt.',
  resolve: async ({ sessionId, ...input }, context, info) => {
    const { complete } = context.services.oauth.sessions;
    const completed = await complete(context.caller, { ...input, session_id: sessionId });
    return { ...completed, session: await sessionOf(context, info, completed.uuid) };
  },
});

mutation('oauthSessionRevoke', {
  description:
    'Revokes a session: the platform removes its tokens, and revokes them at the authorization server. A session that has ended stays as it is.',
  rateLimit: 'general',
  input: selector('The session to revoke.', { argument: 'Selects the session.', uuid: 'UUID of the session.' }),
  payload: { session: { type: OauthSession, description: 'The session after the operation.' } },
  resolve: async (input, context, info) => {
    const uuid = await context.services.oauth.sessions.revoke(context.caller, input.uuid);
    return { session: await sessionOf(context, info, uuid) };
  },
});
