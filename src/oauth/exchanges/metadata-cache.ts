import type { Clock } from '../../platform/clock.ts';

interface Entry {
  readonly value: unknown;
  readonly expiresAt: number;
}

/**
 * A cache of valid metadata. The key contains everything that the document depends on: the requested URL and the
 * expectations. So the document of one owner's server is used for no other purpose.
 *
 * @param options.entriesMax The oldest entry is dropped; 1 000 by default.
 * @param options.ageMs 600 000 by default.
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
