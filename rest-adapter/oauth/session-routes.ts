import { NewSession, SessionCallback } from '../../src/oauth/input.ts';
import { generalErrors } from '../errors.ts';
import {
  CompleteOauthSessionDocument,
  CreateOauthSessionDocument,
  GetOauthSessionDocument,
  ListOauthSessionsDocument,
  type OauthSessionFieldsFragment,
  RevokeOauthSessionDocument,
} from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import { newSessionAnswer, revokedAnswer, sessionAnswer, sessionsAnswer, tokensAnswer } from './answers.ts';
import * as reference from './reference.ts';

const shared = { tag: 'OAuth sessions', errors: generalErrors, access: 'caller' } as const;

/** Source: docs/specification/oauth.md#sessions. */
export const sessionRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/mcp/oauth/session',
    reference: reference.listSessions,
    operation: ListOauthSessionsDocument,
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
    answer: sessionsAnswer,
    errorCodes: ['FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/mcp/oauth/session',
    isIdempotent: true,
    reference: reference.createSession,
    operation: CreateOauthSessionDocument,
    input: NewSession,
    variables: ({ body }) => ({ input: body }),
    body: ({ oauthSessionCreate: { authorizationUrl, session } }) => ({
      authorization_url: authorizationUrl,
      session_id: session.uuid,
    }),
    answer: newSessionAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/mcp/oauth/callback',
    reference: reference.completeSession,
    operation: CompleteOauthSessionDocument,
    input: SessionCallback,
    variables: ({ body }) => ({ input: body }),
    body: ({ oauthSessionComplete: { accessToken, refreshToken, expiresAt } }) => ({
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_at: expiresAt,
    }),
    answer: tokensAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/mcp/oauth/session/:sessionId',
    reference: reference.getSession,
    operation: GetOauthSessionDocument,
    variables: ({ params }) => ({ uuid: params.sessionId }),
    body: ({ oauthSession }) => {
      const { uuid, provider, status, createdAt, expiresAt } = oauthSession as OauthSessionFieldsFragment;
      return { id: uuid, provider, status: status.toLowerCase(), created_at: createdAt, expires_at: expiresAt };
    },
    answer: sessionAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/mcp/oauth/session/:sessionId',
    reference: reference.revokeSession,
    operation: RevokeOauthSessionDocument,
    variables: ({ params }) => ({ input: { uuid: params.sessionId } }),
    body: () => ({ success: true, message: 'OAuth session revoked' }),
    answer: revokedAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
];
