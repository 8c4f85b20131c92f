import { OauthError } from './oauth-error.ts';

/** The kinds of metadata that a discovery reads. */
export const discoveryMethods = ['rfc9728', 'rfc8414', 'openid'] as const;
/**
 * How the reading of one document ended: `not_found` there is none, `unreachable` no response, too slow, too large or redirected too often,
 * `invalid` no metadata, `refused` metadata of another resource or issuer, without S256, or with an endpoint that is not secure.
 */
export const discoveryStatuses = ['success', 'not_found', 'unreachable', 'invalid', 'refused'] as const;
/** How a registration ended: `refused` by the server, `unanswered`, or answered with something `invalid`. */
export const registrationStatuses = ['success', 'refused', 'unanswered', 'invalid'] as const;

export type DiscoveryMethod = (typeof discoveryMethods)[number];
export type DiscoveryStatus = (typeof discoveryStatuses)[number];
export type RegistrationStatus = (typeof registrationStatuses)[number];

/** Counted requests. A document in the cache is not read, and not counted. */
export interface Observers {
  readonly onDiscovery?: (observation: { method: DiscoveryMethod; status: DiscoveryStatus; seconds: number }) => void;
  readonly onRegistration?: (observation: { status: RegistrationStatus; seconds: number }) => void;
}

/** The status of a document that could not be used. */
export function discoveryStatusOf(error: unknown): DiscoveryStatus {
  if (!(error instanceof OauthError)) return 'unreachable';
  if (error.reason === 'metadata_unreachable') return 'unreachable';
  return error.reason === 'metadata_invalid' ? 'invalid' : 'refused';
}

/** Seconds since a time of `performance.now()`. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;
