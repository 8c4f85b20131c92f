import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from './caller.ts';
import { Refusal } from './errors.ts';
import type { RedisConnection } from './redis.ts';

interface Limit {
  readonly points: number;
  readonly seconds: number;
}

const minute = 60;

/** Every class once. Source: spec.md, Rate limits; who belongs to which: gaps.md, Everywhere. The last three are our own. */
const limits = {
  'clipboard.read': { points: 100, seconds: minute },
  'clipboard.write': { points: 60, seconds: minute },
  'clipboard.delete': { points: 30, seconds: minute },
  general: { points: 60, seconds: minute },
  authentication: { points: 5, seconds: 15 * minute },
  /** Wrong passwords for one account, from networks that it has not signed in from; or by one session. */
  account: { points: 30, seconds: 60 * minute },
  sensitive: { points: 10, seconds: 60 * minute },
  'oauth.initiate': { points: 10, seconds: 15 * minute },
  'oauth.callback': { points: 10, seconds: 15 * minute },
  'oauth.refresh': { points: 60, seconds: minute },
  'oauth.cleanup': { points: 1, seconds: minute },
  search: { points: 100, seconds: minute },
  'search.anonymous': { points: 30, seconds: minute },
  /** Reports of what a proxy did: one for each call of a tool, so that they must not use up `general`. */
  activity: { points: 600, seconds: minute },
  /** Megabytes of bodies and socket messages over 256 kB. */
  bodies: { points: 1_000, seconds: minute },
  /** Pages and /metrics, by address. */
  pages: { points: 60, seconds: minute },
} as const satisfies Record<string, Limit>;

export type RateClass = keyof typeof limits;

export const rateClasses = Object.keys(limits) as RateClass[];

/** Classes that have another limit for who shows no credential. */
const anonymousClass: Partial<Record<RateClass, RateClass>> = { search: 'search.anonymous' };

/** What must not be guessed at: without Redis these refuse rather than count in one process only. */
const guarded: ReadonlySet<RateClass> = new Set<RateClass>([
  'authentication',
  'account',
  'sensitive',
  'oauth.initiate',
  'oauth.callback',
  'oauth.refresh',
  'oauth.cleanup',
]);

/** What is left of a class, for the headers. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

/** Over the limit. */
export class RateLimited extends Refusal {
  readonly rateClass: RateClass;
  readonly state: RateState;

  constructor(rateClass: RateClass, state: RateState, retryAfter: number) {
    super('RATE_LIMITED', 'Rate limit exceeded', { retryAfter });
    this.rateClass = rateClass;
    this.state = state;
  }
}

export interface RateLimits {
  /**
   * Takes points off the caller's budget of a class: per key, else per user, else per address.
   *
   * @returns What is left; null when the class is switched off.
   * @throws {RateLimited} when less is left than is asked for.
   * @throws {Refusal} `UNAVAILABLE` for a guarded class while Redis is away.
   */
  spend(rateClass: RateClass, caller: Caller, points?: number): Promise<RateState | null>;
  /**
   * Before work that precedes the spending, such as reading a body. Takes nothing and asks nobody: it refuses a caller whose
   * budget this process has seen spent, until the window ends.
   *
   * @throws {RateLimited} when nothing is left.
   */
  check(rateClass: RateClass, caller: Caller): void;
  /**
   * Counts a guess in the class `account`, before it is checked.
   *
   * @param target What is guessed at.
   * @returns Takes the count back: for a guess that was right.
   * @throws {RateLimited} when there were too many.
   * @throws {Refusal} `UNAVAILABLE` while Redis is away.
   */
  countGuess(target: string): Promise<() => Promise<void>>;
}

/** For programs in which no person signs in. */
export const uncounted: Pick<RateLimits, 'countGuess'> = { countGuess: async () => async () => {} };

/** An operator's changes: a limit such as `"60/1m"`, or `"off"`; `"*"` is for all that are not named. */
export type RateOverrides = Readonly<Partial<Record<RateClass | '*', string>>>;

const overridePattern = /^(\d{1,9})\/(\d{1,5})(s|m|h)$/;
const secondsOf = { s: 1, m: minute, h: 60 * minute } as const;

/** @returns What an override says; undefined if it says nothing that we understand. */
export function limitOf(text: string): Limit | 'off' | undefined {
  if (text === 'off') return 'off';
  const [, points, length, unit] = overridePattern.exec(text) ?? [];
  if (!points || !length || !unit || Number(points) === 0 || Number(length) === 0) return undefined;
  return { points: Number(points), seconds: Number(length) * secondsOf[unit as keyof typeof secondsOf] };
}

/**
 * Fixed windows by rate-limiter-flexible: in Redis, where all processes count together, or in memory. A window begins with
 * its first request, so at most twice the limit passes in the time of one.
 *
 * @param options.processes While Redis is away, each process lets through its share of the unguarded classes.
 */
