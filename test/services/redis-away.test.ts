import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Caller } from '../../src/platform/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import type { Product } from '../support/product.ts';
import { type Call, callerOf } from '../support/server.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { countByStatus, freshGaugesOf, gaugeOf, inTurn, startAsking, startProducts } from './products.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

const limit = 8;
const processes = 2;
const path = '/api/clipboard';

const { services, url } = await createTestServices();
let redis: RedisServer;
let proxy: TcpProxy;
let products: Product[];

const settings = (redisUrl: string) => ({
  DATABASE_URL: url,
  REDIS_URL: redisUrl,
  PROCESSES: String(processes),
  RATE_LIMITS: JSON.stringify({
    '*': '1000000/1m',
    'clipboard.write': `${limit}/1m`,
    general: `${limit}/1m`,
    authentication: '1000/1m',
  }),
});

beforeAll(async () => {
  redis = await startRedisServer();
  cleanUp(() => redis.close());
  proxy = await createTcpProxy(redis.url);
  cleanUp(() => proxy.close());
  products = await startProducts(processes, settings(proxy.url), 'web-process');
  // The first request of a process pays for what is compiled and connected then.
  const warm = startAsking(products, (await tenant()).secret, (call) => call('GET', path));
  await eventually('two hundred answers', () => warm.answers.length > 200);
  await warm.stop();
});

async function tenant(): Promise<{ user: Caller; secret: string; uuid: string; call: Call }> {
  const user = await signUp(services);
  const { secret, uuid } = await keyOf(services, user, { scopes: ['read', 'write', 'admin'] });
  return { user, secret, uuid, call: inTurn(products, secret) };
}

const isDegraded = (product: Pick<Product, 'base'>) =>
  gaugeOf(product, 'patchbay_redis_up{use="limits"}').then((up) => up === 0);

const isWell = async (product: Pick<Product, 'base'>) =>
  (await freshGaugesOf(product, ['patchbay_redis_up{use="limits"}', 'patchbay_redis_up{use="events"}'])).every(
    (up) => up === 1,
  );

const everywhere = async (holds: (product: Product) => Promise<boolean>) =>
  (await Promise.all(products.map(holds))).every(Boolean);

const pushes = (call: Call, count: number) =>
  Promise.all(Array.from({ length: count }, () => call('POST', `${path}/push`, { value: 'v' })));

/** All processes together let through the limit and not one more. */
async function expectExact(): Promise<void> {
  const { call } = await tenant();
  expect(countByStatus(await pushes(call, 4 * limit))).toEqual({ 200: limit, 429: 3 * limit });
}

/** What the product promises while Redis is away. Source: docs/specification/operations.md#while-a-part-is-down. */
async function expectDegraded(): Promise<void> {
  const { call, user, uuid, secret } = await tenant();

  // General and clipboard: each process its share, so all together no more than the limit; never open.
  expect(countByStatus(await pushes(call, 4 * limit))).toEqual({ 200: limit, 429: 3 * limit });
  const general = await Promise.all(Array.from({ length: 4 * limit }, () => call('GET', '/api/profiles')));
  expect(countByStatus(general)).toEqual({ 200: limit, 429: 3 * limit });

  // Authentication and sensitive: refused, with a time to come back.
  const signIn = await inTurn(products, null)('POST', '/api/auth/sign-in', { username: 'x', password: 'y' });
  const createKey = await call('POST', '/api/api-keys', { name: 'n' });
  for (const { status, headers, body } of [signIn, createKey]) {
    expect(status).toBe(503);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(body).toMatchObject({ error: { code: 'UNAVAILABLE', message: expect.any(String) } });
  }

  for (const product of products) expect((await callerOf(product, null)('GET', '/readyz')).status).toBe(200);

  // A right key works, a wrong one is 401 as ever, and what was revoked is told by PostgreSQL.
  const reads = products.map((product) => callerOf(product, secret));
  for (const read of reads) expect((await read('GET', path)).status).toBe(200);
  const wrong = `pbk_${'a'.repeat(49)}`;
  for (const product of products) expect((await callerOf(product, wrong)('GET', path)).status).toBe(401);
  await services.auth.apiKeys.revoke(user, { uuid });
  const elapsedMs = startStopwatch();
  for (const read of reads)
    await eventually('the revoked key is refused', async () => (await read('GET', path)).status === 401);
  expect(elapsedMs()).toBeLessThan(1_000);
}

interface Fault {
  readonly name: string;
  harm(): Promise<unknown> | unknown;
  mend(): Promise<unknown> | unknown;
}

