import type { OauthReason } from '../../../src/oauth/exchanges/oauth-error.ts';
import { type Behaviour, lies, type Place, places } from './hostile-behaviours.ts';
import { type TransportFault, transportFaults } from './hostile-transport.ts';

/** How a flow of the product ends at a hostile authorization server. */
export type Outcome =
  /** POST /api/oauth/initiate fails with 500 for this reason. */
  | { readonly initiate: OauthReason }
  /** The callback ends in this code; whether a token request was sent. */
  | { readonly callback: 'code_exchange_failed'; readonly isSent: boolean }
  | 'success';

const exchange: Outcome = { callback: 'code_exchange_failed', isSent: true };
const response: Outcome = { callback: 'code_exchange_failed', isSent: false };

const ofLies: Record<(typeof lies)[number], Outcome> = {
  'other-resource': { initiate: 'resource_mismatch' },
  'insecure-issuer': { initiate: 'insecure_endpoint' },
  'other-issuer': { initiate: 'issuer_mismatch' },
  'no-issuer': { initiate: 'metadata_invalid' },
  'no-s256': { initiate: 'pkce_unsupported' },
  'no-pkce': { initiate: 'pkce_unsupported' },
  // It promises `iss`, which tells a mix-up; without the promise it is refused: mix-up.rest.test.ts.
  'mix-up': 'success',
  'insecure-token-endpoint': { initiate: 'insecure_endpoint' },
  'openid-only': 'success',
  'no-registration': { initiate: 'no_client' },
  'other-iss': response,
  'no-iss': response,
  'error-of-other-iss': response,
  'error-in-200': exchange,
  'invalid-grant': exchange,
  'no-access-token': exchange,
  'no-token-type': exchange,
  'other-token-type': exchange,
  'negative-expiry': exchange,
  'text-expiry': exchange,
  'no-expiry': 'success',
  'no-refresh-token': 'success',
  'refuses-resource': response,
  'other-redirect-uris': { initiate: 'registration_failed' },
  'no-client-id': { initiate: 'registration_failed' },
  'secret-expires': 'success',
  'secret-expired': { initiate: 'registration_failed' },
};

/** Places of documents that are not JSON are passed over, and the next one is asked. */
const unread: Record<TransportFault, OauthReason> = {
  silent: 'metadata_unreachable',
  slow: 'metadata_unreachable',
  huge: 'metadata_unreachable',
  'gzip-bomb': 'metadata_invalid',
  html: 'metadata_invalid',
  'cut-json': 'metadata_invalid',
  'redirect-loop': 'metadata_unreachable',
  'status-500': 'metadata_unreachable',
  'not-found': 'metadata_unreachable',
  reset: 'metadata_unreachable',
};

function outcomeAt(place: Place, fault: TransportFault): Outcome {
  if (place === 'resource-metadata' || place === 'metadata') return { initiate: unread[fault] };
  if (place === 'registration') return { initiate: 'registration_failed' };
  return place === 'token' ? exchange : 'success';
}

/** All that the hostile server can do, with what comes of it. */
export const hostileOutcomes: ReadonlyMap<Behaviour, Outcome> = new Map<Behaviour, Outcome>([
  ['honest', 'success'],
  ...lies.map((lie) => [lie, ofLies[lie]] as const),
  ...places.flatMap((place) =>
    transportFaults.map((fault) => [`${place}:${fault}` as const, outcomeAt(place, fault)] as const),
  ),
]);

/** These last five seconds, the longest that the product waits. */
export const isSlow = (behaviour: Behaviour): boolean => /:(silent|slow)$/.test(behaviour);
