import * as oauth from 'oauth4webapi';
import { authenticationOf } from './client-authentication.ts';
import type { Exchanges } from './exchanges.ts';
import { OauthError } from './oauth-error.ts';
import type { Requests } from './requests.ts';

/**
 * Revokes a token at the authorization server if possible: here the token has already ended.
 *
 * @returns Whether the server has a revocation endpoint that confirmed; false for every failure.
 * @see RFC 7009, 2.1 and 2.2
 */
export async function revoke(requests: Requests, exchange: Parameters<Exchanges['revoke']>[0]): Promise<boolean> {
  const { metadata, client, token, kind } = exchange;
  if (!metadata.revocation_endpoint) return false;
  try {
    const response = await oauth.revocationRequest(
      metadata,
      { client_id: client.clientId },
      authenticationOf(client),
      token,
      {
        additionalParameters: { token_type_hint: kind },
        [oauth.customFetch]: requests.post,
        // What may be reached by http is decided by `requests`.
        [oauth.allowInsecureRequests]: true,
      },
    );
    return response.status === 200;
  } catch (error) {
    if (error instanceof OauthError) return false;
    throw error;
  }
}
