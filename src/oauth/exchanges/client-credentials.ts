import { createPrivateKey } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import type { ClientIdentity, Tokens } from './exchanges.ts';
import type { Requests } from './requests.ts';
import { requestTokens } from './token-endpoint.ts';
import { readTokens } from './token-response.ts';

/** The algorithms of client assertions, with the parameters of their keys. @see RFC 7518, 3.1; RFC 8037 */
const algorithms = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  Ed25519: { name: 'Ed25519' },
} as const;

export type SigningAlgorithm = keyof typeof algorithms;

/** @throws {Error} For text that is not a private key of the algorithm. @see RFC 7468, 10 */
export async function importSigningKey(pem: string, algorithm: SigningAlgorithm): Promise<CryptoKey> {
  const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', new Uint8Array(key), algorithms[algorithm], false, ['sign']);
}

/**
 * Gets tokens for the client itself, without a user.
 *
 * @param grant.signingKey For the method `private_key_jwt`; the client's own method if left out.
 * @throws {OauthError} Like every exchange at a token endpoint.
 * @see RFC 6749, 4.4; RFC 7523, 2.2; RFC 8707, 2.2; MCP, OAuth Client Credentials
 */
export async function clientCredentials(
  requests: Requests,
  grant: {
    readonly metadata: oauth.AuthorizationServer;
    readonly client: ClientIdentity;
    readonly signingKey?: CryptoKey;
    readonly resource: string | null;
    readonly scopes: readonly string[];
  },
): Promise<Tokens> {
  const { metadata, client, signingKey, resource, scopes } = grant;
  const response = await requestTokens(requests, {
    metadata,
    client,
    grantType: 'client_credentials',
    parameters: { resource, scope: scopes.join(' ') || null },
    ...(signingKey && { authentication: oauth.PrivateKeyJwt(signingKey) }),
  });
  return readTokens(response, { scopes });
}
