import { describe, expect, it } from 'vitest';
import { anonymous, type Caller, type Tier } from '../../../src/platform/caller.ts';
import { createRateLimits, type RateLimited, spenderOf } from '../../../src/platform/limits/rate-limits.ts';
import { limitOf, type RateOverrides } from '../../../src/platform/limits/rate-table.ts';
import { bucketsInMemory, msUntil, tokensOf } from '../../../src/platform/limits/token-buckets.ts';

const free = { points: 60, seconds: 60, burst: 10 };
const pro = { points: 300, seconds: 60, burst: 50 };
const enterprise = { points: 1_000, seconds: 60, burst: 100 };

/** A bucket whose time a test sets, in seconds. */
function bucketAt(bucket: typeof free) {
  let seconds = 1_000;
  const take = bucketsInMemory(bucket, () => seconds * 1_000_000);
  return {
    advance: (by: number) => {
      seconds += by;
    },
    ask: (points = 1) => take('project', points),
    /** How many of so many requests pass now. */
    async passed(requests: number): Promise<number> {
      let count = 0;
      for (let each = 0; each < requests; each++) if ((await take('project', 1)).isTaken) count += 1;
      return count;
    },
  };
}

describe('the bucket of a tier', () => {
  it.each([
    ['free', free],
    ['pro', pro],
    ['enterprise', enterprise],
  ])('E10: of %s lets the burst through at once, then as many in a minute as its limit', async (_tier, bucket) => {
    const { advance, passed } = bucketAt(bucket);
    expect(await passed(3 * bucket.points)).toBe(bucket.burst);
    let minute = 0;
    // A client that asks all the time, ten times in each second.
    for (let tenth = 0; tenth < 600; tenth++) {
      advance(0.1);
      minute += await passed(20);
    }
    expect(Math.abs(minute - bucket.points)).toBeLessThanOrEqual(1);
    // What is not used is lost beyond the burst.
    advance(3_600);
    expect(await passed(3 * bucket.points)).toBe(bucket.burst);
  });

  it('E10: gives a point back after exactly its time, and refused requests cost nothing', async () => {
    const { advance, passed, ask } = bucketAt(free);
    await passed(10);
    for (let each = 0; each < 100; each++) expect((await ask()).isTaken).toBe(false);
    advance(0.999);
    expect(await passed(5)).toBe(0);
    advance(0.001);
    expect(await passed(5)).toBe(1);
  });

  it('shows whole points, when it is full, and when enough points are there', async () => {
    const { advance, ask } = bucketAt(free);
    const first = await ask(4);
    expect([tokensOf(free, first), first.fullIn, msUntil(free, first, 1)]).toEqual([6, 4_000_000, 0]);
    advance(0.5);
    const second = await ask(6);
    expect([tokensOf(free, second), second.fullIn, msUntil(free, second, 1)]).toEqual([0, 9_500_000, 500]);
    const refused = await ask(3);
    expect([refused.isTaken, msUntil(free, refused, 3), msUntil(free, refused, 99)]).toEqual([false, 2_500, 9_500]);
    // More than it holds is never there.
    advance(3_600);
    expect((await ask(11)).isTaken).toBe(false);
    expect((await ask(10)).isTaken).toBe(true);
  });

  it('is forgotten when it is full', async () => {
    let now = 0;
    const take = bucketsInMemory(free, () => now);
    for (let each = 0; each < 10_050; each++) {
      now += 2_000_000;
      await take(`project ${each}`, 1);
    }
    // Still exact for one that is not.
    for (let each = 0; each < 12; each++) await take('busy', 1);
    expect((await take('busy', 1)).isTaken).toBe(false);
  });
});

const callerOf = (tier: Tier, credentialUuid = 'key', projectUuid = 'project'): Caller => ({
  principal: {
    kind: 'key',
    credentialUuid,
    userUuid: 'user',
    projectUuid,
    profileUuid: 'profile',
    scopes: new Set(['read'] as const),
    source: 'sdk',
    isAdmin: false,
    tier,
  },
  address: '192.0.2.1',
});

