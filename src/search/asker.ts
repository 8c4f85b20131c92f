import type { Caller } from '../platform/caller.ts';
import { spenderOf } from '../platform/limits/rate-limits.ts';
import type { Secrets } from '../platform/security/secrets.ts';

/**
 * A search as it is counted: with one form for letters that look alike, in lower case, single spaces; null for none.
 *
 * @returns At most 500 UTF-16 units.
 */
export function countedQuery(text: string): string | null {
  const query = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim().slice(0, 500).toWellFormed();
  return query === '' ? null : query;
}

/** Hashes, in hexadecimal, that tell nothing without the platform's key. */
export function createPseudonyms({ secrets }: { secrets: Pick<Secrets, 'pseudonym'> }) {
  return {
    /** Of a search. */
    ofQuery: (query: string): string => secrets.pseudonym(query, 'search query'),
    /**
     * Of who asks, by the user or else the network of the address: another one for each search. Keys and profiles of one
     * user are one asker.
     */
    ofAsker: (caller: Caller, query: string): string =>
      secrets.pseudonym(`${askerOf(caller)}\n${query}`, 'search asker'),
  };
}

/** Who asks, in clear: never to be stored. */
export const askerOf = (caller: Caller): string =>
  caller.principal ? `user:${caller.principal.userUuid}` : spenderOf('search.anonymous', caller);
