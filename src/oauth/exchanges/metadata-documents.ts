import type { EgressResponse } from '../../platform/egress/exchange.ts';
import type { MetadataCache } from './metadata-cache.ts';
import { OauthError, type OauthReason } from './oauth-error.ts';
import { type DiscoveryMethod, discoveryStatusOf, type Observers, secondsSince } from './observations.ts';
import { jsonObjectOf, type Requests } from './requests.ts';

/** A place where a document may lie. */
export interface Candidate {
  readonly url: string;
  readonly method: DiscoveryMethod;
  /** Whether the cache may answer: a challenge that names a URL says that the document there may have changed. @see RFC 9728, 5.2 */
  readonly mayBeCached: boolean;
}

/**
 * Reads documents of metadata, from the first place that has one. A place without a document (4xx), or with something else than
 * JSON, is passed over: many servers answer every path with their start page. A document that is there and wrong ends the search.
 */
export function createMetadataDocuments(deps: {
  requests: Requests;
  cache: MetadataCache;
  onDiscovery: Observers['onDiscovery'];
}) {
  const { requests, cache, onDiscovery } = deps;

  /**
   * @param read.expectation The expectations of the document, as part of the cache's key.
   * @param read.check Returns the used members of a document, or throws.
   * @param read.otherwise Thrown if no place has a document.
   * @param read.endsAt The end of the search: a time of `performance.now()`.
   * @throws {OauthError} `metadata_unreachable`, and the errors of `check` and `otherwise`.
   */
  return async function first<T>(read: {
    candidates: readonly Candidate[];
    expectation: string;
    check: (document: Record<string, unknown>, url: string) => T;
    otherwise: (hasOther: boolean) => OauthReason;
    endsAt: number;
  }): Promise<T> {
    const { candidates, expectation, check, otherwise, endsAt } = read;
    let hasOther = false;
    for (const { url, method, mayBeCached } of candidates) {
      const key = JSON.stringify([method, url, expectation]);
      const known = mayBeCached ? cache.get<T>(key) : undefined;
      if (known !== undefined) return known;
      const startedAt = performance.now();
      const observe = (status: Parameters<NonNullable<typeof onDiscovery>>[0]['status']) =>
        onDiscovery?.({ method, status, seconds: secondsSince(startedAt) });
      try {
        const response = await requests.get(url, endsAt);
        const document = documentOf(response);
        if (document === null) {
          hasOther ||= response.status === 200;
          observe(response.status === 200 ? 'invalid' : 'not_found');
          continue;
        }
        const value = check(document, url);
        observe('success');
        cache.set(key, value);
        return value;
      } catch (error) {
        observe(discoveryStatusOf(error));
        throw error;
      }
    }
    throw new OauthError(otherwise(hasOther));
  };
}

export type MetadataDocuments = ReturnType<typeof createMetadataDocuments>;

/**
 * @returns Null for a place without a document.
 * @throws {OauthError} `metadata_unreachable` for a server that does not say whether it has one.
 * @see RFC 8414, 3.2; RFC 9728, 3.2
 */
function documentOf(response: EgressResponse): Record<string, unknown> | null {
  if (response.status >= 400 && response.status < 500) return null;
  if (response.status !== 200) throw new OauthError('metadata_unreachable');
  return jsonObjectOf(response);
}
