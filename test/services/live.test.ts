import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { createRedisEvents } from '../../src/platform/messaging/redis-events.ts';
import { verifies } from '../requirements.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, patienceMs, within } from '../support/deadline.ts';
import { type EventStream, openEventStream } from '../support/event-stream.ts';
import { connectedSocket } from '../support/graphql-socket.ts';
import type { Product } from '../support/product.ts';
import { type Call, callerOf } from '../support/server.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { createTcpProxy } from '../support/tcp-proxy.ts';
import { gaugeOf, startProducts } from './products.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

const path = '/api/clipboard';
const query = 'subscription { clipboardChanged { kind name } }';

const { services, url } = await createTestServices();
let redis: RedisServer;
let products: [Product, Product];

beforeAll(async () => {
  redis = await startRedisServer();
  cleanUp(() => redis.close());
  products = (await startProducts(2, { DATABASE_URL: url, REDIS_URL: redis.url })) as [Product, Product];
});

async function tenant(): Promise<{ secret: string; calls: [Call, Call] }> {
  const { secret } = await keyOf(services, await signUp(services));
  const [a, b] = products;
  return { secret, calls: [callerOf(a, secret), callerOf(b, secret)] };
}

/** A subscription over server-sent events: once its headers are there, it is established. */
async function listen({ base }: Product, secret: string): Promise<EventStream> {
  const stream = await openEventStream(base, query, { Authorization: `Bearer ${secret}` });
  onTestFinished(() => stream.close());
  expect(stream.status).toBe(200);
  return stream;
}

const nameOf = async (stream: EventStream): Promise<string> => (await stream.next())?.data.data.clipboardChanged.name;

const set = async (call: Call, name: string): Promise<void> =>
  expect((await call('POST', path, { name, value: 'v' })).status).toBe(200);

/** Names that a stream tells, until it tells the last one. */
async function namesUntil(stream: EventStream, last: string): Promise<string[]> {
  const names: string[] = [];
  while (names.at(-1) !== last) names.push(await nameOf(stream));
  return names;
}

/** Of the followed clipboards; the workers have their own channels. */
const channels = async () => (await redis.command('PUBSUB', 'CHANNELS', 'patchbay:*clipboard:*')) as string[];

