import type { Exchanges, Tokens } from './exchanges.ts';
import type { Requests } from './requests.ts';
import { requestTokens } from './token-endpoint.ts';
import { readTokens } from './token-response.ts';

/** Exchanges a refresh token for new tokens, with the scopes that it has. @see RFC 6749, 6; RFC 8707, 2.2 */
export async function refresh(requests: Requests, exchange: Parameters<Exchanges['refresh']>[0]): Promise<Tokens> {
  const { metadata, client, refreshToken, resource, scopes } = exchange;
  const response = await requestTokens(requests, {
    metadata,
    client,
    grantType: 'refresh_token',
    parameters: { refresh_token: refreshToken, resource },
  });
  return readTokens(response, { scopes });
}
