import { NewSession, SessionCallback } from '../../src/oauth/input.ts';
import { generalErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'OAuth sessions', errors: generalErrors, access: 'caller' } as const;

/** Source: docs/specification/oauth.md#sessions. */
export const sessionRoutes: readonly Route[] = [
  route('GET /api/mcp/oauth/session', {
    ...shared,
    reference: reference.listSessions,
    operation: operations.ListOauthSessionsDocument,
    variables: () => ({}),
    body: ({ oauthSessionList }) => ({
      sessions: oauthSessionList.map((session) => ({
        id: session.uuid,
        provider: session.provider,
        created_at: session.createdAt,
        last_used: session.lastUsedAt,
        scopes: session.scopes,
      })),
    }),
    response: responses.sessionsResponse,
    errorCodes: ['FORBIDDEN'],
  }),
  route('POST /api/mcp/oauth/session', {
    ...shared,
    isIdempotent: true,
    reference: reference.createSession,
    operation: operations.CreateOauthSessionDocument,
    input: NewSession,
    variables: ({ body }) => ({ input: body }),
    body: ({ oauthSessionCreate: { authorizationUrl, session } }) => ({
      authorization_url: authorizationUrl,
      session_id: session.uuid,
    }),
    response: responses.newSessionResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('POST /api/mcp/oauth/callback', {
    ...shared,
    reference: reference.completeSession,
    operation: operations.CompleteOauthSessionDocument,
    input: SessionCallback,
    variables: ({ body }) => ({ input: body }),
    body: ({ oauthSessionComplete: { accessToken, refreshToken, expiresAt } }) => ({
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_at: expiresAt,
    }),
    response: responses.tokensResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('GET /api/mcp/oauth/session/:sessionId', {
    ...shared,
    reference: reference.getSession,
    operation: operations.GetOauthSessionDocument,
    variables: ({ params }) => ({ uuid: params.sessionId }),
    body: ({ oauthSession }) => {
      const { uuid, provider, status, createdAt, expiresAt } = oauthSession as operations.OauthSessionFieldsFragment;
      return { id: uuid, provider, status: status.toLowerCase(), created_at: createdAt, expires_at: expiresAt };
    },
    response: responses.sessionResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('DELETE /api/mcp/oauth/session/:sessionId', {
    ...shared,
    reference: reference.revokeSession,
    operation: operations.RevokeOauthSessionDocument,
    variables: ({ params }) => ({ input: { uuid: params.sessionId } }),
    body: () => ({ success: true, message: 'OAuth session revoked' }),
    response: responses.revokedResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
];
