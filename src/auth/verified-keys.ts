import type { Principal } from '../platform/caller.ts';

/** Less than the second within which a revocation must be felt in every process (B05). */
const rememberedMs = 900;
/** Some 10 MB. */
const rememberedMax = 10_000;

export interface Verification {
  readonly principal: Principal;
  /** How long the key itself still lasts, in milliseconds; null for one that does not expire. */
  readonly lastsMs: number | null;
}

/**
 * Owners of keys, cached for less than a second: a busy key queries the database once in that time. Only successes are
 * cached, so a new key works at once and a failure affects only its own request.
 */
export class VerifiedKeys {
  readonly #byHash = new Map<string, { until: number; principal: Promise<Principal | null> }>();
  readonly #monotonicMs: () => number;

  /** @param monotonicMs A clock that never jumps; what a test stands at. */
  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** The cached result, or that of `verify`; concurrent calls share one query. */
  principalOf(hash: string, verify: () => Promise<Verification | null>): Promise<Principal | null> {
    const asked = this.#monotonicMs();
    const known = this.#byHash.get(hash);
    if (known && asked < known.until) return known.principal;
    // Counted from before the query: the result was still true when the database answered, which was later.
    const entry = { until: asked + rememberedMs, principal: Promise.resolve<Principal | null>(null) };
    const forget = () => {
      if (this.#byHash.get(hash) === entry) this.#byHash.delete(hash);
    };
    entry.principal = verify().then(
      (verification) => {
        if (verification === null) forget();
        else if (verification.lastsMs !== null) entry.until = Math.min(entry.until, asked + verification.lastsMs);
        return verification?.principal ?? null;
      },
      (error) => {
        forget();
        throw error;
      },
    );
    if (this.#byHash.size >= rememberedMax) this.#byHash.clear();
    this.#byHash.set(hash, entry);
    return entry.principal;
  }

  /** Clears the cache. Call it when a key ends: the next request of this process is rejected at once. */
  clear(): void {
    this.#byHash.clear();
  }
}
