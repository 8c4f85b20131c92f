import type { Source } from '../platform/caller.ts';
import type { Encoding, Visibility } from './input.ts';

/** A clipboard entry as its readers see it. Source: docs/specification/clipboard.md#entries. */
export interface ClipboardEntry {
  readonly uuid: string;
  /** The semantic key of a named entry; null on the stack. */
  readonly name: string | null;
  /** The place in the stack among live entries, 0 the newest; null on a named entry. */
  readonly idx: number | null;
  readonly value: string;
  readonly contentType: string;
  readonly encoding: Encoding;
  /** Bytes of `value` in UTF-8. */
  readonly sizeBytes: number;
  readonly visibility: Visibility;
  readonly createdByTool: string | null;
  readonly createdByModel: string | null;
  readonly source: Source;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

/** What happened to an entry, told live to the profile that owns it. The entry itself is read anew by each listener. */
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
