import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { systemClock } from '../../../src/platform/clock.ts';
import { decisionOf } from './consent.ts';
import { type Behaviour, faultAt, type Lie, type Place } from './hostile-behaviours.ts';
import { sendFaulty } from './hostile-transport.ts';
import { bodyOf, startLoopbackServer } from './loopback-server.ts';
import { answerMcp } from './mcp-endpoint.ts';
import type { RecordedRequest } from './token-facts.ts';

export interface HostileAuthorizationServer {
  readonly issuer: string;
  /** An MCP server on the same origin that it protects; also the `resource`. */
  readonly url: string;
  /** All that came, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  tokenRequests(): readonly RecordedRequest[];
  registrations(): readonly RecordedRequest[];
  revocations(): readonly RecordedRequest[];
  /** The origin of `mix-up`, whose token endpoint would give tokens: what has come there. */
  readonly otherOrigin: { readonly base: string; readonly requests: readonly RecordedRequest[] };
  /** It does this from now on. */
  behave(behaviour: Behaviour): void;
  /** Every code, token and client secret that it has given out. */
  readonly secrets: readonly string[];
  /** Token requests are carried out, and not answered until the returned function is called. */
  holdTokenAnswers(): () => void;
  close(): Promise<void>;
}

interface Code {
  readonly clientId: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scope: string;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const word = () => randomBytes(24).toString('base64url');
const hourMs = 3_600_000;
const apiError = (error: string): Answer => ({ status: 400, body: { error } });

/**
 * An authorization server, and the MCP server that it protects, with one chosen fault; all else is right, so that only the check of
 * that fault keeps a client from tokens. For the length of a test or file.
 *
 * @param options.now For secrets that expire; the time of the machine by default.
 */
export async function startHostileAuthorizationServer(
  first: Behaviour = 'honest',
  { now = systemClock.now }: { now?: () => Date } = {},
): Promise<HostileAuthorizationServer> {
  let behaviour = first;
  const does = (lie: Lie) => behaviour === lie;
  const codes = new Map<string, Code>();
  const refreshTokens = new Map<string, { clientId: string; scope: string }>();
  const accessTokens = new Set<string>();
  const requests: RecordedRequest[] = [];
  const requestsElsewhere: RecordedRequest[] = [];
  const secrets: string[] = [];
  let held: Promise<void> | null = null;
  const secret = () => {
    const made = word();
    secrets.push(made);
    return made;
  };

  function metadataOf(origin: string): Answer {
    const tokenEndpoint = does('mix-up')
      ? `${elsewhere.base}/token`
      : `${does('insecure-token-endpoint') ? 'http://authorization.example' : origin}/token`;
    return {
      status: 200,
      body: {
        ...(!does('no-issuer') && { issuer: does('other-issuer') ? 'https://authorization.example' : origin }),
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: tokenEndpoint,
        ...(!does('no-registration') && { registration_endpoint: `${origin}/register` }),
        revocation_endpoint: `${origin}/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        ...(!does('no-pkce') && { code_challenge_methods_supported: [does('no-s256') ? 'plain' : 'S256'] }),
        authorization_response_iss_parameter_supported: true,
      },
    };
  }

  function register(sent: Record<string, unknown>): Answer {
    const isPublic = sent.token_endpoint_auth_method === 'none';
    const expiry = does('secret-expires') ? hourMs : does('secret-expired') ? -hourMs : null;
    return {
      status: 201,
      body: {
        ...sent,
        ...(!does('no-client-id') && { client_id: word() }),
        ...(does('other-redirect-uris') && { redirect_uris: ['https://elsewhere.example/callback'] }),
        ...(!isPublic && {
          client_secret: secret(),
          client_secret_expires_at: expiry === null ? 0 : Math.floor((now().getTime() + expiry) / 1_000),
        }),
      },
    };
  }

  /** @returns Where the browser is sent. */
  function authorize(url: URL, req: IncomingMessage): string {
    const query = Object.fromEntries(url.searchParams);
    const target = new URL(query.redirect_uri ?? '');
    target.searchParams.set('state', query.state ?? '');
    const isOfOther = does('other-iss') || does('error-of-other-iss');
    if (!does('no-iss')) target.searchParams.set('iss', isOfOther ? 'https://authorization.example' : url.origin);
    if (does('refuses-resource') && query.resource) target.searchParams.set('error', 'invalid_target');
    else if (does('error-of-other-iss')) target.searchParams.set('error', 'server_error');
    else if (decisionOf(req.headers).deny) target.searchParams.set('error', 'access_denied');
    else {
      const code = secret();
      codes.set(code, {
        clientId: query.client_id ?? '',
        challenge: query.code_challenge ?? '',
        redirectUri: query.redirect_uri ?? '',
        scope: query.scope ?? '',
      });
      target.searchParams.set('code', code);
    }
    return target.href;
  }

  function token(form: Record<string, string>, clientId: string): Answer {
    if (does('refuses-resource') && form.resource) return apiError('invalid_target');
    const granted = form.grant_type === 'refresh_token' ? refreshed(form) : exchanged(form);
    if (granted?.clientId !== clientId || does('invalid-grant')) return apiError('invalid_grant');
    if (does('error-in-200')) return { status: 200, body: { error: 'invalid_grant' } };
    const [access, refresh] = [secret(), secret()];
    accessTokens.add(access);
    if (!does('no-refresh-token')) refreshTokens.set(refresh, granted);
    const expiry = does('negative-expiry') ? -3_600 : does('text-expiry') ? '3600' : 3_600;
    return {
      status: 200,
      body: {
        ...(!does('no-access-token') && { access_token: access }),
        ...(!does('no-token-type') && { token_type: does('other-token-type') ? 'mac' : 'Bearer' }),
        ...(!does('no-expiry') && { expires_in: expiry }),
        ...(!does('no-refresh-token') && { refresh_token: refresh }),
        ...(granted.scope !== '' && { scope: granted.scope }),
      },
    };
  }

  /** A refresh token is good once. */
  function refreshed({ refresh_token: old = '' }: Record<string, string>) {
    const found = refreshTokens.get(old);
    refreshTokens.delete(old);
    return found;
  }

  /** A code is good once, with its verifier (RFC 7636). */
  function exchanged({ code = '', code_verifier = '', redirect_uri }: Record<string, string>) {
    const found = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    return found?.challenge === challenge && found.redirectUri === redirect_uri ? found : undefined;
  }

  const resourceMetadataOf = (origin: string): Answer => ({
    status: 200,
    body: {
      resource: does('other-resource') ? 'https://elsewhere.example/mcp' : `${origin}/mcp`,
      authorization_servers: [does('insecure-issuer') ? 'http://authorization.example' : origin],
    },
  });

  /** @returns What is answered at a path, and at which place that is; null for none. */
  function answerAt(url: URL, body: Record<string, string>, req: IncomingMessage): (Answer & { place: Place }) | null {
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return { place: 'resource-metadata', ...resourceMetadataOf(url.origin) };
      case '/.well-known/oauth-authorization-server':
        return does('openid-only') ? null : { place: 'metadata', ...metadataOf(url.origin) };
      case '/.well-known/openid-configuration':
        return { place: 'metadata', ...metadataOf(url.origin) };
      case '/register':
        return { place: 'registration', ...register(body) };
      case '/token':
        return { place: 'token', ...token(body, clientIdOf(req, body)) };
      case '/revoke':
        accessTokens.delete(body.token ?? '');
        refreshTokens.delete(body.token ?? '');
        return { place: 'revocation', status: 200, body: {} };
      default:
        return null;
    }
  }

  async function answerMcpCall(req: IncomingMessage, res: ServerResponse, origin: string, message: unknown) {
    const bearer = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
    if (bearer !== undefined && accessTokens.has(bearer)) return answerMcp(req, res, message);
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    res.writeHead(401, { 'WWW-Authenticate': `Bearer resource_metadata="${metadata}"` }).end();
  }

  const listenerOf =
    (record: RecordedRequest[]) =>
    (origin: string): RequestListener =>
    async (req, res) => {
      const url = new URL(req.url ?? '/', origin);
      const { method = '', headers } = req;
      const request: RecordedRequest = { method, path: url.pathname, headers, body: {}, status: null };
      record.push(request);
      request.body = parsed(headers['content-type'], await bodyOf(req));
      res.once('close', () => Object.assign(request, { status: res.headersSent ? res.statusCode : null }));
      if (url.pathname === '/mcp') return answerMcpCall(req, res, origin, method === 'POST' ? request.body : undefined);
      if (url.pathname === '/authorize') return res.writeHead(302, { Location: authorize(url, req) }).end();
      const answer = answerAt(url, request.body, req);
      const fault = answer && faultAt(behaviour, answer.place);
      if (answer?.place === 'token') await held;
      if (!answer) return res.writeHead(404).end();
      if (fault) return sendFaulty(res, fault, answer.status, answer.body);
      return res.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
    };

  const elsewhere = await startLoopbackServer(listenerOf(requestsElsewhere));
  const { base, close } = await startLoopbackServer(listenerOf(requests));
  const ofPath = (path: string) => requests.filter((request) => request.path === path);
  return {
    issuer: base,
    url: `${base}/mcp`,
    requests,
    tokenRequests: () => ofPath('/token'),
    registrations: () => ofPath('/register'),
    revocations: () => ofPath('/revoke'),
    otherOrigin: { base: elsewhere.base, requests: requestsElsewhere },
    behave(next) {
      behaviour = next;
    },
    secrets,
    holdTokenAnswers() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
    async close() {
      await Promise.all([close(), elsewhere.close()]);
    },
  };
}

function parsed(type: string | undefined, text: string): Record<string, string> {
  if (text === '') return {};
  return type?.includes('json') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}

/** Of the form, or of HTTP Basic. @see RFC 6749, 2.3.1 */
function clientIdOf(req: IncomingMessage, form: Record<string, string>): string {
  const basic = /^Basic (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (basic === undefined) return form.client_id ?? '';
  return decodeURIComponent(Buffer.from(basic, 'base64').toString().split(':')[0] ?? '');
}
