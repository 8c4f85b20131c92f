import type { Clock } from '../../platform/clock.ts';

interface Entry {
  readonly value: unknown;
  readonly expiresAt: number;
}

/**
 * Metadata that was read and found good, in memory. The key is all that the document depends on: the URL that was asked and what was
 * expected of it. So what one owner's server says is used for nothing else.
 *
 * @param options.entriesMax The oldest makes room; 1 000 if left out.
 * @param options.ageMs 600 000 if left out.
 */
export function createMetadataCache(options: { clock: Clock; entriesMax?: number; ageMs?: number }) {
  const { clock, entriesMax = 1_000, ageMs = 600_000 } = options;
  const entries = new Map<string, Entry>();

  return {
    /** A copy, so that no caller changes what another is given; undefined where there is none. */
    get<T>(key: string): T | undefined {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (entry.expiresAt > clock.now().getTime()) return structuredClone(entry.value) as T;
      entries.delete(key);
      return undefined;
    },
    set(key: string, value: unknown): void {
      entries.delete(key);
      if (entries.size >= entriesMax) entries.delete(entries.keys().next().value as string);
      entries.set(key, { value: structuredClone(value), expiresAt: clock.now().getTime() + ageMs });
    },
  };
}

export type MetadataCache = ReturnType<typeof createMetadataCache>;
