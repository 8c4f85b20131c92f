import { exampleTime, exampleUuid } from '../reference.ts';

const state = 'q7hZ2v0m9x3b1c5n8k4j6f0d2s7a9p1o3i5u7y1t3r0';
const authorizationUrl = `https://auth.example.com/authorize?response_type=code&client_id=patchbay&state=${state}&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`;

const ofSession = { sessionId: { description: 'UUID of the session.', example: exampleUuid } } as const;

const session = {
  id: exampleUuid,
  provider: 'files-3f2b8c1e',
  created_at: exampleTime,
  last_used: exampleTime,
  scopes: ['files:read'],
} as const;

export const initiate = {
  summary: 'Start the authorization of an MCP server',
  description:
    'For signed-in users: finds the authorization server of one of your MCP servers and returns the URL to send the browser to. The browser must return to GET /api/oauth/callback within five minutes. 404 for a server that does not exist, is not yours or has no OAuth; 500 when the discovery or the registration of a client failed.',
  example: {
    body: { serverUuid: exampleUuid },
    response: { authorizationUrl, state, expiresAt: exampleTime },
  },
} as const;

export const refresh = {
  summary: 'Refresh the tokens of an MCP server',
  description:
    'For signed-in users. Simultaneous calls, and calls within ten seconds, share one refresh. 400 without a refresh token; 403 for a server that is not yours; 409 when a refresh token was used twice: all tokens of the server are revoked then; 500 when the token exchange failed.',
  example: { body: { serverUuid: exampleUuid }, response: { success: true, expiresAt: exampleTime } },
} as const;

export const listSessions = {
  summary: 'List OAuth sessions',
  description:
    'The OAuth sessions of the profile, the newest first, at most 1 000. Ended sessions are kept for 30 days.',
  example: { response: { sessions: [session] } },
} as const;

export const createSession = {
  summary: 'Start an OAuth session',
  description:
    'Returns the URL to send the browser to. Pass the parameters of the redirect to POST /api/mcp/oauth/callback within five minutes. 404 for an unknown provider and for a server without OAuth; 409 if the profile has 500 sessions that have not ended.',
  example: {
    body: { provider: 'files-3f2b8c1e', redirect_uri: 'https://app.example.com/callback', scopes: ['files:read'] },
    response: { authorization_url: authorizationUrl, session_id: exampleUuid },
  },
} as const;

export const completeSession = {
  summary: 'Complete an OAuth session',
  description:
    'Exchanges the code for tokens. `iss` is required where the redirect has it. The state can be used once, also if the exchange fails; a missing parameter does not use it up. The tokens in the response are ciphertext that only the platform can decrypt.',
  example: {
    body: { session_id: exampleUuid, code: 'SplxlOBeZQQYbYS6WxSbIA', state },
    response: { access_token: '1.k1.EXAMPLE', refresh_token: '1.k1.EXAMPLE', expires_at: exampleTime },
  },
} as const;

export const getSession = {
  summary: 'Get an OAuth session',
  description: 'A session of your profile.',
  params: ofSession,
  example: {
    response: {
      id: exampleUuid,
      provider: 'files-3f2b8c1e',
      status: 'active',
      created_at: exampleTime,
      expires_at: exampleTime,
    },
  },
} as const;

export const revokeSession = {
  summary: 'Revoke an OAuth session',
  description:
    'Removes the tokens, and revokes them at the authorization server (RFC 7009) if it can be reached. A session that has ended stays as it is.',
  params: ofSession,
  example: { response: { success: true, message: 'OAuth session revoked' } },
} as const;
