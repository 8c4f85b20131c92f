/** Messages for the owner of the server. They repeat no text of the other side. */
const messages = {
  /** The server answered without asking for authorization, and names no authorization server. */
  not_protected: 'The server does not ask for authorization',
  /** Metadata could not be read: no response, too slow, too large, redirected too often, another status than 200. */
  metadata_unreachable: 'The OAuth metadata could not be read',
  /** Metadata is not JSON, or a required member is missing or wrong. */
  metadata_invalid: 'The OAuth metadata is not valid',
  resource_mismatch: 'The protected resource metadata is of another resource',
  issuer_mismatch: 'The issuer of the authorization server is not the expected one',
  pkce_unsupported: 'The authorization server does not advertise PKCE with S256',
  insecure_endpoint: 'An endpoint of the authorization server does not use https',
  /** The code would go to another host than the issuer's, and the server does not promise `iss`. @see RFC 9700, 4.4 */
  token_endpoint_elsewhere: 'The token endpoint is on another host than the issuer of the authorization server',
  /** No configured client, no metadata document and no registration endpoint. */
  no_client: 'No client is configured, and the authorization server does not register clients',
  registration_failed: 'The authorization server did not register the client',
  /** Parameters of the redirect are missing or come twice. */
  response_invalid: 'The authorization response is not valid',
  /** The token endpoint has answered with an OAuth error. */
  token_refused: 'The authorization server refused the token request',
  /** No byte of the request was sent, so the code or refresh token is as good as before. */
  token_unreachable: 'The token endpoint could not be reached',
  /** The token endpoint gave no response that says whether it did something. */
  token_unanswered: 'The token endpoint did not answer',
  /** The token endpoint has answered 200 with something else than tokens. */
  token_invalid: 'The token response is not valid',
} as const;

export type OauthReason = keyof typeof messages;

/**
 * An exchange that failed. May be logged whole: it holds no token, code or text of the other side but the `error` of RFC 6749,
 * where that is one of the registered ones.
 */
export class OauthError extends Error {
  override name = 'OauthError';
  readonly reason: OauthReason;
  /** The registered OAuth error code, such as `invalid_grant`; null for any other text. */
  readonly code: string | null;

  constructor(reason: OauthReason, code: string | null = null) {
    super(messages[reason]);
    this.reason = reason;
    this.code = code;
  }
}
