import * as oauth from 'oauth4webapi';
import { readChallenge } from './challenge.ts';
import type { Exchanges, Tokens } from './exchanges.ts';
import { OauthError } from './oauth-error.ts';
import type { Requests } from './requests.ts';
import { requestTokens } from './token-endpoint.ts';
import { codeRequest } from './token-exchange.ts';
import { readTokens, tokenDocument } from './token-response.ts';

const algorithm = 'ES256';

/** A key to which tokens are bound, and the nonces that servers have given for it. */
export type ProofKey = oauth.DPoPHandle;

/** Makes a key that cannot leave this process. @see RFC 9449, 4 */
export async function createProofKey(): Promise<ProofKey> {
  return oauth.DPoP({}, await oauth.generateKeyPair(algorithm));
}

/**
 * Exchanges a code for tokens that are bound to a key. A server that wants a nonce in the proof says so once, before it looks at the code.
 *
 * @throws {OauthError} `token_invalid` for tokens that are not bound; like every exchange at a token endpoint.
 * @see RFC 9449, 5 and 8
 */
export async function exchangeCodeWithProof(
  requests: Requests,
  exchange: Parameters<Exchanges['exchangeCode']>[0],
  proofKey: ProofKey,
): Promise<Tokens> {
  requireAlgorithm(exchange.metadata);
  const send = () => requestTokens(requests, { ...codeRequest(exchange), dpop: proofKey });
  let response = await send();
  if (await asksForNonce(response.clone())) response = await send();
  return readTokens(response, { scopes: exchange.scopes, tokenType: 'dpop' });
}

/** @see RFC 9449, 5.1: `dpop_signing_alg_values_supported` */
function requireAlgorithm({ dpop_signing_alg_values_supported: supported }: oauth.AuthorizationServer): void {
  if (!supported?.includes(algorithm)) throw new OauthError('metadata_invalid');
}

async function asksForNonce(response: Response): Promise<boolean> {
  if (!response.headers.has('dpop-nonce')) return false;
  return tokenDocument(response).then(
    () => false,
    (error: unknown) => error instanceof OauthError && error.code === 'use_dpop_nonce',
  );
}

/** A request to a protected server. */
export interface ProvenRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly accessToken: string;
  /** Sends it: the guarded way out, outside of tests. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * Sends a request to a protected server, with a new proof. Where the server wants a nonce in the proof, the request is sent once more.
 *
 * @see RFC 9449, 7 and 9
 */
export async function fetchWithProof(request: ProvenRequest, proofKey: ProofKey): Promise<Response> {
  const response = await sendWithProof(request, proofKey);
  const challenge = readChallenge(response.headers.get('www-authenticate'));
  if (response.status !== 401 || challenge?.error !== 'use_dpop_nonce' || !response.headers.has('dpop-nonce'))
    return response;
  await response.body?.cancel();
  return sendWithProof(request, proofKey);
}

/** oauth4webapi writes the proof and keeps the nonce. The response itself goes around it: it would read the challenge and throw. */
async function sendWithProof(request: ProvenRequest, proofKey: ProofKey): Promise<Response> {
  const { url, method, headers, body, accessToken, fetch } = request;
  const responses: Response[] = [];
  await oauth.protectedResourceRequest(accessToken, method, new URL(url), new Headers(headers), body, {
    DPoP: proofKey,
    [oauth.customFetch]: async (target, init) => {
      const response = await fetch(target, init as RequestInit);
      responses.push(response);
      const nonce = response.headers.get('dpop-nonce');
      return new Response(null, { headers: nonce === null ? {} : { 'dpop-nonce': nonce } });
    },
    // What may be reached by http is decided by `fetch`.
    [oauth.allowInsecureRequests]: true,
  });
  return responses[0] as Response;
}
