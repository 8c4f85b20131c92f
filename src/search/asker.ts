import type { Caller } from '../platform/caller.ts';
import { spenderOf } from '../platform/limits/rate-limits.ts';
import type { Secrets } from '../platform/security/secrets.ts';

/**
 * The normalized form of a search for counting: equal forms of similar letters, lower case, single spaces; null for
 * none.
 *
 * @returns At most 500 UTF-16 units.
 */
export function countedQuery(text: string): string | null {
  const query = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim().slice(0, 500).toWellFormed();
  return query === '' ? null : query;
}

/** Hashes, in hexadecimal, that reveal nothing without the platform's key. */
export function createPseudonyms({ secrets }: { secrets: Pick<Secrets, 'pseudonym'> }) {
  return {
    /** Of a search. */
    ofQuery: (query: string): string => secrets.pseudonym(query, 'search query'),
    /**
     * Of the caller, by user or else by network of the address: a different one for each search. Keys and profiles of
     * one user are one caller.
     */
    ofAsker: (caller: Caller, query: string): string =>
      secrets.pseudonym(`${askerOf(caller)}\n${query}`, 'search asker'),
  };
}

/** The caller in clear: never stored. */
export const askerOf = (caller: Caller): string =>
  caller.principal ? `user:${caller.principal.userUuid}` : spenderOf('search.anonymous', caller);
