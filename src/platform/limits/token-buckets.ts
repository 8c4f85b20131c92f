import type { RedisConnection } from '../redis.ts';

/** A budget that refills all the time, and holds a burst. */
export interface Bucket {
  /** Points that come back in so many seconds. */
  readonly points: number;
  readonly seconds: number;
  /** Points that a full bucket holds. */
  readonly burst: number;
}

/** The state of a bucket after a request for points. */
export interface BucketState {
  /** Whether the points were there, and were taken. Otherwise nothing was taken. */
  readonly isTaken: boolean;
  /** Microseconds until the bucket is full. */
  readonly fullIn: number;
}

/** Takes points out of the bucket of a spender. */
export type TakeTokens = (spender: string, points: number) => Promise<BucketState>;

/** Microseconds until one more point is there. */
const intervalOf = ({ points, seconds }: Bucket): number => (seconds * 1_000_000) / points;

/** A rounding error must not cost a point. */
const toleranceUs = 1;

/**
 * A bucket is stored as the instant at which it is full again: one number, from which the missing points follow.
 * Instants are microseconds of any clock.
 */
function takeTokens(
  bucket: Bucket,
  fullAt: number,
  now: number,
  points: number,
): BucketState & { readonly fullAt: number } {
  const before = Math.max(fullAt, now);
  const after = before + points * intervalOf(bucket);
  const isTaken = after - now <= bucket.burst * intervalOf(bucket) + toleranceUs;
  const left = isTaken ? after : before;
  return { isTaken, fullAt: left, fullIn: left - now };
}

/** Whole points in a bucket. */
export const tokensOf = (bucket: Bucket, { fullIn }: BucketState): number =>
  Math.max(0, Math.floor(bucket.burst - (fullIn - toleranceUs) / intervalOf(bucket)));

/** Milliseconds until so many points are there; more than the bucket holds are those of a full one. */
export const msUntil = (bucket: Bucket, { fullIn }: BucketState, points: number): number =>
  Math.max(0, fullIn - (bucket.burst - Math.min(points, bucket.burst)) * intervalOf(bucket)) / 1_000;

/** Spenders after which the full buckets are forgotten. */
const sweptAt = 10_000;

/** Buckets of this process. @param nowUs A clock that never goes back. */
export function bucketsInMemory(bucket: Bucket, nowUs: () => number = () => performance.now() * 1_000): TakeTokens {
  const fullAtBySpender = new Map<string, number>();
  let sweepAt = sweptAt;
  return async (spender, points) => {
    const now = nowUs();
    const { fullAt, ...state } = takeTokens(bucket, fullAtBySpender.get(spender) ?? now, now, points);
    fullAtBySpender.set(spender, fullAt);
    if (fullAtBySpender.size > sweepAt) {
      for (const [each, at] of fullAtBySpender) if (at <= now) fullAtBySpender.delete(each);
      sweepAt = Math.max(sweptAt, 2 * fullAtBySpender.size);
    }
    return state;
  };
}

/** `takeTokens` by the clock of Redis. A bucket that is full has no key. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst, points = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local before = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local after = before + points * interval
if after - now > burst * interval + ${toleranceUs} then return {0, string.format('%.3f', before - now)} end
redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.max(1, math.ceil((after - now) / 1000)))
return {1, string.format('%.3f', after - now)}`;

/** Buckets that all processes share. @throws What Redis throws; points may have been taken then. */
export function bucketsInRedis(bucket: Bucket, redis: RedisConnection, keyPrefix: string): TakeTokens {
  return async (spender, points) => {
    const reply = await redis.attempt(() =>
      redis.client.eval(script, 1, `${keyPrefix}:${spender}`, intervalOf(bucket), bucket.burst, points),
    );
    const [isTaken, fullIn] = reply as [number, string];
    return { isTaken: isTaken === 1, fullIn: Number(fullIn) };
  };
}
