import * as oauth from 'oauth4webapi';
import type { AuthorizationRequest, Exchanges } from './exchanges.ts';
import { asksForOfflineAccess, scopesToAskFor } from './scopes.ts';

/**
 * Builds an authorization request.
 *
 * @see RFC 6749, 4.1.1; RFC 7636, 4.3; RFC 8707, 2.1
 */
export async function authorizationRequest(
  request: Parameters<Exchanges['authorizationRequest']>[0],
): Promise<AuthorizationRequest> {
  const { discovery, client, redirectUri } = request;
  const { metadata, resource } = discovery;
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const scopes = scopesToAskFor({
    named: request.scopes,
    discovered: discovery.scopes,
    granted: request.grantedScopes ?? [],
    supported: metadata.scopes_supported,
  });
  // The endpoint may have its own query, which stays; a parameter of ours has one value only.
  const url = new URL(metadata.authorization_endpoint as string);
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: scopes.join(' '),
    resource: resource ?? '',
    prompt: asksForOfflineAccess(scopes) ? 'consent' : '',
  })) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return { url: url.href, state, verifier, scopes };
}
