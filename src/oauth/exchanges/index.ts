import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import { authorizationRequest } from './authorization-request.ts';
import { readResponse } from './authorization-response.ts';
import { identify } from './client-identity.ts';
import { createDiscovery } from './discovery.ts';
import type { Exchanges } from './exchanges.ts';
import { createMetadataCache } from './metadata-cache.ts';
import { createMetadataDocuments } from './metadata-documents.ts';
import type { Observers } from './observations.ts';
import { refresh } from './refresh.ts';
import { createRegistration } from './registration.ts';
import { createRequests, type RequestLimits } from './requests.ts';
import { revoke } from './revocation.ts';
import { exchangeCode } from './token-exchange.ts';

/**
 * @param options.clientName What authorization servers show to people who consent; `Patchbay` if left out.
 * @param options.discoveryTimeoutMs What all requests of one discovery may take together, in milliseconds; 15 000 if left out.
 * @param options.cacheAgeMs How long metadata is used again, in milliseconds; 600 000 if left out.
 * @param options.cacheEntriesMax How many documents are kept; 1 000 if left out.
 */
export function createExchanges(
  options: {
    egress: Pick<Egress, 'validateUrl' | 'request' | 'stream'>;
    clock?: Clock;
    clientName?: string;
    discoveryTimeoutMs?: number;
    cacheAgeMs?: number;
    cacheEntriesMax?: number;
  } & RequestLimits &
    Observers,
): Exchanges {
  const { egress, clock = systemClock, clientName = 'Patchbay', onDiscovery, onRegistration } = options;
  const requests = createRequests(egress, options);
  const cache = createMetadataCache({ clock, ageMs: options.cacheAgeMs, entriesMax: options.cacheEntriesMax });
  const documents = createMetadataDocuments({ requests, cache, onDiscovery });
  const register = createRegistration({ requests, clientName, onRegistration });
  return {
    ...createDiscovery({ requests, documents, timeoutMs: options.discoveryTimeoutMs ?? 15_000 }),
    identify: (discovery, candidates) => identify(discovery, candidates, register),
    authorizationRequest,
    readResponse,
    exchangeCode: (exchange) => exchangeCode(requests, exchange),
    refresh: (exchange) => refresh(requests, exchange),
    revoke: (exchange) => revoke(requests, exchange),
  };
}
