import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Auth } from '../../auth/index.ts';
import { anonymous, type Caller, type Principal } from '../../platform/caller.ts';
import { ApiError, isApiError, unauthorized } from '../../platform/errors.ts';
import type { RateLimits, RateState } from '../../platform/limits/rate-limits.ts';

export const sessionCookie = 'session_token';

export interface IdentifyDependencies {
  /** Wrong keys count against the address that sends them; right ones never do. */
  readonly rateLimits: RateLimits;
  readonly auth: Pick<Auth, 'apiKeys' | 'agentCredentials' | 'sessions'>;
  /** The platform's own origin, for calls that carry the cookie. */
  readonly appOrigin: string;
  /** Number of our proxies in front. */
  readonly trustedProxies: number;
}

export type Identify = ReturnType<typeof createIdentify>;

type OnSpent = (state: RateState | null) => void;

/** Turns a header or cookie into a caller: the one place that decides who the caller is. */
export function createIdentify({ auth, rateLimits, appOrigin, trustedProxies }: IdentifyDependencies) {
  /**
   * @param onSpent Receives the remaining budget of `authentication` when a wrong key was counted.
   * @returns An anonymous caller without a credential, and for an ended session.
   * @throws {ApiError} `UNAUTHORIZED` for an invalid key; `FORBIDDEN` for the cookie on a request from another site.
   */
  async function identify(req: IncomingMessage, onSpent: OnSpent = () => {}): Promise<Caller> {
    const address = addressOf(req, trustedProxies);
    const headers = headerValues(req, 'authorization');
    if (headers.length > 0) return { principal: await ofBearer(headers, address, onSpent), address };
    const token = cookieOf(req, sessionCookie);
    if (token === null) return anonymous(address);
    if (isUnsafe(req) && !isSameOrigin(req))
      throw new ApiError('FORBIDDEN', 'The session cookie is accepted only from pages of this site');
    return { principal: await auth.sessions.verify(token), address };
  }

  /**
   * For a WebSocket: the key comes in the parameters of `connection_init`, since a browser cannot set headers there; the
   * header and the cookie of the upgrade count too.
   */
  async function identifySocket(
    req: IncomingMessage,
    params: Readonly<Record<string, unknown>> | undefined,
  ): Promise<Caller> {
    const given = params?.Authorization ?? params?.authorization;
    if (given !== undefined)
      return {
        principal: await ofBearer([given], addressOf(req, trustedProxies), () => {}),
        address: addressOf(req, trustedProxies),
      };
    if (req.headers.origin !== undefined && req.headers.authorization === undefined && !isSameOrigin(req))
      return anonymous(addressOf(req, trustedProxies));
    return identify(req);
  }

  /**
   * Whether a request comes from a page of the platform: of APP_URL's origin, or of the origin at which the request
   * reached us, each with its scheme and port. A browser names the origin; a program without one has only the cookies
   * that it was given.
   */
  function isSameOrigin(req: IncomingMessage): boolean {
    const { origin, 'sec-fetch-site': site } = req.headers;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    return origin === undefined || origin === appOrigin || origin === ownOrigin(req, trustedProxies);
  }

  async function ofBearer(headers: readonly unknown[], address: string, onSpent: OnSpent): Promise<Principal> {
    const [header] = headers;
    const key = headers.length === 1 && typeof header === 'string' ? bearerOf(header) : null;
    const principal = key === null ? null : await verify(key);
    if (principal !== null) return principal;
    try {
      onSpent(await rateLimits.spend('authentication', anonymous(address)));
    } catch (error) {
      // With the counter away a wrong key is still a wrong key.
      if (isApiError(error) && error.code === 'RATE_LIMITED') throw error;
    }
    throw unauthorized();
  }

  const verify = (key: string): Promise<Principal | null> =>
    key.startsWith('pba_') ? auth.agentCredentials.verify(key) : auth.apiKeys.verify(key);

  return {
    identify,
    identifySocket,
    isSameOrigin,
    addressOf: (req: IncomingMessage) => addressOf(req, trustedProxies),
  };
}

/** The bearer of an `Authorization` header; null for any other. */
export const bearerOf = (header: string): string | null => /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? null;

/** The secret itself that a request shows: its key, else its session's token. Says nothing about whether it is good. */
export function credentialOf(req: IncomingMessage): string | null {
  const { authorization } = req.headers;
  return authorization === undefined ? cookieOf(req, sessionCookie) : bearerOf(authorization);
}

/** Each value of a header that may have been sent several times, which `headers` hides. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const given = rawHeaders[place] as string;
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[place + 1] as string);
  }
  return values;
}

const isUnsafe = ({ method }: IncomingMessage) => !['GET', 'HEAD', 'OPTIONS'].includes(method ?? '');

/**
 * The origin at which a request reached us; null for an invalid Host. Only our own proxy is trusted to have received it
 * by https.
 */
function ownOrigin(req: IncomingMessage, trustedProxies: number): string | null {
  const forwarded =
    trustedProxies > 0 ? headerValues(req, 'x-forwarded-proto').join(',').split(',').at(-1)?.trim() : '';
  const isSecure = forwarded ? forwarded.toLowerCase() === 'https' : (req.socket as TLSSocket).encrypted === true;
  const address = `${isSecure ? 'https' : 'http'}://${req.headers.host}`;
  return URL.canParse(address) ? new URL(address).origin : null;
}

function cookieOf({ headers }: IncomingMessage, name: string): string | null {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
}

/**
 * The client's address: the last but `trustedProxies` of the chain, so that a client cannot choose its own. An invalid
 * entry is replaced by the next one on our side, so that invented entries give no new budget.
 */
export function addressOf(req: IncomingMessage, trustedProxies: number): string {
  const peer = req.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return peer;
  const entries = headerValues(req, 'x-forwarded-for').flatMap((header) => header.split(','));
  const believed = entries.reverse().slice(0, trustedProxies).map(ipOf);
  return believed.findLast((address) => address !== null) ?? peer;
}

/** The address of an entry that may have a port, as some proxies write it: `192.0.2.1:50000`, `[2001:db8::1]:50000`. null for none. */
function ipOf(entry: string): string | null {
  const text = entry.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : null;
  const [, plain = text] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  if (plain !== text) return isIPv4(plain) ? plain : null;
  return isIP(text) > 0 ? text : null;
}
