import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller, Tier } from '../../src/platform/caller.ts';
import { createRateLimits, type RateState } from '../../src/platform/limits/rate-limits.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createRedis, type RedisConnection } from '../../src/platform/redis.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

const processes = 3;
let redis: RedisServer;
let connections: RedisConnection[];

beforeAll(async () => {
  redis = await startRedisServer();
  cleanUp(() => redis.close());
  connections = Array.from({ length: processes }, () => createRedis({ url: redis.url, log: createLogger('silent') }));
  for (const connection of connections) cleanUp(() => connection.close());
  await Promise.all(connections.map((connection) => connection.settled()));
});

const callerOf = (tier: Tier, projectUuid: string): Caller => ({
  principal: {
    kind: 'key',
    credentialUuid: 'key',
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

/** Asks each of several limiters in turn, each with a connection of its own, as processes do. */
function asker(overrides: Record<string, string> = {}) {
  const limits = connections.map((connection) => createRateLimits({ overrides, redis: connection, processes }));
  let turn = 0;
  return (caller: Caller): Promise<RateState | null | undefined> =>
    (limits[turn++ % processes] as (typeof limits)[0]).spend('agents', caller).catch((error: { code: string }) => {
      if (error.code !== 'RATE_LIMITED') throw error;
      return undefined;
    });
}

const passedOf = (answers: readonly (RateState | null | undefined)[]) =>
  answers.filter((answer) => answer !== undefined);

describe(`token buckets over ${processes} connections to one Redis`, () => {
  it.each([
    ['free', 60, 10],
    ['pro', 300, 50],
    ['enterprise', 1_000, 100],
  ] as const)(
    'E10: of tier %s let the burst through, and no more than comes back meanwhile',
    async (tier, limit, burst) => {
      const ask = asker();
      const caller = callerOf(tier, `project-${tier}`);
      const start = performance.now();
      const answers = await Promise.all(Array.from({ length: 3 * burst }, () => ask(caller)));
      const passed = passedOf(answers);
      const refilled = ((performance.now() - start) / 60_000) * limit;
      expect(passed.length).toBeGreaterThanOrEqual(burst);
      expect(passed.length).toBeLessThanOrEqual(burst + Math.ceil(refilled));
      expect(passed[0]).toMatchObject({ limit, remaining: burst - 1 });
    },
  );

  it('E10: refill at the rate of the limit by the clock of Redis', async () => {
    const ask = asker({ 'agents.free': '600/1m+5' });
    const caller = callerOf('free', 'refill');
    const start = performance.now();
    const [perMs, burst] = [10 / 1_000, 5];
    let passed = 0;
    // What a full bucket does not take, where a busy machine left too long between two rounds.
    let lost = 0;
    let lastBegun = start;
    await eventually(
      'two seconds are over',
      async () => {
        const begun = performance.now();
        passed += passedOf(await Promise.all(Array.from({ length: 12 }, () => ask(caller)))).length;
        lost += Math.max(0, (performance.now() - lastBegun) * perMs - burst);
        lastBegun = begun;
        return performance.now() - start > 2_000;
      },
      { everyMs: 20 },
    );
    const expected = burst + (performance.now() - start) * perMs;
    // One for the last answer, which came a moment before the measurement of the time.
    expect(passed).toBeLessThanOrEqual(expected + 1);
    expect(passed).toBeGreaterThanOrEqual(expected - 3 - lost);
  });

  it('E06: leave no key in Redis without an end', async () => {
    await asker()(callerOf('free', 'ends'));
    const keys = (await redis.command('KEYS', 'patchbay:rate:agents.*')) as string[];
    expect(keys).toContain('patchbay:rate:agents.free:project:ends');
    for (const key of keys) {
      const left = Number(await redis.command('PTTL', key));
      expect(left, key).not.toBe(-1);
      expect(left, key).toBeLessThanOrEqual(60_000);
    }
    await eventually('the key is gone with the point', async () => {
      const found = await redis.command('EXISTS', 'patchbay:rate:agents.free:project:ends');
      return found === 0;
    });
  });

  it('let each process pass its share while Redis is away', async () => {
    const limits = createRateLimits({ overrides: {}, redis: connections[0] as RedisConnection, processes });
    const caller = callerOf('pro', 'share');
    await redis.close();
    await eventually('Redis is away', () => !connections[0]?.isUp());
    const answers: (RateState | null | undefined)[] = [];
    for (let each = 0; each < 30; each++) answers.push(await limits.spend('agents', caller).catch(() => undefined));
    expect(passedOf(answers).length).toBeGreaterThanOrEqual(16);
    expect(passedOf(answers).length).toBeLessThanOrEqual(18);
  });
});
