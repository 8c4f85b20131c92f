import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Provider, { type ClientMetadata, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { decisionOf } from './consent.ts';
import { startLoopbackServer } from './loopback-server.ts';
import { MemoryStore } from './memory-adapter.ts';
import type { Introspect, RecordedRequest } from './token-facts.ts';

export interface AuthorizationServerOptions {
  /** The path of the issuer, such as `/tenant`; none by default. */
  readonly issuerPath?: string;
  /** Which metadata documents there are; both by default. @see RFC 8414, 3; OpenID Connect Discovery 1.0, 4 */
  readonly metadata?: 'both' | 'oauth' | 'openid';
  /** Whether clients register themselves (RFC 7591); true by default. */
  readonly registration?: boolean;
  /** Whether tokens can be revoked (RFC 7009); true by default. */
  readonly revocation?: boolean;
  /** Beside `openid` and `offline_access`: scopes of no resource. None by default. */
  readonly scopes?: readonly string[];
  /** The lifetime of access tokens; 3 600 s by default. */
  readonly accessTokenSeconds?: number;
  /** When a refresh token comes with the access token: always (the default), for `offline_access`, never. */
  readonly refreshTokens?: 'always' | 'offline_access' | 'never';
  /** Whether each refresh gives a new refresh token, and reuse of an old one ends the grant; true by default. */
  readonly rotation?: boolean;
  /** Takes client id metadata documents, and reads them by this instead of from their URL; it takes none by default. */
  readonly readClientDocument?: (url: URL) => Promise<Response>;
}

export interface AuthorizationServer {
  /** http://127.0.0.1:port, and the path that was asked for. */
  readonly issuer: string;
  /** Every request but those of the browser, in the order of their arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Those of one grant type, or all; a grant type is known as soon as the body was read. */
  tokenRequests(grantType?: 'authorization_code' | 'refresh_token'): readonly RecordedRequest[];
  registrations(): readonly RecordedRequest[];
  revocations(): readonly RecordedRequest[];
  metadataRequests(): readonly RecordedRequest[];
  /** Tokens are issued for this resource from now on; any other `resource` is refused as `invalid_target`. */
  addResource(resource: string, scopes: readonly string[]): void;
  /** A client that the operator of the authorization server has set up. */
  addClient(client: ClientMetadata & { client_id: string; redirect_uris: string[] }): Promise<void>;
  readonly introspect: Introspect;
  /** Ends an access token before its time, as the passing of time does. @throws {Error} Where there is no such token. */
  expire(accessToken: string): Promise<void>;
  /** Lifetime of the access tokens from now on. */
  setAccessTokenSeconds(seconds: number): void;
  /** Token requests are carried out, and not answered until the returned function is called. */
  holdTokenAnswers(): () => void;
  /** So many token requests are carried out, and the connection is reset in place of the answer. */
  loseTokenAnswers(count: number): void;
  /** How many are stored. */
  count(kind: 'AccessToken' | 'RefreshToken' | 'Grant' | 'Client'): number;
  close(): Promise<void>;
}

const oauthPath = '/.well-known/oauth-authorization-server';
const openidPath = '/.well-known/openid-configuration';
const paths = { token: '/token', registration: '/reg', revocation: '/token/revocation', interaction: '/interaction' };
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signingKey = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'test' };

/**
 * oidc-provider as a real authorization server on a free port, for the length of a test or file: PKCE is required, refresh tokens
 * rotate and their reuse ends the grant, `resource` (RFC 8707) decides the audience, tokens are opaque, `iss` (RFC 9207) is sent.
 * It goes by the time of the machine. `consent` of consent.ts plays the user.
 */
export async function startAuthorizationServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const { issuerPath = '', metadata = 'both' } = options;
  const store = new MemoryStore();
  const resources = new Map<string, readonly string[]>();
  const requests: RecordedRequest[] = [];
  let accessTokenSeconds = options.accessTokenSeconds ?? 3_600;
  let held: Promise<void> | null = null;
  let toLose = 0;
  let provider: Provider | undefined;

  /** Waits, or cuts the connection, where a test has asked for it. @returns Whether there is still an answer to give. */
  async function passTokenResponse(ctx: KoaContextWithOIDC): Promise<void> {
    await held;
    if (toLose === 0) return;
    toLose--;
    ctx.respond = false;
    ctx.req.socket.resetAndDestroy();
  }

  async function record(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    const { method, path, headers } = ctx.request;
    if (path === '/auth' && !ctx.query.scope) {
      ctx.query = { ...ctx.query, scope: defaultScope(resources, ctx.query) };
      // The provider tells its own path by the difference of the two.
      Object.assign(ctx.req, { originalUrl: issuerPath + ctx.request.url });
    }
    const request: RecordedRequest = { method, path, headers: { ...headers }, body: {}, status: null };
    if (!/^\/(auth|interaction)(\/|$)/.test(path)) requests.push(request);
    await next();
    request.body = { ...ctx.oidc?.body };
    request.status = ctx.status;
    if (path === paths.token) await passTokenResponse(ctx);
  }

  const { base, close } = await startLoopbackServer((origin) => {
    const issuer = origin + issuerPath;
    provider = new Provider(
      issuer,
      configurationOf(options, { store, resources, accessTokenSeconds: () => accessTokenSeconds, issuerPath }),
    );
    provider.use(record);
    return listenerOf(provider, { issuerPath, metadata });
  });

  const ofPath = (path: string) => requests.filter((request) => request.method === 'POST' && request.path === path);
  const tokens = store.adapter('AccessToken');
  return {
    issuer: base + issuerPath,
    requests,
    tokenRequests: (grantType) =>
      ofPath(paths.token).filter(({ body }) => grantType === undefined || body.grant_type === grantType),
    registrations: () => ofPath(paths.registration),
    revocations: () => ofPath(paths.revocation),
    metadataRequests: () => requests.filter(({ path }) => path === oauthPath || path === openidPath),
    addResource: (resource, scopes) => void resources.set(resource, scopes),
    addClient: async (client) => void (await store.adapter('Client').upsert(client.client_id, client)),
    async introspect(token) {
      const found = await provider?.AccessToken.find(token);
      if (!found?.clientId) return null;
      return {
        clientId: found.clientId,
        account: found.accountId,
        scopes: [...found.scopes],
        resource: typeof found.aud === 'string' ? found.aud : null,
        expiresAt: new Date(((found.exp as number | undefined) ?? 0) * 1_000),
      };
    },
    async expire(accessToken) {
      if (!(await tokens.find(accessToken))) throw new Error('There is no such access token');
      await tokens.destroy(accessToken);
    },
    setAccessTokenSeconds(seconds) {
      accessTokenSeconds = seconds;
    },
    holdTokenAnswers() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
    loseTokenAnswers(count) {
      toLose = count;
    },
    count: (kind) => store.count(kind),
    close,
  };
}

