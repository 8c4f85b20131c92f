import type { Egress } from '../../platform/egress/egress.ts';
import { EgressError, type EgressReason } from '../../platform/egress/egress-error.ts';
import type { EgressResponse } from '../../platform/egress/exchange.ts';
import { createEndpointCheck } from './endpoint-check.ts';
import { OauthError } from './oauth-error.ts';

/** Connections of their own: a slow authorization server holds up no webhook. */
const pool = 'oauth';
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses whose response has no body. Source: Fetch, null body status. */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);
/** The ways in which a request fails before a byte of it was sent. */
const unsent: ReadonlySet<EgressReason> = new Set(['forbidden', 'unresolved', 'unreachable', 'busy', 'tls', 'header']);

export interface RequestLimits {
  /** Milliseconds from the call to the last byte, all redirects together; 5 000 if left out. */
  readonly timeoutMs?: number;
  /** Of a response's body; 1 MiB if left out. */
  readonly bytesMax?: number;
  /** How many redirects a GET follows; 3 if left out. A POST follows none. */
  readonly redirectsMax?: number;
}

export type Requests = ReturnType<typeof createRequests>;

/** The requests to the servers of others, all over the guarded egress. */
export function createRequests(egress: Pick<Egress, 'validateUrl' | 'request' | 'stream'>, limits: RequestLimits = {}) {
  const { timeoutMs = 5_000, bytesMax = 1024 * 1024, redirectsMax = 3 } = limits;
  const isEndpoint = createEndpointCheck(egress);

  /**
   * Reads a document. Each redirect is checked like the first URL.
   *
   * @param latest When it ends whatever its own time is: a time of `performance.now()`.
   * @returns The response, whatever its status.
   * @throws {OauthError} `insecure_endpoint` for the URL, `metadata_unreachable` for all else.
   */
  async function get(url: string, latest: number): Promise<EgressResponse> {
    if (!isEndpoint(url)) throw new OauthError('insecure_endpoint');
    const endsAt = Math.min(latest, performance.now() + timeoutMs);
    let next = url;
    for (let followed = 0; ; followed += 1) {
      const response = await egress
        .request({
          url: next,
          method: 'GET',
          headers: { accept: 'application/json' },
          totalTimeoutMs: Math.max(1, endsAt - performance.now()),
          responseBytesMax: bytesMax,
          mayRepeat: true,
          pool,
        })
        .catch(unreachable);
      if (response.isTruncated) throw new OauthError('metadata_unreachable');
      const { location } = response.headers;
      if (!redirects.has(response.status) || typeof location !== 'string') return response;
      if (followed === redirectsMax || !URL.canParse(location, next)) throw new OauthError('metadata_unreachable');
      next = new URL(location, next).href;
      if (!isEndpoint(next)) throw new OauthError('metadata_unreachable');
    }
  }

  /**
   * Asks for the status and the headers alone; the body is left unread.
   *
   * @throws {OauthError} `insecure_endpoint`, `metadata_unreachable`.
   */
  async function ask(
    url: string,
    request: { endsAt: number; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  ) {
    if (!isEndpoint(url)) throw new OauthError('insecure_endpoint');
    const { endsAt, ...sent } = request;
    const totalTimeoutMs = Math.max(1, Math.min(timeoutMs, endsAt - performance.now()));
    const response = await egress
      .stream({ url, ...sent, totalTimeoutMs, responseBytesMax: bytesMax, pool })
      .catch(unreachable);
    await response.body.cancel();
    return response;
  }

  /**
   * Sends what oauth4webapi has written: its `customFetch`. It follows no redirect, because the body holds secrets.
   *
   * @throws {OauthError} `insecure_endpoint`; `token_unreachable` where nothing was sent, else `token_unanswered`.
   */
  async function post(url: string, request: { headers: Record<string, string>; body?: unknown }): Promise<Response> {
    if (!isEndpoint(url)) throw new OauthError('insecure_endpoint');
    const { 'user-agent': _, ...headers } = request.headers;
    const response = await egress
      .request({
        url,
        method: 'POST',
        headers,
        body: String(request.body ?? ''),
        totalTimeoutMs: timeoutMs,
        responseBytesMax: bytesMax,
        pool,
      })
      .catch((error: unknown) => {
        if (!(error instanceof EgressError)) throw error;
        throw new OauthError(unsent.has(error.reason) ? 'token_unreachable' : 'token_unanswered');
      });
    if (response.isTruncated) throw new OauthError('token_unanswered');
    const nonce = response.headers['dpop-nonce'];
    return new Response(bodiless.has(response.status) ? null : text(response), {
      status: response.status,
      headers: typeof nonce === 'string' ? { 'dpop-nonce': nonce } : {},
    });
  }

  return { isEndpoint, get, ask, post };
}

function unreachable(error: unknown): never {
  if (!(error instanceof EgressError)) throw error;
  throw new OauthError('metadata_unreachable');
}

/** A body as text. One that was compressed although `identity` was asked for counts as empty: it is never expanded. */
function text({ headers, body }: EgressResponse): string {
  const encoding = headers['content-encoding'];
  return encoding === undefined || encoding === 'identity' ? body.toString('utf8') : '';
}

/** The JSON object of a response, whatever its media type says; null for anything else. */
export const jsonObjectOf = (response: EgressResponse): Record<string, unknown> | null =>
  parseJsonObject(text(response));

/** The JSON object of a text; null for anything else. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
