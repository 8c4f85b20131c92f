import type { IncomingMessage } from 'node:http';
import type { Auth } from '../auth/index.ts';
import { anonymous, type Caller, type Principal } from '../platform/caller.ts';
import { isRefusal, Refusal, unauthorized } from '../platform/errors.ts';
import type { RateLimits, RateState } from '../platform/rate-limits.ts';

export const sessionCookie = 'session_token';

export interface IdentifyDependencies {
  /** Wrong keys count against the address that sends them; right ones never do. */
  readonly rateLimits: RateLimits;
  readonly auth: Pick<Auth, 'apiKeys' | 'sessions'>;
  /** The platform's own origin, for calls that carry the cookie. */
  readonly appOrigin: string;
  /** Proxies of ours in front. */
  readonly trustedProxies: number;
}

export type Identify = ReturnType<typeof createIdentify>;

type OnSpent = (state: RateState | null) => void;

/** Turns header or cookie into a caller: the one place that says who asks. */
export function createIdentify({ auth, rateLimits, appOrigin, trustedProxies }: IdentifyDependencies) {
  /**
   * @param onSpent Is told what is left of `authentication` when a wrong key was counted.
   * @returns An anonymous caller when there is no credential, or a session that is over.
   * @throws {Refusal} `UNAUTHORIZED` for a key that is not good; `FORBIDDEN` for the cookie on a request that another
   *   site made.
   */
  async function identify(req: IncomingMessage, onSpent: OnSpent = () => {}): Promise<Caller> {
    const address = addressOf(req, trustedProxies);
    const headers = headerValues(req, 'authorization');
    if (headers.length > 0) return { principal: await ofBearer(headers, address, onSpent), address };
    const token = cookieOf(req, sessionCookie);
    if (token === null) return anonymous(address);
    if (isUnsafe(req) && !isSameOrigin(req, appOrigin))
      throw new Refusal('FORBIDDEN', 'The session cookie is for this site alone');
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
    if (req.headers.origin !== undefined && req.headers.authorization === undefined && !isSameOrigin(req, appOrigin))
      return anonymous(addressOf(req, trustedProxies));
    return identify(req);
  }

  async function ofBearer(headers: readonly unknown[], address: string, onSpent: OnSpent): Promise<Principal> {
    const [header] = headers;
    const key = headers.length === 1 && typeof header === 'string' ? bearerOf(header) : null;
    const principal = key === null ? null : await auth.apiKeys.verify(key);
    if (principal !== null) return principal;
    try {
      onSpent(await rateLimits.spend('authentication', anonymous(address)));
    } catch (error) {
      // With the counter away a wrong key is still a wrong key.
      if (isRefusal(error) && error.code === 'RATE_LIMITED') throw error;
    }
    throw unauthorized();
  }

  return { identify, identifySocket, addressOf: (req: IncomingMessage) => addressOf(req, trustedProxies) };
}

const bearerOf = (header: string): string | null => /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? null;

/** The secret itself that a request shows: its key, else its session's token. Says nothing about whether it is good. */
export function credentialOf(req: IncomingMessage): string | null {
  const { authorization } = req.headers;
  return authorization === undefined ? cookieOf(req, sessionCookie) : bearerOf(authorization);
}

/** Each value of a header that may have been sent several times, which `headers` hides. */
function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, place) => place % 2 === 1 && rawHeaders[place - 1]?.toLowerCase() === name);
}

const isUnsafe = ({ method }: IncomingMessage) => !['GET', 'HEAD', 'OPTIONS'].includes(method ?? '');

/** A browser says where a request comes from; what says nothing is no browser and carries no cookie that it was not given. */
function isSameOrigin({ headers }: IncomingMessage, appOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (headers.origin === undefined) return true;
  if (headers.origin === appOrigin) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}

function cookieOf({ headers }: IncomingMessage, name: string): string | null {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
}

/** The client's address: the last but `trustedProxies` of the chain, so that nobody can choose their own. */
export function addressOf(req: IncomingMessage, trustedProxies: number): string {
  if (trustedProxies === 0) return req.socket.remoteAddress ?? '';
  const forwarded = headerValues(req, 'x-forwarded-for').flatMap((header) => header.split(','));
  const chain = [req.socket.remoteAddress ?? '', ...forwarded.map((address) => address.trim()).reverse()];
  return chain[Math.min(trustedProxies, chain.length - 1)] ?? '';
}