const limitsWith = (overrides: RateOverrides = {}) => createRateLimits({ overrides, redis: null, processes: 1 });
const now = () => (performance.timeOrigin + performance.now()) / 1_000;

describe('the class agents', () => {
  it.each([
    ['free', 60, 10],
    ['pro', 300, 50],
    ['enterprise', 1_000, 100],
  ] as const)('of tier %s shows %i a minute and holds %i', async (tier, limit, burst) => {
    const rates = limitsWith();
    const state = await rates.spend('agents', callerOf(tier));
    expect(state).toMatchObject({ limit, remaining: burst - 1 });
    expect(Math.abs((state?.reset ?? 0) - now())).toBeLessThan(3);
    await rates.spend('agents', callerOf(tier), burst - 1);
    const refused: RateLimited = await rates.spend('agents', callerOf(tier), burst).then(
      () => Promise.reject(new Error('not refused')),
      (error) => error,
    );
    expect(refused).toMatchObject({ name: 'ApiError', code: 'RATE_LIMITED', rateClass: 'agents' });
    expect(refused.state).toMatchObject({ limit, remaining: 0 });
    expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
    expect(refused.retryAfter).toBeLessThanOrEqual(10);
    expect(refused.state.reset - now()).toBeGreaterThan(2);
    // Before its body is read.
    expect(() => rates.check('agents', callerOf(tier))).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  });

  it('counts by project, whichever key asks, and each tier by itself', async () => {
    const rates = limitsWith();
    expect(await rates.spend('agents', callerOf('free', 'one'), 6)).toMatchObject({ remaining: 4 });
    expect(await rates.spend('agents', callerOf('free', 'two'))).toMatchObject({ remaining: 3 });
    expect(await rates.spend('agents', callerOf('free', 'one', 'other'))).toMatchObject({ remaining: 9 });
    // A project whose tier is changed begins with a full bucket.
    expect(await rates.spend('agents', callerOf('pro', 'one'))).toMatchObject({ limit: 300, remaining: 49 });
    expect(await rates.spend('general', callerOf('free', 'one'))).toMatchObject({ limit: 60, remaining: 59 });
  });

  it('of callers without a credential is the class general of their address', async () => {
    const rates = limitsWith();
    await rates.spend('agents', anonymous('192.0.2.9'));
    expect(await rates.spend('general', anonymous('192.0.2.9'))).toMatchObject({ limit: 60, remaining: 58 });
    expect(spenderOf('agents', anonymous('192.0.2.9'))).toBe('address:192.0.2.9');
  });

  it('is changed by its tiers, with or without a burst, or switched off', async () => {
    const rates = limitsWith({ 'agents.free': '6/1m+2', 'agents.pro': 'off', '*': '5/1m' });
    expect(await rates.spend('agents', callerOf('free'))).toMatchObject({ limit: 6, remaining: 1 });
    expect(await rates.spend('agents', callerOf('pro'))).toBeNull();
    expect(await rates.spend('agents', callerOf('enterprise'))).toMatchObject({ limit: 5, remaining: 4 });
  });

  it.each([
    ['60/1m+10', 'agents.free', { points: 60, seconds: 60, burst: 10 }],
    ['60/1m', 'agents.free', { points: 60, seconds: 60, burst: 60 }],
    ['60/1m+0', 'agents.free', undefined],
    ['60/1m+', 'agents.free', undefined],
    ['60/1m+10', 'general', undefined],
    ['60/1m+10', '*', undefined],
    ['60/1m', 'general', { points: 60, seconds: 60 }],
    ['off', 'agents.pro', 'off'],
  ] as const)('reads %s for %s', (text, name, limit) => {
    expect(limitOf(text, name)).toEqual(limit);
  });
});
