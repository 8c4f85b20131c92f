import { GraphQLError } from 'graphql';
import { markPublic } from './errors.ts';

/**
 * Whether a request has the hash of a persisted query and no text. The platform stores no texts: the client then sends
 * the text (Apollo's automatic persisted queries).
 */
export function isPersistedQuery({ query, extensions }: { query?: unknown; extensions?: unknown }): boolean {
  if (query !== undefined && query !== null && query !== '') return false;
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: unknown };
  return typeof persistedQuery === 'object' && persistedQuery !== null;
}

/** In the words that clients of Apollo, urql and Relay look for. */
export const persistedQueryNotSupported = () =>
  markPublic(new GraphQLError('PersistedQueryNotSupported', { extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }));

/** A longer message is not looked into: it has a text, or values that are sent again with one. In bytes. */
const lookedIntoMax = 256 * 1024;

/**
 * A message of a socket whose operation has a hash and no `query` at all, which the protocol would close the socket for: with an
 * empty `query` instead. Any other message as it is.
 */
export function withEmptyQuery(message: Buffer): string {
  const text = String(message);
  if (message.length > lookedIntoMax || !message.includes('"persistedQuery"')) return text;
  try {
    const parsed = JSON.parse(text);
    if (parsed.type !== 'subscribe' || !isPersistedQuery(parsed.payload)) return text;
    return JSON.stringify({ ...parsed, payload: { ...parsed.payload, query: '' } });
  } catch {
    return text;
  }
}
