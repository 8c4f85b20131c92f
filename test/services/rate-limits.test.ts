import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/platform/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import type { Product } from '../support/product.ts';
import { type Call, callerOf } from '../support/server.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { countByStatus, inTurn, startProducts } from './products.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

const limit = 20;
const processes = 4;
const path = '/api/clipboard';

const { services, url } = await createTestServices();
let redis: RedisServer;
let products: Product[];

beforeAll(async () => {
  redis = await startRedisServer();
  cleanUp(() => redis.close());
  products = await startProducts(
    processes,
    {
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      TRUST_PROXY: '1',
      PROCESSES: String(processes),
      RATE_LIMITS: JSON.stringify({
        '*': 'off',
        'clipboard.write': `${limit}/1m`,
        'clipboard.delete': `${limit}/3s`,
        'agents.free': '60/5h+10',
        'agents.pro': '300/5h+50',
        sensitive: '3/1h',
        account: '8/1h',
      }),
    },
    'web-process',
  );
});

/** A new user, who calls each process in turn. */
async function tenant(): Promise<{ user: Caller; call: Call }> {
  const user = await signUp(services);
  const { secret } = await keyOf(services, user);
  return { user, call: inTurn(products, secret) };
}

const times = <Result>(count: number, work: () => Promise<Result>) => Promise.all(Array.from({ length: count }, work));

async function keysInRedis(): Promise<string[]> {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = (await redis.command('SCAN', cursor, 'COUNT', 1_000)) as [string, string[]];
    keys.push(...found);
    cursor = next;
  } while (cursor !== '0');
  return keys;
}

const countersOf = async (limitName: string) =>
  (await keysInRedis()).filter((key) => key.startsWith(`patchbay:rate:${limitName}:`));

/** The clock of Redis, in milliseconds since 1970. */
async function redisMs(): Promise<number> {
  const [seconds, microseconds] = (await redis.command('TIME')) as [string, string];
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

describe(`rate limits over ${processes} processes that share a Redis`, () => {
  it('guesses at one account from many addresses are counted together, and its owner still signs in', async () => {
    const call = inTurn(products, null);
    const person = { email: 'owner@example.com', username: 'owner-of-it', password: 'correct horse battery' };
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    expect((await call('POST', '/api/auth/sign-up', person, from('198.51.100.1'))).status).toBe(200);
    let place = 0;
    const guess = (password: string) =>
      call('POST', '/api/auth/sign-in', { username: person.username, password }, from(`203.0.113.${++place}`));
    const answers = await times(32, () => guess('wrong password'));
    expect(countByStatus(answers)).toEqual({ 401: 8, 429: 24 });
    expect((await guess(person.password)).status).toBe(429);
    const { username, password } = person;
    for (let process = 0; process < processes; process++)
      expect((await call('POST', '/api/auth/sign-in', { username, password }, from('198.51.100.1'))).status).toBe(200);
  });

  it('E01: of four times the limit in parallel exactly the limit passes, and the remaining points are exact', async () => {
    const tenants = await times(3, tenant);
    for (const { call } of tenants) {
      const answers = await times(4 * limit, () => call('POST', `${path}/push`, { value: 'v' }));
      expect(countByStatus(answers)).toEqual({ 200: limit, 429: 3 * limit });
      const left = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
      expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: limit }, (_, i) => limit - 1 - i));
    }
  });

  it('E01, E07: GraphQL spends the same budget in every process', async () => {
    const { call } = await tenant();
    const push = 'clipboardPush(input: { value: "v" }) { entry { idx } }';
    const query = `mutation { a: ${push} b: ${push} c: ${push} }`;
    const answers = await times(8, () => call('POST', '/graphql', { query }));
    const allowed = answers.filter(({ body }) => body.errors === undefined).length;
    // Three points each of twenty; a call that does not fit is refused as a whole, and still spent.
    expect(allowed).toBe(Math.floor(limit / 3));
    expect((await call('GET', path)).body.total).toBe(3 * allowed);
  });

  it('E01: a class that counts by user holds over all of the user’s keys and all processes', async () => {
    const { user } = await tenant();
    const keys = await times(4, () => keyOf(services, user, { scopes: ['read', 'write', 'admin'] }));
    const answers = await Promise.all(
      keys.map(({ secret }, i) => callerOf(products[i] as Product, secret)('POST', '/api/api-keys', { name: 'n' })),
    );
    expect(countByStatus(answers)).toEqual({ 200: 3, 429: 1 });
  });

  it('E02: at the edge of a window at most twice the limit passes in the time of one, and refused calls do not move it', async () => {
    const passed = ({ status }: { status: number }) => status === 404;
    /** False where a busy machine took longer than a window. */
    const happened = async () => {
      const { call } = await tenant();
      const pop = () => call('DELETE', `${path}/pop`);
      const others = await countersOf('clipboard.delete');
      // The window opens with its first call; most of the budget goes at its end.
      expect(passed(await pop())).toBe(true);
      const [counter = ''] = (await countersOf('clipboard.delete')).filter((key) => !others.includes(key));
      const endOf = async () => Number(await redis.command('PEXPIRETIME', counter));
      const end = await endOf();
      await eventually('most of the window is over', async () => (await redisMs()) > end - 1_500);
      const before = await times(3 * limit, pop);
      const endAfter = await endOf();
      if ((await redisMs()) >= end) return false;
      expect(before.filter(passed)).toHaveLength(limit - 1);
      expect(endAfter).toBe(end);
      const first = await eventually('the next window', () => pop().then((one) => passed(one) && one), { everyMs: 5 });
      const nextEnd = await endOf();
      const after = await times(3 * limit, pop);
      if ((await redisMs()) >= nextEnd) return false;
      expect(first.headers.get('X-RateLimit-Remaining')).toBe(String(limit - 1));
      expect(after.filter(passed)).toHaveLength(limit - 1);
      return true;
    };
    await eventually('all of it within two windows', happened);
  });

  it('E10: of the bucket of a tier exactly the burst passes, and a changed tier holds in every process within a second', async () => {
    const { user, call } = await tenant();
    const list = () => call('GET', '/api/agents');
    expect(countByStatus(await times(40, list))).toEqual({ 200: 10, 429: 30 });
    const administrator = { ...user, principal: user.principal && { ...user.principal, isAdmin: true } };
    const projectUuid = String(user.principal?.projectUuid);
    await services.auth.administration.setTier(administrator, { projectUuid, tier: 'pro' });
    // A process remembers a key for 900 ms.
    await delay(1_000);
    const answers = await times(processes, list);
    expect(answers.map(({ headers }) => headers.get('X-RateLimit-Limit'))).toEqual(Array(processes).fill('300'));
    expect(countByStatus(await times(4 * 50, list))[200]).toBeLessThanOrEqual(50);
    expect((await list()).status).toBe(429);
  });

  it('E06: after all this no key in Redis is without an end', async () => {
    const keys = await keysInRedis();
    expect(keys.filter((key) => key.startsWith('patchbay:rate:')).length).toBeGreaterThanOrEqual(4);
    // -1 is a key without an end. One that has ended since is -2.
    for (const key of keys) expect(await redis.command('TTL', key), key).not.toBe(-1);
  });
});
