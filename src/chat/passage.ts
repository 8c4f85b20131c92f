import type { Caller } from '../platform/caller.ts';

/** A piece of a document's text that search has found. */
export interface Passage {
  readonly documentUuid: string;
  readonly version: number;
  readonly title: string;
  /** Offsets in the text of the version, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  readonly heading: string | null;
  /** `text.slice(start, end)` of the version. */
  readonly text: string;
  readonly score: number;
}

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