/** Of a request that names no scope: all of its resources, or else that of the sign-in. @see RFC 6749, 3.3 */
function defaultScope(resources: Map<string, readonly string[]>, query: { resource?: string | string[] }): string {
  const scopes = [query.resource ?? []].flat().flatMap((resource) => resources.get(resource) ?? []);
  return scopes.length > 0 ? scopes.join(' ') : 'openid';
}

function configurationOf(
  options: AuthorizationServerOptions,
  parts: {
    store: MemoryStore;
    resources: Map<string, readonly string[]>;
    accessTokenSeconds: () => number;
    issuerPath: string;
  },
): Configuration {
  const { store, resources, accessTokenSeconds, issuerPath } = parts;
  const { refreshTokens = 'always', readClientDocument } = options;
  return {
    adapter: (model) => store.adapter(model),
    jwks: { keys: [signingKey] },
    cookies: { keys: ['of the tests'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    scopes: ['openid', 'offline_access', ...(options.scopes ?? [])],
    pkce: { required: () => true },
    rotateRefreshToken: options.rotation ?? true,
    issueRefreshToken: async (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') &&
      (refreshTokens === 'always' || (refreshTokens === 'offline_access' && code.scopes.has('offline_access'))),
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    interactions: { url: (_ctx, { uid }) => `${issuerPath}${paths.interaction}/${uid}` },
    routes: { token: paths.token, registration: paths.registration, revocation: paths.revocation },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: 3_600,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 3_600,
    },
    ...(readClientDocument && {
      fetch: (asked) => readClientDocument(new URL(asked instanceof Request ? asked.url : asked)),
    }),
    features: {
      clientIdMetadataDocument: { enabled: readClientDocument !== undefined, ack: 'draft-02' },
      devInteractions: { enabled: false },
      registration: { enabled: options.registration ?? true },
      revocation: {
        enabled: options.revocation ?? true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          const scopes = resources.get(resource);
          if (!scopes) throw new errors.InvalidTarget('the resource is unknown');
          return { scope: scopes.join(' '), audience: resource, accessTokenFormat: 'opaque' };
        },
      },
    },
  };
}

/** The provider at its path, its metadata where RFC 8414 inserts the path, and the page at which the user consents. */
function listenerOf(
  provider: Provider,
  { issuerPath, metadata }: { issuerPath: string; metadata: 'both' | 'oauth' | 'openid' },
): RequestListener {
  const answer = provider.callback();
  const hidden = { both: '', oauth: openidPath, openid: oauthPath }[metadata];
  return (req, res) => {
    const url = req.url ?? '/';
    // The provider knows one path, and would serve both documents below it.
    const inner =
      url === oauthPath + issuerPath
        ? oauthPath
        : url.startsWith(`${issuerPath}/`)
          ? url.slice(issuerPath.length)
          : null;
    if (inner === null || inner === hidden || (inner === oauthPath && url !== oauthPath + issuerPath)) {
      res.writeHead(404).end();
      return;
    }
    if (inner.startsWith(`${paths.interaction}/`)) {
      decide(provider, req, res).catch((error: Error) => res.writeHead(500).end(error.message));
      return;
    }
    Object.assign(req, { originalUrl: issuerPath + inner, url: inner });
    answer(req, res);
  };
}

/** The page of sign-in and consent, at which the user has clicked already. */
async function decide(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(req, res);
  const decision = decisionOf(req.headers);
  if (decision.deny) {
    await provider.interactionFinished(req, res, { error: 'access_denied', error_description: 'The user said no' });
    return;
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(req, res, { login: { accountId: decision.account } });
    return;
  }
  const accountId = session?.accountId ?? decision.account;
  const grant =
    (grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId, clientId: params.client_id as string });
  const isAllowed = (scope: string) => !decision.scopes || decision.scopes.includes(scope);
  const missing = prompt.details as {
    missingOIDCScope?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  for (const scope of missing.missingOIDCScope ?? [])
    if (isAllowed(scope)) grant.addOIDCScope(scope);
    else grant.rejectOIDCScope(scope);
  for (const [resource, scopes] of Object.entries(missing.missingResourceScopes ?? {}))
    for (const scope of scopes)
      if (isAllowed(scope)) grant.addResourceScope(resource, scope);
      else grant.rejectResourceScope(resource, scope);
  await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
}
