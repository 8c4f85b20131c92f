import type { AuthorizationServer } from 'oauth4webapi';
import type { ClientIdentity, Tokens } from './exchanges.ts';
import { OauthError } from './oauth-error.ts';
import type { Requests } from './requests.ts';
import { requestTokens } from './token-endpoint.ts';
import { readTokens, requireAccessToken, tokenDocument } from './token-response.ts';

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const idToken = 'urn:ietf:params:oauth:token-type:id_token';
const assertionGrant = 'urn:ietf:params:oauth:token-type:id-jag';

/**
 * Exchanges an ID token, at the identity provider that has issued it, for an assertion that an authorization server takes.
 *
 * @param exchange.identityProvider Its issuer and its token endpoint.
 * @param exchange.audience The issuer of the authorization server.
 * @returns The assertion (ID-JAG), for `exchangeAssertion`.
 * @throws {OauthError} `token_invalid` for a token of another type; like every exchange at a token endpoint.
 * @see RFC 8693, 2; OAuth Identity Assertion Authorization Grant, 4.3; MCP, Enterprise-Managed Authorization
 */
export async function exchangeIdentity(
  requests: Requests,
  exchange: {
    readonly identityProvider: Pick<AuthorizationServer, 'issuer' | 'token_endpoint'>;
    readonly client: ClientIdentity;
    readonly idToken: string;
    readonly audience: string;
    readonly resource: string;
    readonly scopes: readonly string[];
  },
): Promise<string> {
  const { identityProvider, client, audience, resource, scopes } = exchange;
  const response = await requestTokens(requests, {
    metadata: identityProvider,
    client,
    grantType: tokenExchange,
    parameters: {
      requested_token_type: assertionGrant,
      subject_token: exchange.idToken,
      subject_token_type: idToken,
      audience,
      resource,
      scope: scopes.join(' ') || null,
    },
  });
  const document = await tokenDocument(response);
  requireAssertionType(document);
  return requireAccessToken(document);
}

/** It is not an access token, and must say so. @see RFC 8693, 2.2.1 */
function requireAssertionType({ issued_token_type: issued, token_type: type }: Record<string, unknown>): void {
  if (issued !== assertionGrant || typeof type !== 'string' || type.toLowerCase() !== 'n_a')
    throw new OauthError('token_invalid');
}

/**
 * Exchanges an assertion for tokens: one of an identity provider, or the one that a workload has from its platform. It is sent once,
 * and no other grant is tried after it.
 *
 * @throws {OauthError} Like every exchange at a token endpoint.
 * @see RFC 7523, 2.1; RFC 8707, 2.2; MCP, Workload Identity Federation
 */
export async function exchangeAssertion(
  requests: Requests,
  exchange: {
    readonly metadata: AuthorizationServer;
    readonly client: ClientIdentity;
    readonly assertion: string;
    readonly resource: string | null;
    readonly scopes: readonly string[];
  },
): Promise<Tokens> {
  const { metadata, client, assertion, resource, scopes } = exchange;
  const response = await requestTokens(requests, {
    metadata,
    client,
    grantType: jwtBearer,
    parameters: { assertion, resource, scope: scopes.join(' ') || null },
  });
  return readTokens(response, { scopes });
}