describe('live events over two processes that share a Redis', () => {
  it(
    'a subscription on one process hears what the other writes the very moment it is established, exactly once',
    verifies('clipboard.changed'),
    async () => {
      for (let round = 0; round < 30; round++) {
        const { secret, calls } = await tenant();
        const stream = await listen(products[round % 2] as Product, secret);
        const other = calls[(round + 1) % 2] as Call;
        await set(other, 'first');
        await set(other, 'last');
        expect(await namesUntil(stream, 'last')).toEqual(['first', 'last']);
        stream.close();
      }
    },
  );

  it('every listener of a profile on both processes hears each write of both exactly once, and all in one order', async () => {
    const { secret, calls } = await tenant();
    const streams = await Promise.all([...products, ...products, ...products].map((each) => listen(each, secret)));
    await Promise.all(
      calls.map(async (call, process) => {
        for (let i = 0; i < 25; i++) await set(call, `${process}-${i}`);
      }),
    );
    await set(calls[0], 'last');
    const [first = [], ...rest] = await Promise.all(streams.map((stream) => namesUntil(stream, 'last')));
    expect(first).toHaveLength(51);
    expect(new Set(first).size).toBe(51);
    for (const names of rest) expect(names).toEqual(first);
  });

  it('a restart of Redis under a subscription: its own process is heard all along, exactly once and in order, and the other at most once and again afterwards', async () => {
    const { secret, calls } = await tenant();
    const [own, foreign] = [await listen(products[0], secret), await listen(products[1], secret)];
    let count = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await set(calls[0], `w${count++}`);
    })();
    const heard: string[] = [];
    const hearing = (async () => {
      while (heard.at(-1) !== 'last') heard.push(await nameOf(foreign));
    })();
    /** What /metrics says of Redis is up to a second old. */
    const isHeardAgain = async () => {
      const since = count;
      await eventually('the other process hears again', () => heard.some((name) => Number(name.slice(1)) >= since));
    };
    const more = async (what: string) => {
      const before = count;
      await eventually(`writes ${what}`, () => count > before + 20);
    };
    await more('before');
    await redis.kill();
    await more('while it is away');
    await redis.start();
    await isHeardAgain();
    await more('while it is back');
    redis.pause();
    await more('while it hangs');
    await delay(300);
    redis.resume();
    await isHeardAgain();
    await more('after it hung');
    isOver = true;
    await writing;
    await set(calls[1], 'last');
    const written = Array.from({ length: count }, (_, i) => `w${i}`);
    expect(await namesUntil(own, 'last')).toEqual([...written, 'last']);
    await hearing;
    expect(heard).toEqual([...written, 'last'].filter((name) => heard.includes(name)));
    expect(heard.slice(0, 20)).toEqual(written.slice(0, 20));
    expect(heard.slice(-20)).toEqual([...written, 'last'].slice(-20));
  });

  it('I05: foreign messages on our own channels are skipped', async () => {
    const { secret, calls } = await tenant();
    const stream = await listen(products[0], secret);
    const [channel] = await channels();
    for (const garbage of ['', 'nonsense', '{', 'null', '[]', '[1,2]', '["x","y",{}]', '{"kind":"SET"}', '\u0000'])
      await redis.command('PUBLISH', String(channel), garbage);
    await set(calls[1], 'last');
    expect(await namesUntil(stream, 'last')).toEqual(['last']);
  });

  it('F06: channels and subscriptions are given back when their clients go, however early they go', async () => {
    const tenants = await Promise.all(Array.from({ length: 10 }, tenant));
    await eventually('earlier channels are given back', async () => (await channels()).length === 0);
    const staying = await Promise.all(tenants.map(({ secret }) => listen(products[0], secret)));
    expect(await channels()).toHaveLength(10);
    const visits = Array.from({ length: 200 }, async (_, i) => {
      const { secret } = tenants[i % 10] as { secret: string };
      const headers = { Authorization: `Bearer ${secret}`, Accept: 'text/event-stream' };
      const signal = AbortSignal.timeout(1 + ((i * 7) % 60));
      const body = JSON.stringify({ query });
      const response = await fetch(`${(products[i % 2] as Product).base}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body,
        signal,
      }).catch(() => null);
      await response?.text().catch(() => null);
    });
    const sockets = Array.from({ length: 50 }, async (_, i) => {
      const { secret } = tenants[i % 10] as { secret: string };
      const connection = await connectedSocket((products[i % 2] as Product).base, secret);
      connection.send({ type: 'subscribe', id: '1', payload: { query } });
      if (i % 3 === 0) connection.send({ type: 'complete', id: '1' });
      if (i % 3 === 1) connection.socket.terminate();
      else connection.socket.close();
    });
    await Promise.all([...visits, ...sockets]);
    await eventually('only those who stay hold a channel', async () => (await channels()).length === 10);
    for (const stream of staying) stream.close();
    await eventually('all channels are given back', async () => (await channels()).length === 0);
    for (const product of products)
      for (const kind of ['subscription', 'socket'])
        expect((await gaugeOf(product, `patchbay_live_connections{kind="${kind}"}`)) ?? 0, kind).toBe(0);
  });
});

describe('a listener whose way to Redis is long', () => {
  it('hears what another process publishes as soon as its subscription has resolved', async () => {
    const log = createLogger('silent');
    const proxy = await createTcpProxy(redis.url);
    const here = createRedisEvents({ url: proxy.url, log });
    const there = createRedisEvents({ url: redis.url, log });
    onTestFinished(async () => void (await Promise.all([here.close(), there.close(), proxy.close()])));
    await Promise.all([here.settled(), there.settled()]);
    proxy.slow(30);
    for (let round = 0; round < 5; round++) {
      const [first, second] = await Promise.all([here.subscribe<number>('far'), here.subscribe<number>('far')]);
      there.publish('far', round);
      for (const listener of [first, second])
        expect((await within('news', patienceMs, listener.next())).value).toBe(round);
      await Promise.all([first.return(), second.return()]);
    }
  });
});

describe('a channel that is joined and left without a pause', () => {
  it('F06: lasts exactly as long as there are subscribers, and delivers everything from when it is established', async () => {
    const log = createLogger('silent');
    const here = createRedisEvents({ url: redis.url, log });
    const there = createRedisEvents({ url: redis.url, log });
    onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
    await Promise.all([here.settled(), there.settled()]);
    const subscribers = async () =>
      ((await redis.command('PUBSUB', 'NUMSUB', 'patchbay:events:c')) as [string, number])[1];

    for (let round = 0; round < 200; round++) {
      // Some leave before they have joined, and the next one joins while the channel is being left.
      const leaving = Array.from({ length: round % 4 }, () => here.subscribe<number>('c'));
      if (round % 3 === 0) await Promise.all(leaving);
      for (const each of leaving) void each.then((generator) => generator.return());
      if (round % 2 === 0) await Promise.resolve();
      const listener = await here.subscribe<number>('c');
      there.publish('c', round);
      here.publish('c', -round);
      const heard = [(await listener.next()).value, (await listener.next()).value];
      expect(heard.map((each) => Math.abs(Number(each)))).toEqual([round, round]);
      if (round % 5 === 0) expect(await subscribers()).toBe(1);
      await listener.return();
    }
    await eventually('the channel is given back', async () => (await subscribers()) === 0);
  });
});