export function createRateLimits(options: {
  overrides: RateOverrides;
  redis: RedisConnection | null;
  processes: number;
}): RateLimits {
  const counters = new Map(
    rateClasses.flatMap((rateClass) => {
      const limit = limitOf(options.overrides[rateClass] ?? options.overrides['*'] ?? '') ?? limits[rateClass];
      return limit === 'off' ? [] : [[rateClass, { limit, ...counterOf(rateClass, limit, options) }] as const];
    }),
  );
  const counterFor = (rateClass: RateClass, { principal }: Caller) =>
    counters.get((principal === null && anonymousClass[rateClass]) || rateClass);

  async function spend(rateClass: RateClass, caller: Caller, points = 1): Promise<RateState | null> {
    const counter = counterFor(rateClass, caller);
    return counter ? take(rateClass, counter, spenderOf(rateClass, caller), points) : null;
  }

  async function countGuess(target: string): Promise<() => Promise<void>> {
    const counter = counters.get('account');
    if (!counter) return async () => {};
    await take('account', counter, target, 1);
    return () => counter.giveBack(target);
  }

  function check(rateClass: RateClass, caller: Caller): void {
    const counter = counterFor(rateClass, caller);
    const msBeforeNext = counter?.spentFor(spenderOf(rateClass, caller)) ?? 0;
    if (counter && msBeforeNext > 0) throw rateLimited(rateClass, counter.limit, { remainingPoints: 0, msBeforeNext });
  }

  return { spend, check, countGuess };
}

async function take(
  rateClass: RateClass,
  { limit, consume }: Counter & { limit: Limit },
  spender: string,
  points: number,
): Promise<RateState> {
  try {
    return stateOf(limit, await consume(spender, points));
  } catch (refused) {
    if (refused instanceof RateLimiterRes) throw rateLimited(rateClass, limit, refused);
    throw new Refusal('UNAVAILABLE', 'Try again later', { retryAfter: 5, cause: refused });
  }
}

/** Budgets of one class. */
interface Counter {
  /** Takes points off a spender's budget. Rejects with a `RateLimiterRes` when there are too few, else with an error. */
  consume(spender: string, points: number): Promise<RateLimiterRes>;
  /** Milliseconds until a spent budget is new; 0 for one of which something may be left. */
  spentFor(spender: string): number;
  /** Gives a point back. Never rejects: a point that could not be given back comes back with the next window. */
  giveBack(spender: string): Promise<void>;
}

function counterOf(
  rateClass: RateClass,
  { points, seconds }: Limit,
  { redis, processes }: { redis: RedisConnection | null; processes: number },
): Counter {
  const settings = { points, duration: seconds, keyPrefix: `patchbay:rate:${rateClass}` };
  if (redis === null) return remembering(new RateLimiterMemory(settings));
  const shared = remembering(new RateLimiterRedis({ ...settings, storeClient: redis.client }));
  const share = remembering(
    new RateLimiterMemory({ ...settings, points: Math.max(1, Math.floor(points / processes)) }),
  );
  return {
    async consume(spender, asked) {
      try {
        return await redis.attempt(() => shared.consume(spender, asked));
      } catch (refused) {
        if (refused instanceof RateLimiterRes || guarded.has(rateClass)) throw refused;
        return await share.consume(spender, asked);
      }
    },
    spentFor: (spender) => (redis.isUp() ? shared : share).spentFor(spender),
    giveBack: (spender) => redis.attempt(() => shared.giveBack(spender)).catch(() => undefined),
  };
}

/** Spenders of one class that a process remembers. Forgetting one costs a single read body. */
const rememberedMax = 10_000;

/** Remembers whose budgets are spent. */
function remembering(limiter: Pick<RateLimiterMemory, 'consume' | 'reward'>): Counter {
  const endsAt = new Map<string, number>();
  const remember = (spender: string, { remainingPoints, msBeforeNext }: RateLimiterRes) => {
    if (remainingPoints > 0) return;
    if (endsAt.size >= rememberedMax) endsAt.clear();
    endsAt.set(spender, performance.now() + msBeforeNext);
  };
  return {
    async consume(spender, points) {
      try {
        const state = await limiter.consume(spender, points);
        remember(spender, state);
        return state;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) remember(spender, refused);
        throw refused;
      }
    },
    spentFor(spender) {
      const left = (endsAt.get(spender) ?? 0) - performance.now();
      if (left <= 0) endsAt.delete(spender);
      return Math.max(0, left);
    },
    async giveBack(spender) {
      endsAt.delete(spender);
      await limiter.reward(spender, 1);
    },
  };
}

type Remaining = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;

const rateLimited = (rateClass: RateClass, limit: Limit, remaining: Remaining) =>
  new RateLimited(rateClass, stateOf(limit, remaining), Math.max(1, Math.ceil(remaining.msBeforeNext / 1_000)));

// The library's own clock counts the window; the header tells it in the same time.
const stateOf = ({ points }: Limit, { remainingPoints, msBeforeNext }: Remaining): RateState => ({
  limit: points,
  remaining: Math.max(0, remainingPoints),
  reset: Math.ceil((performance.timeOrigin + performance.now() + msBeforeNext) / 1_000),
});

/**
 * Guesses count against the address that makes them, whatever credential comes along, and what a user may do few times an
 * hour against the user: otherwise every new key would be a new budget.
 */
export function spenderOf(rateClass: RateClass, { principal, address }: Caller): string {
  if (rateClass === 'authentication') return `address:${networkOf(address)}`;
  if (rateClass === 'sensitive' && principal) return `user:${principal.userUuid}`;
  if (principal?.kind === 'key') return `key:${principal.credentialUuid}`;
  if (principal?.kind === 'agent') return `agent:${principal.credentialUuid}`;
  if (principal) return `user:${principal.userUuid}`;
  return `address:${networkOf(address)}`;
}

/** One customer's IPv6 network has 2^64 addresses: they count as one. */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] as string;
  if (!isIPv6(plain)) return plain;
  const parsed = ipaddr.process(plain);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}
