import type { Exchanges, Tokens } from './exchanges.ts';
import type { Requests } from './requests.ts';
import { requestTokens, type TokenRequest } from './token-endpoint.ts';
import { readTokens } from './token-response.ts';

type Exchange = Parameters<Exchanges['exchangeCode']>[0];

/** Exchanges a code for tokens. */
export async function exchangeCode(requests: Requests, exchange: Exchange): Promise<Tokens> {
  return readTokens(await requestTokens(requests, codeRequest(exchange)), { scopes: exchange.scopes });
}

/** The request that exchanges a code. @see RFC 6749, 4.1.3; RFC 7636, 4.5; RFC 8707, 2.2 */
export const codeRequest = ({ metadata, client, code, verifier, redirectUri, resource }: Exchange): TokenRequest => ({
  metadata,
  client,
  grantType: 'authorization_code',
  parameters: { code, redirect_uri: redirectUri, code_verifier: verifier, resource },
});
