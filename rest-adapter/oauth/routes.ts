import { FlowStart, RefreshCall } from '../../src/oauth/input.ts';
import { oauthErrors } from '../errors.ts';
import { BeginOauthFlowDocument, RefreshOauthTokensDocument } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import { flowResponse, refreshResponse } from './responses.ts';

const shared = { tag: 'OAuth', errors: oauthErrors, access: 'session' } as const;

/**
 * The internal paths that the platform's own application calls. The callback and the cleanup are in src/main: their responses are
 * redirects, and their caller is no user. Source: docs/specification/oauth.md.
 */
export const oauthRoutes: readonly Route[] = [
  route('POST /api/oauth/initiate', {
    ...shared,
    reference: reference.initiate,
    operation: BeginOauthFlowDocument,
    input: FlowStart,
    variables: ({ body }) => ({ input: body }),
    body: ({ oauthFlowBegin: { authorizationUrl, state, expiresAt } }) => ({ authorizationUrl, state, expiresAt }),
    response: flowResponse,
    errorCodes: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  route('POST /api/oauth/refresh', {
    ...shared,
    reference: reference.refresh,
    operation: RefreshOauthTokensDocument,
    input: RefreshCall,
    variables: ({ body }) => ({ input: body }),
    body: ({ oauthTokensRefresh: { expiresAt } }) => ({ success: true, expiresAt }),
    response: refreshResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
];
