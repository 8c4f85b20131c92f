import type { ClipboardEntry as StoredEntry } from '../../prisma/generated/client/client.ts';
import type { Source } from '../platform/caller.ts';
import type { Encoding, Visibility } from './input.ts';

/** A clipboard entry as its readers see it. Source: docs/specification/clipboard.md#entries. */
export interface ClipboardEntry
  extends Readonly<Omit<StoredEntry, 'profileUuid' | 'seq' | 'encoding' | 'visibility' | 'source'>> {
  /** The place in the stack among live entries, 0 the newest; null on a named entry. */
  readonly idx: number | null;
  readonly encoding: Encoding;
  readonly visibility: Visibility;
  readonly source: Source;
}

/** A change of an entry, published to the profile that owns it. Each subscriber reads the entry itself. */
export interface ClipboardChange {
  readonly kind: 'SET' | 'PUSHED' | 'POPPED' | 'DELETED' | 'CLEARED' | 'EXPIRED';
  /** The entry; null when all were cleared. */
  readonly uuid: string | null;
  readonly name: string | null;
  /** How many entries went, for CLEARED. */
  readonly count: number;
  /** ISO 8601. */
  readonly at: string;
}
