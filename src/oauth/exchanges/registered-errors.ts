/** The error codes of IANA's registry "OAuth Extensions Error" and of the RFCs that the exchanges follow. */
const registered: ReadonlySet<string> = new Set([
  // RFC 6749, 4.1.2.1 and 5.2.
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'invalid_grant',
  'unsupported_grant_type',
  // RFC 6750, 3.1.
  'invalid_token',
  'insufficient_scope',
  // RFC 7009, 2.2.1.
  'unsupported_token_type',
  // RFC 7591, 3.2.2.
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
  // RFC 8707, 2.
  'invalid_target',
  // RFC 9449, 12.
  'invalid_dpop_proof',
  'use_dpop_nonce',
  // OpenID Connect Core 1.0, 3.1.2.6.
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
]);

/** An error code that may be stored and logged; null for any other text of the other side. */
export const registeredError = (value: unknown): string | null =>
  typeof value === 'string' && registered.has(value) ? value : null;
