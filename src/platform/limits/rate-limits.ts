import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import type { RedisConnection } from '../redis.ts';
import { type Counter, createCounter, type Standing } from './rate-counters.ts';
import { heldLimitOf, type Limit, type LimitName, limitNames, type RateOverrides } from './rate-table.ts';

/** The class of an operation. `agents` has a limit for each tier. */
export type RateClass = Exclude<LimitName, `agents.${string}`> | 'agents';

/** Classes that have another limit for who shows no credential. */
const anonymousLimit: Partial<Record<RateClass, LimitName>> = { search: 'search.anonymous' };

/** The limit of a class that holds for a caller. */
function limitNameOf(rateClass: RateClass, { principal }: Caller): LimitName {
  if (rateClass === 'agents') return principal ? `agents.${principal.tier}` : 'general';
  return (principal === null && anonymousLimit[rateClass]) || rateClass;
}

/** Limits that protect secrets from guessing: without Redis they reject requests instead of counting in one process only. */
const guarded: ReadonlySet<LimitName> = new Set<LimitName>([
  'authentication',
  'account',
  'sensitive',
  'oauth.initiate',
  'oauth.callback',
  'oauth.refresh',
  'oauth.cleanup',
]);

/** The remaining budget of a class, for the headers. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

/** Over the limit. */
export class RateLimited extends ApiError {
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
   * Spends points of the caller's budget of a class: per key, else per user, else per address; for the class `agents`
   * per project.
   *
   * @returns The remaining budget; null when the class is disabled.
   * @throws {RateLimited} when too few points are left.
   * @throws {ApiError} `UNAVAILABLE` for a guarded class while Redis is unavailable.
   */
  spend(rateClass: RateClass, caller: Caller, points?: number): Promise<RateState | null>;
  /**
   * A check before work that precedes the spending, such as reading a body. It spends nothing and makes no request: it
   * rejects a caller whose budget this process has seen exhausted, until the window ends.
   *
   * @throws {RateLimited} when nothing is left.
   */
  check(rateClass: RateClass, caller: Caller): void;
  /**
   * Counts a guess in the class `account`, before it is checked.
   *
   * @param target The account that is guessed at.
   * @returns Takes the count back: for a correct guess.
   * @throws {RateLimited} when there were too many.
   * @throws {ApiError} `UNAVAILABLE` while Redis is unavailable.
   */
  countGuess(target: string): Promise<() => Promise<void>>;
}

/** For programs in which no person signs in. */
export const uncounted: Pick<RateLimits, 'countGuess'> = { countGuess: async () => async () => {} };

/**
 * Fixed windows by rate-limiter-flexible: in Redis, where all processes count together, or in memory. A window begins with
 * its first request, so at most twice the limit passes in the time of one. Limits with a burst are token buckets
 * (token-buckets.ts).
 *
 * @param options.processes While Redis is away, each process lets through its share of the unguarded classes.
 */
export function createRateLimits(options: {
  overrides: RateOverrides;
  redis: RedisConnection | null;
  processes: number;
}): RateLimits {
  const counters = new Map(
    limitNames.flatMap((name) => {
      const limit = heldLimitOf(name, options.overrides);
      if (limit === 'off') return [];
      const counting = { ...options, keyPrefix: `patchbay:rate:${name}`, isGuarded: guarded.has(name) };
      return [[name, { limit, ...createCounter(limit, counting) }] as const];
    }),
  );

  async function spend(rateClass: RateClass, caller: Caller, points = 1): Promise<RateState | null> {
    const counter = counters.get(limitNameOf(rateClass, caller));
    return counter ? take(rateClass, counter, spenderOf(rateClass, caller), points) : null;
  }

  async function countGuess(target: string): Promise<() => Promise<void>> {
    const counter = counters.get('account');
    if (!counter) return async () => {};
    await take('account', counter, target, 1);
    return () => counter.giveBack(target);
  }

  function check(rateClass: RateClass, caller: Caller): void {
    const counter = counters.get(limitNameOf(rateClass, caller));
    const spentMs = counter?.spentFor(spenderOf(rateClass, caller)) ?? 0;
    if (counter && spentMs > 0)
      throw rateLimited(rateClass, counter.limit, { remaining: 0, resetMs: spentMs, retryMs: spentMs });
  }

  return { spend, check, countGuess };
}

async function take(
  rateClass: RateClass,
  { limit, consume }: Counter & { limit: Limit },
  spender: string,
  points: number,
): Promise<RateState> {
  let standing: Standing;
  try {
    standing = await consume(spender, points);
  } catch (cause) {
    throw new ApiError('UNAVAILABLE', 'Try again later', { retryAfter: 5, cause });
  }
  if (!standing.isTaken) throw rateLimited(rateClass, limit, standing);
  return stateOf(limit, standing);
}

const rateLimited = (
  rateClass: RateClass,
  limit: Limit,
  standing: Pick<Standing, 'remaining' | 'resetMs' | 'retryMs'>,
) => new RateLimited(rateClass, stateOf(limit, standing), Math.max(1, Math.ceil(standing.retryMs / 1_000)));

// The counter has its own clock; the header shows the end in the time of this process.
const stateOf = ({ points }: Limit, { remaining, resetMs }: Pick<Standing, 'remaining' | 'resetMs'>): RateState => ({
  limit: points,
  remaining,
  reset: Math.ceil((performance.timeOrigin + performance.now() + resetMs) / 1_000),
});

/**
 * Guesses count against the address that makes them, whatever credential comes along, and what a user may do few times an
 * hour against the user: otherwise every new key would be a new budget.
 */
export function spenderOf(rateClass: RateClass, { principal, address }: Caller): string {
  if (rateClass === 'authentication') return `address:${networkOf(address)}`;
  if (rateClass === 'agents' && principal) return `project:${principal.projectUuid}`;
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
