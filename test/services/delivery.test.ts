import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { type EventStream, openEventStream } from '../support/event-stream.ts';
import type { Product } from '../support/product.ts';
import { type Call, callerOf } from '../support/server.ts';
import { createTestServices, encryptionKeys, keyOf, signUp } from '../support/services.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { startProducts } from './products.ts';
import { startRedisServer } from './redis-server.ts';

const { services, url } = await createTestServices();
let products: [Product, Product];

beforeAll(async () => {
  const redis = await startRedisServer();
  cleanUp(() => redis.close());
  const environment = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEYS: encryptionKeys,
    EGRESS_ALLOW: '127.0.0.0/8',
    RATE_LIMITS: '{"*": "off"}',
  };
  products = (await startProducts(2, environment)) as [Product, Product];
});

async function tenant(): Promise<{ secret: string; calls: [Call, Call] }> {
  const { secret } = await keyOf(services, await signUp(services));
  return { secret, calls: [callerOf(products[0], secret), callerOf(products[1], secret)] };
}

async function follow({ base }: Product, secret: string, subscription: string): Promise<EventStream> {
  const stream = await openEventStream(base, `subscription { ${subscription} }`, { Authorization: `Bearer ${secret}` });
  onTestFinished(() => stream.close());
  expect(stream.status).toBe(200);
  return stream;
}

const next = async (stream: EventStream) => (await stream.next())?.data.data;

describe('over two processes that share a Redis', () => {
  it('notifications of both processes arrive in one order, once each, and the rest of them after a broken connection', async () => {
    const { secret, calls } = await tenant();
    const stream = await follow(products[0], secret, 'notificationAdded { uuid message }');
    const other = await follow(products[1], secret, 'notificationAdded { uuid message }');
    const count = 60;
    const made = Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const answer = await (calls[n % 2] as Call)('POST', '/api/notifications', { message: String(n) });
        expect(answer.status).toBe(200);
      }),
    );
    const heard: { uuid: string; message: string }[] = [];
    while (heard.length < count / 2) heard.push((await next(stream)).notificationAdded);
    stream.close();
    await made;
    const since = heard.at(-1)?.uuid;
    const resumed = await follow(products[1], secret, `notificationAdded(sinceId: "${since}") { uuid message }`);
    while (heard.length < count) heard.push((await next(resumed)).notificationAdded);
    const whole: typeof heard = [];
    while (whole.length < count) whole.push((await next(other)).notificationAdded);
    expect(new Set(heard.map(({ message }) => message)).size).toBe(count);
    expect(heard).toEqual(whole);
  });

  it('the unread count follows changes of the other process', async () => {
    const { secret, calls } = await tenant();
    const stream = await follow(products[0], secret, 'unreadCountChanged');
    expect((await next(stream)).unreadCountChanged).toBe(0);
    const { body } = await calls[1]('POST', '/api/notifications', { message: 'm' });
    expect((await next(stream)).unreadCountChanged).toBe(1);
    await calls[1]('PATCH', `/api/notifications/${body.notificationId}/read`);
    expect((await next(stream)).unreadCountChanged).toBe(0);
  });

  it('D03: what happens in either is delivered once, and both hear how it went', async () => {
    const { secret, calls } = await tenant();
    const receiver = await startReceiver();
    const webhook = { url: receiver.base, events: ['notification.created'] };
    expect((await calls[0]('POST', '/api/webhooks', webhook)).status).toBe(200);
    const streams = await Promise.all(
      products.map((product) => follow(product, secret, 'webhookDelivered { eventUuid status }')),
    );
    const count = 40;
    await Promise.all(
      Array.from({ length: count }, (_, n) => (calls[n % 2] as Call)('POST', '/api/notifications', { message: 'm' })),
    );
    await eventually('all have arrived', () => receiver.received.length >= count);
    const ids = receiver.received.map(({ body }) => body.id).sort();
    for (const stream of streams) {
      const heard: string[] = [];
      while (heard.length < count) {
        const { eventUuid, status } = (await next(stream)).webhookDelivered;
        expect(status).toBe('SUCCEEDED');
        heard.push(eventUuid);
      }
      expect(heard.sort()).toEqual(ids);
    }
    expect(new Set(ids).size).toBe(count);
    expect(receiver.received).toHaveLength(count);
  });
});
