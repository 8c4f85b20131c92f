import type { Exchanges, Tokens } from './exchanges.ts';
import type { Requests } from './requests.ts';
import { requestTokens } from './token-endpoint.ts';
import { readTokens } from './token-response.ts';

/** Exchanges a code for tokens. @see RFC 6749, 4.1.3; RFC 7636, 4.5; RFC 8707, 2.2 */
export async function exchangeCode(
  requests: Requests,
  exchange: Parameters<Exchanges['exchangeCode']>[0],
): Promise<Tokens> {
  const { metadata, client, code, verifier, redirectUri, resource, scopes } = exchange;
  const answer = await requestTokens(requests, {
    metadata,
    client,
    grantType: 'authorization_code',
    parameters: { code, redirect_uri: redirectUri, code_verifier: verifier, resource },
  });
  return readTokens(answer, { scopes });
}
