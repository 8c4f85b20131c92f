import type { Passage } from '../documents/index.ts';
import type { Caller } from '../platform/caller.ts';

/** Finds passages of the caller's documents, the best first. */
export type Retrieve = (
  caller: Caller,
  input: { readonly query: string; readonly limit: number },
) => Promise<readonly Passage[]>;

/** Reads words of a version of a profile's document; null where there are none. */
export type Excerpt = (
  profileUuid: string,
  documentUuid: string,
  version: number,
  start: number,
  end: number,
) => Promise<string | null>;
