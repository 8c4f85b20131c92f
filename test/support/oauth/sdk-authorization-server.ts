import { randomBytes } from 'node:crypto';
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import { getOAuthProtectedResourceMetadataUrl, mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import express, { type Response } from 'express';
import { systemClock } from '../../../src/platform/clock.ts';
import { decisionOf } from './consent.ts';
import { startLoopbackServer } from './loopback-server.ts';
import { answerMcp } from './mcp-endpoint.ts';
import type { Introspect, RecordedRequest, TokenFacts } from './token-facts.ts';

export interface SdkAuthorizationServer {
  /** Ends with a slash, as the SDK writes it. */
  readonly issuer: string;
  /** The protected MCP server on the same origin; also its `resource`. */
  readonly url: string;
  tokenRequests(grantType?: 'authorization_code' | 'refresh_token'): readonly RecordedRequest[];
  registrations(): readonly RecordedRequest[];
  revocations(): readonly RecordedRequest[];
  readonly introspect: Introspect;
  /** Ends an access token before its time. */
  expire(accessToken: string): void;
  close(): Promise<void>;
}

interface Grant {
  readonly clientId: string;
  readonly account: string;
  readonly scopes: string[];
  readonly resource: URL | undefined;
}

const tokenSeconds = 3_600;
const word = () => randomBytes(24).toString('base64url');

/**
 * Both roles by the MCP SDK's own code: `mcpAuthRouter` as the authorization server, `requireBearerAuth` before an MCP server.
 * Refresh tokens rotate, and reuse of an old one ends the grant; `consent` of consent.ts plays the user.
 */
export async function startSdkAuthorizationServer(): Promise<SdkAuthorizationServer> {
  const requests: RecordedRequest[] = [];
  const { provider, introspect, expire } = createProvider();
  const { base, close } = await startLoopbackServer((origin) => {
    const app = express();
    const resourceServerUrl = new URL('/mcp', origin);
    app.use((req, res, next) => {
      const request: RecordedRequest = {
        method: req.method,
        path: req.path,
        headers: req.headers,
        body: {},
        status: null,
      };
      requests.push(request);
      res.on('finish', () => Object.assign(request, { body: { ...req.body }, status: res.statusCode }));
      next();
    });
    app.use(
      mcpAuthRouter({
        provider,
        issuerUrl: new URL(origin),
        resourceServerUrl,
        scopesSupported: ['notes:read', 'notes:write'],
        authorizationOptions: { rateLimit: false },
        tokenOptions: { rateLimit: false },
        clientRegistrationOptions: { rateLimit: false },
        revocationOptions: { rateLimit: false },
      }),
    );
    app.use(
      '/mcp',
      requireBearerAuth({
        verifier: provider,
        resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
        expectedResource: resourceServerUrl,
      }),
      express.json(),
      (req, res) => answerMcp(req, res, req.body),
    );
    return app;
  });
  const ofPath = (path: string) => requests.filter((request) => request.method === 'POST' && request.path === path);
  return {
    issuer: `${base}/`,
    url: `${base}/mcp`,
    tokenRequests: (grantType) =>
      ofPath('/token').filter(({ body }) => grantType === undefined || body.grant_type === grantType),
    registrations: () => ofPath('/register'),
    revocations: () => ofPath('/revoke'),
    introspect,
    expire,
    close,
  };
}

/** Everything in memory. The router checks clients, redirect URIs and PKCE; this only issues and ends. */
function createProvider() {
  const clients = new Map<string, OAuthClientInformationFull>();
  const codes = new Map<string, Grant & { challenge: string; redirectUri: string }>();
  const accessTokens = new Map<string, { grant: Grant; expiresAt: Date }>();
  const refreshTokens = new Map<string, { grant: Grant; isUsed: boolean }>();

  function issue(grant: Grant): OAuthTokens {
    const [access, refresh] = [word(), word()];
    accessTokens.set(access, { grant, expiresAt: new Date(systemClock.now().getTime() + tokenSeconds * 1_000) });
    refreshTokens.set(refresh, { grant, isUsed: false });
    return {
      access_token: access,
      token_type: 'bearer',
      expires_in: tokenSeconds,
      refresh_token: refresh,
      scope: grant.scopes.join(' '),
    };
  }

  /** Ends everything that came of one consent. */
  function end(grant: Grant): void {
    for (const tokens of [accessTokens, refreshTokens])
      for (const [token, entry] of tokens) if (entry.grant === grant) tokens.delete(token);
  }

  const introspect = async (token: string): Promise<TokenFacts | null> => {
    const found = accessTokens.get(token);
    if (!found || found.expiresAt <= systemClock.now()) return null;
    const { clientId, account, scopes, resource } = found.grant;
    return { clientId, account, scopes, resource: resource?.href ?? null, expiresAt: found.expiresAt };
  };

  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient(client) {
        const registered = client as OAuthClientInformationFull;
        clients.set(registered.client_id, registered);
        return registered;
      },
    },
    async authorize(client, { state, scopes = [], codeChallenge, redirectUri, resource }, res: Response) {
      const { deny, account, scopes: allowed } = decisionOf(res.req.headers);
      const target = new URL(redirectUri);
      if (state !== undefined) target.searchParams.set('state', state);
      if (deny) target.searchParams.set('error', 'access_denied');
      else {
        const code = word();
        codes.set(code, {
          clientId: client.client_id,
          account,
          scopes: scopes.filter((scope) => !allowed || allowed.includes(scope)),
          resource,
          challenge: codeChallenge,
          redirectUri,
        });
        target.searchParams.set('code', code);
      }
      res.redirect(target.href);
    },
    async challengeForAuthorizationCode(client, code) {
      const found = codes.get(code);
      if (found?.clientId !== client.client_id) throw new InvalidGrantError('The code is unknown');
      return found.challenge;
    },
    async exchangeAuthorizationCode(_client, code, _verifier, redirectUri, resource) {
      const found = codes.get(code);
      codes.delete(code);
      if (!found || found.redirectUri !== redirectUri || found.resource?.href !== resource?.href)
        throw new InvalidGrantError('The code is unknown or of another request');
      return issue({
        clientId: found.clientId,
        account: found.account,
        scopes: found.scopes,
        resource: found.resource,
      });
    },
    async exchangeRefreshToken(client, refreshToken, _scopes, resource) {
      const found = refreshTokens.get(refreshToken);
      if (found?.grant.clientId !== client.client_id) throw new InvalidGrantError('The refresh token is unknown');
      if (found.isUsed) {
        end(found.grant);
        throw new InvalidGrantError('The refresh token was used before');
      }
      if (found.grant.resource?.href !== resource?.href) throw new InvalidGrantError('The resource is another one');
      found.isUsed = true;
      return issue(found.grant);
    },
    async verifyAccessToken(token) {
      const facts = await introspect(token);
      if (!facts) throw new InvalidTokenError('The token is unknown or has expired');
      return {
        token,
        clientId: facts.clientId,
        scopes: [...facts.scopes],
        expiresAt: Math.floor(facts.expiresAt.getTime() / 1_000),
        ...(facts.resource && { resource: new URL(facts.resource) }),
      };
    },
    async revokeToken(client, { token }) {
      const found = accessTokens.get(token) ?? refreshTokens.get(token);
      if (found?.grant.clientId === client.client_id) end(found.grant);
    },
  };
  return { provider, introspect, expire: (token: string) => void accessTokens.delete(token) };
}
