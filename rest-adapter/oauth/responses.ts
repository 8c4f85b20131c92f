import { z } from 'zod';

const uuid = z.uuid();
const instant = z.iso.datetime();

export const flowResponse = z
  .object({
    authorizationUrl: z.url().describe('URL to send the browser to. It has a `code_challenge` with the method S256.'),
    state: z.string(),
    expiresAt: instant.describe('Expiry of the state: after five minutes.'),
  })
  .meta({ id: 'OauthFlow' });

export const refreshResponse = z
  .object({
    success: z.literal(true),
    expiresAt: instant
      .nullable()
      .describe('Expiry of the new access token; null if the authorization server did not say.'),
  })
  .meta({ id: 'OauthRefresh' });

const session = z
  .object({
    id: uuid,
    provider: z.string().describe('Name of the configured provider, else the slug of the MCP server.'),
    created_at: instant,
    last_used: instant.nullable().describe('Time of the last request with the access token, to the minute.'),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'OauthSession' });

export const sessionsResponse = z.object({ sessions: z.array(session) });

export const sessionResponse = z
  .object({
    id: uuid,
    provider: z.string(),
    status: z.enum(['pending', 'active', 'expired', 'revoked']),
    created_at: instant,
    expires_at: instant
      .nullable()
      .describe('Expiry of the access token; for a pending session the expiry of its state.'),
  })
  .meta({ id: 'OauthSessionDetail' });

export const newSessionResponse = z
  .object({ authorization_url: z.url().describe('URL to send the browser to.'), session_id: uuid })
  .meta({ id: 'NewOauthSession' });

export const tokensResponse = z
  .object({
    access_token: z.string().describe('The access token as ciphertext that only the platform can decrypt.'),
    refresh_token: z
      .string()
      .nullable()
      .describe('The refresh token as ciphertext; null if the authorization server issued none.'),
    expires_at: instant.nullable(),
  })
  .meta({ id: 'OauthTokens' });

export const revokedResponse = z.object({ success: z.literal(true), message: z.string() });
