import * as oauth from 'oauth4webapi';
import { authenticationOf } from './client-authentication.ts';
import type { ClientIdentity } from './exchanges.ts';
import type { Requests } from './requests.ts';

/** A request to a token endpoint. */
export interface TokenRequest {
  readonly metadata: oauth.AuthorizationServer;
  readonly client: ClientIdentity;
  readonly grantType: string;
  /** Left out where null. */
  readonly parameters: Readonly<Record<string, string | null>>;
  /** Instead of the client's own method. */
  readonly authentication?: oauth.ClientAuth;
  readonly dpop?: oauth.DPoPHandle;
}

/**
 * Sends a request to the token endpoint.
 *
 * @throws {OauthError} `insecure_endpoint`, `no_client`, `token_unreachable`, `token_unanswered`.
 * @see RFC 6749, 3.2
 */
export async function requestTokens(requests: Requests, request: TokenRequest): Promise<Response> {
  const { metadata, client, grantType, dpop } = request;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(request.parameters)) if (value !== null) parameters.set(name, value);
  return oauth.genericTokenEndpointRequest(
    metadata,
    { client_id: client.clientId },
    request.authentication ?? authenticationOf(client),
    grantType,
    parameters,
    {
      [oauth.customFetch]: requests.post,
      // What may be reached by http is decided by `requests`.
      [oauth.allowInsecureRequests]: true,
      ...(dpop && { DPoP: dpop }),
    },
  );
}
