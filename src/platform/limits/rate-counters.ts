import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisConnection } from '../redis.ts';
import { type Bucket, bucketsInMemory, bucketsInRedis, msUntil, type TakeTokens, tokensOf } from './token-buckets.ts';

/** A window with a fixed budget, or where it has a burst, a bucket that refills. */
export type Limit = Omit<Bucket, 'burst'> & Partial<Pick<Bucket, 'burst'>>;

/** The state of a budget after a request for points. */
export interface Standing {
  /** Whether there were enough. */
  readonly isTaken: boolean;
  readonly remaining: number;
  /** Milliseconds until the budget is whole. */
  readonly resetMs: number;
  /** Milliseconds until the same request could be granted. */
  readonly retryMs: number;
  /** Milliseconds until anything is left; 0 where something is. */
  readonly spentMs: number;
}

/** Budgets of one limit. */
export interface Counter {
  /** Takes points off a spender's budget. Rejects when they cannot be counted. */
  consume(spender: string, points: number): Promise<Standing>;
  /** Milliseconds until something is left of a spent budget; 0 for one of which something may be left. */
  spentFor(spender: string): number;
  /** Gives a point back. Never rejects: a point that could not be given back comes back with the time. */
  giveBack(spender: string): Promise<void>;
}

/**
 * Counts in Redis, where all processes count together, or in memory.
 *
 * @param options.processes While Redis is away, each lets through its share.
 * @param options.isGuarded Refuses while Redis is away.
 */
export function createCounter(
  limit: Limit,
  options: { redis: RedisConnection | null; processes: number; keyPrefix: string; isGuarded: boolean },
): Counter {
  const { redis, processes, keyPrefix, isGuarded } = options;
  if (redis === null) return inMemory(limit, keyPrefix);
  const shared = inRedis(limit, redis, keyPrefix);
  const share = inMemory(shareOf(limit, processes), keyPrefix);
  return {
    async consume(spender, asked) {
      try {
        return await shared.consume(spender, asked);
      } catch (error) {
        if (isGuarded) throw error;
        return await share.consume(spender, asked);
      }
    },
    spentFor: (spender) => (redis.isUp() ? shared : share).spentFor(spender),
    giveBack: shared.giveBack,
  };
}

/** The share of one process among several. */
function shareOf({ points, seconds, burst }: Limit, processes: number): Limit {
  const share = (whole: number) => Math.max(1, Math.floor(whole / processes));
  return { points: share(points), seconds, ...(burst !== undefined && { burst: share(burst) }) };
}

function inMemory({ points, seconds, burst }: Limit, keyPrefix: string): Counter {
  if (burst !== undefined) return ofBuckets({ points, seconds, burst }, bucketsInMemory({ points, seconds, burst }));
  return ofWindows(new RateLimiterMemory({ points, duration: seconds, keyPrefix }), (work) => work());
}

function inRedis({ points, seconds, burst }: Limit, redis: RedisConnection, keyPrefix: string): Counter {
  if (burst !== undefined)
    return ofBuckets({ points, seconds, burst }, bucketsInRedis({ points, seconds, burst }, redis, keyPrefix));
  const limiter = new RateLimiterRedis({ points, duration: seconds, keyPrefix, storeClient: redis.client });
  return ofWindows(limiter, redis.attempt);
}

function ofWindows(
  limiter: Pick<RateLimiterMemory, 'consume' | 'reward'>,
  attempt: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Counter {
  const standingAs = (isTaken: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Standing => ({
    isTaken,
    remaining: Math.max(0, remainingPoints),
    resetMs: msBeforeNext,
    retryMs: msBeforeNext,
    spentMs: remainingPoints > 0 ? 0 : msBeforeNext,
  });
  const counter = remembering(async (spender, points) => {
    try {
      return standingAs(true, await attempt(() => limiter.consume(spender, points)));
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return standingAs(false, refused);
      throw refused;
    }
  });
  return {
    ...counter,
    async giveBack(spender) {
      counter.forget(spender);
      await attempt(() => limiter.reward(spender, 1)).catch(() => undefined);
    },
  };
}

function ofBuckets(bucket: Bucket, take: TakeTokens): Counter {
  const counter = remembering(async (spender, points) => {
    const state = await take(spender, points);
    const remaining = tokensOf(bucket, state);
    return {
      isTaken: state.isTaken,
      remaining,
      resetMs: state.fullIn / 1_000,
      retryMs: msUntil(bucket, state, points),
      spentMs: remaining > 0 ? 0 : msUntil(bucket, state, 1),
    };
  });
  return { ...counter, giveBack: async () => {} };
}

/** Spenders of one limit that a process remembers. Forgetting one costs a single read body. */
const rememberedMax = 10_000;

/** Remembers whose budgets are spent. */
function remembering(
  count: Counter['consume'],
): Pick<Counter, 'consume' | 'spentFor'> & { forget(spender: string): void } {
  const endsAt = new Map<string, number>();
  return {
    async consume(spender, points) {
      const standing = await count(spender, points);
      if (standing.spentMs > 0) {
        if (endsAt.size >= rememberedMax) endsAt.clear();
        endsAt.set(spender, performance.now() + standing.spentMs);
      }
      return standing;
    },
    spentFor(spender) {
      const left = (endsAt.get(spender) ?? 0) - performance.now();
      if (left <= 0) endsAt.delete(spender);
      return Math.max(0, left);
    },
    forget: (spender) => void endsAt.delete(spender),
  };
}
