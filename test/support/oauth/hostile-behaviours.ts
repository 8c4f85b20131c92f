import { type TransportFault, transportFaults } from './hostile-transport.ts';

/** Where a fault of the transport can strike. */
export const places = ['resource-metadata', 'metadata', 'registration', 'token', 'revocation'] as const;
export type Place = (typeof places)[number];

/** What an authorization server does wrong by itself. */
export const lies = [
  // The metadata of the resource (RFC 9728).
  /** It names another resource. */
  'other-resource',
  /** Its authorization server is at a http:// URL of a public name. */
  'insecure-issuer',
  // The metadata of the authorization server (RFC 8414).
  'other-issuer',
  'no-issuer',
  /** `plain` alone. */
  'no-s256',
  /** Without `code_challenge_methods_supported`. */
  'no-pkce',
  /** The token endpoint is one of another origin. */
  'mix-up',
  /** The token endpoint is at a http:// URL of a public name. */
  'insecure-token-endpoint',
  /** Only the document of OpenID is there. */
  'openid-only',
  'no-registration',
  // The redirect back (RFC 9207).
  'other-iss',
  /** None, although the metadata says that it comes. */
  'no-iss',
  /** With the error `server_error` and the `iss` of another. */
  'error-of-other-iss',
  // The token response.
  /** Status 200 with `{"error": "invalid_grant"}`. */
  'error-in-200',
  'invalid-grant',
  'no-access-token',
  'no-token-type',
  /** `mac`. */
  'other-token-type',
  'negative-expiry',
  /** `"3600"`. */
  'text-expiry',
  'no-expiry',
  'no-refresh-token',
  /** Any request with `resource` is refused as `invalid_target`, as Entra does. */
  'refuses-resource',
  // The registration response (RFC 7591).
  'other-redirect-uris',
  'no-client-id',
  /** In an hour. */
  'secret-expires',
  /** An hour ago. */
  'secret-expired',
] as const;
export type Lie = (typeof lies)[number];

/** Everything that the hostile server can do; `honest` is a correct authorization server. */
export type Behaviour = 'honest' | Lie | `${Place}:${TransportFault}`;

/** The fault that a behaviour has at a place; null for none. */
export function faultAt(behaviour: Behaviour, place: Place): TransportFault | null {
  return transportFaults.find((fault) => behaviour === `${place}:${fault}`) ?? null;
}