const faults: Fault[] = [
  { name: 'killed', harm: () => redis.kill(), mend: () => redis.start() },
  { name: 'hanging (SIGSTOP)', harm: () => redis.pause(), mend: () => redis.resume() },
  { name: 'slow, 300 ms each way', harm: () => proxy.slow(300), mend: () => proxy.slow(0) },
  { name: 'behind a network that swallows everything', harm: () => proxy.stall(), mend: () => proxy.restore() },
  {
    name: 'a replica that only reads',
    harm: () => redis.command('REPLICAOF', '127.0.0.1', 1),
    mend: () => redis.command('REPLICAOF', 'NO', 'ONE'),
  },
  {
    name: 'out of memory',
    harm: () => redis.command('CONFIG', 'SET', 'maxmemory', 1, 'maxmemory-policy', 'noeviction'),
    mend: () => redis.command('CONFIG', 'SET', 'maxmemory', 0),
  },
];

describe(`E05: ${processes} processes whose Redis is`, () => {
  it.each(faults)(
    'E05: $name: nothing hangs, nothing is 500, nothing is open, and it is exact again afterwards',
    async ({ harm, mend }) => {
      const { secret } = await tenant();
      const calm = startAsking(products, secret, (call) => call('GET', path));
      await eventually('a calm moment', () => calm.answers.length >= 60);
      const usual = Math.max(...(await calm.stop()).map(({ milliseconds }) => milliseconds));

      let isMended = false;
      const mended = async () => {
        if (!isMended) await mend();
        isMended = true;
      };
      onTestFinished(mended);
      const load = startAsking(products, secret, (call) => call('GET', path));
      await eventually('the load is on', () => load.answers.length >= 10);
      await harm();
      const harmed = load.answers.length;
      await eventually('the gauges tell', () => everywhere(isDegraded));
      await eventually('the load goes on', () => load.answers.length >= harmed + 60);
      const answers = await load.stop();
      expect(countByStatus(answers)).toEqual({ 200: answers.length });
      expect(Math.max(...answers.map(({ milliseconds }) => milliseconds)) - usual).toBeLessThan(300);

      await expectDegraded();

      await mended();
      await eventually('Redis is in use again', () => everywhere(isWell));
      await expectExact();
    },
  );

  it('E05: emptied (FLUSHALL) or restarted under load: no error, new windows, and exact', async () => {
    const { secret } = await tenant();
    const load = startAsking(products, secret, (call) => call('GET', path));
    for (let round = 0; round < 5; round++) {
      await redis.command('FLUSHALL');
      await redis.command('SCRIPT', 'FLUSH');
      const before = load.answers.length;
      await eventually('answers', () => load.answers.length > before + 10);
    }
    await redis.kill();
    await redis.start();
    await eventually('Redis is in use again', () => everywhere(isWell));
    const answers = await load.stop();
    expect(countByStatus(answers)).toEqual({ 200: answers.length });
    await expectExact();
  });

  it('E05: silently gone at the other end of the connections: they are opened again', async () => {
    proxy.strand();
    await eventually('the gauges tell', () => everywhere(isDegraded));
    await eventually('Redis is in use again', () => everywhere(isWell));
    await expectExact();
  });

  it('E05: full of keys of another kind under our names: counted locally, no 500, and other keys are exact', async () => {
    const { secret, uuid } = await tenant();
    await redis.command('LPUSH', `patchbay:rate:clipboard.read:key:${uuid}`, 'garbage');
    const load = startAsking(products, secret, (call) => call('GET', path));
    await eventually('answers', () => load.answers.length > 50);
    const answers = await load.stop();
    expect(countByStatus(answers)).toEqual({ 200: answers.length });
    await eventually('Redis is in use again', () => everywhere(isWell));
    await expectExact();
  });

  it('E05: not there when they start: they start, degraded, and are exact once it comes', async () => {
    await redis.kill();
    onTestFinished(() => redis.kill().then(redis.start));
    const late = await startProducts(processes, settings(redis.url), 'web-process');
    const { secret } = await tenant();
    for (const product of late) {
      expect(await isDegraded(product)).toBe(true);
      expect((await callerOf(product, null)('GET', '/readyz')).status).toBe(200);
    }
    const share = await pushes(inTurn(late, secret), 4 * limit);
    expect(countByStatus(share)).toEqual({ 200: limit, 429: 3 * limit });
    await redis.start();
    await eventually('Redis is in use', async () => (await Promise.all(late.map(isWell))).every(Boolean));
    const together = await pushes(inTurn(late, (await tenant()).secret), 4 * limit);
    expect(countByStatus(together)).toEqual({ 200: limit, 429: 3 * limit });
  });
});
