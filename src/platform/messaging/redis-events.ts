import { randomUUID } from 'node:crypto';
import type { Logger } from '../logger.ts';
import { connectToRedis, type RedisConnection } from '../redis.ts';
import { type Events, generatorOf, LocalListeners } from './events.ts';

const prefix = 'patchbay:events:';

export interface RedisEvents extends Events, Pick<RedisConnection, 'isUp' | 'settled'> {}

/** An event on the wire: its sender, its number at the sender, and its payload. */
type Envelope = readonly [sender: string, id: number, payload: unknown];

/** Events of this process on their way to Redis and back, by id. */
type OnTheWay = Map<number, { readonly channel: string; readonly payload: unknown; readonly late: NodeJS.Timeout }>;

/** Events that have not returned by then are delivered to the subscribers of this process without Redis. */
const returnTimeoutMs = 250;

/**
 * Events between processes, over Redis pub/sub. Each subscriber receives each event at most once, and those of this
 * process receive its own events exactly once, whatever happens to Redis. While Redis is available, all processes
 * receive in its order.
 */
export function createRedisEvents({ url, log }: { url: string; log: Logger }): RedisEvents {
  const publisher = connectToRedis({ url, log, use: 'publishing events', probe: (client) => client.ping() });
  const subscriber = connectToRedis({ url, log, use: 'hearing events', probe: (client) => client.ping() });
  const listeners = new LocalListeners();
  const sender = randomUUID();
  let sent = 0;
  const onTheWay: OnTheWay = new Map();
  /** Channels that were asked for on the present connection; resolved once Redis has said that they are ours. */
  const subscribed = new Map<string, Promise<void>>();
  /** Those of them that Redis has confirmed. */
  const confirmed = new Set<string>();

  /**
   * Delivers events that have not returned to the subscribers of this process. Removing an event from the map decides
   * who delivers it, so no event is delivered twice.
   */
  function deliverInTransit(): void {
    for (const [id, { channel, payload, late }] of onTheWay) {
      clearTimeout(late);
      onTheWay.delete(id);
      listeners.deliver(channel, payload);
    }
  }

  function publish(channel: string, payload: unknown): void {
    const id = ++sent;
    // Without a subscriber here there is nothing to deliver, and without a channel nothing would return.
    const comesBack = publisher.isUp() && subscriber.isUp() && confirmed.has(channel);
    if (comesBack) {
      // In the order of publication: a late event takes the later ones along.
      onTheWay.set(id, { channel, payload, late: setTimeout(deliverInTransit, returnTimeoutMs) });
    } else {
      deliverInTransit();
      listeners.deliver(channel, payload);
    }
    const envelope: Envelope = [sender, id, payload];
    publisher
      .attempt(() => publisher.client.publish(prefix + channel, JSON.stringify(envelope)))
      .catch(() => comesBack && deliverInTransit());
  }

  subscriber.client.on('message', (channel: string, message: string) => {
    const envelope = envelopeOf(message);
    if (envelope === null)
      return log.warn({ channel }, 'Redis delivered a message that is not an event of the platform');
    const [from, id, payload] = envelope;
    if (from !== sender) return listeners.deliver(channel.slice(prefix.length), payload);
    const own = onTheWay.get(id);
    if (own === undefined) return;
    clearTimeout(own.late);
    onTheWay.delete(id);
    listeners.deliver(own.channel, own.payload);
  });

  // Commands of one connection run in order, so the last one holds, however subscriptions start and end.
  function join(channel: string): Promise<void> {
    const joined = subscribed.get(channel);
    if (joined) return joined;
    if (subscriber.client.status !== 'ready') return Promise.resolve();
    const joining: Promise<void> = subscriber.client.subscribe(prefix + channel).then(
      () => {
        if (subscribed.get(channel) === joining) confirmed.add(channel);
      },
      (error) => {
        log.warn({ error }, 'Redis did not take a subscription');
        if (subscribed.get(channel) === joining) subscribed.delete(channel);
      },
    );
    subscribed.set(channel, joining);
    return joining;
  }

  function leave(channel: string): void {
    confirmed.delete(channel);
    if (!subscribed.delete(channel) || subscriber.client.status !== 'ready') return;
    subscriber.client.unsubscribe(prefix + channel).catch(() => {});
  }

  subscriber.client.on('close', () => {
    subscribed.clear();
    confirmed.clear();
    deliverInTransit();
  });
  subscriber.client.on('ready', () => {
    for (const channel of listeners.channels()) void join(channel);
  });

  return {
    publish,
    async subscribe<Payload>(channel: string) {
      const generator = generatorOf<Payload>((push) => {
        listeners.add(channel, push);
        return () => {
          if (listeners.remove(channel, push)) leave(channel);
        };
      });
      // Without Redis the listener hears this process, and the others once it is back.
      const joined = join(channel);
      await subscriber.attempt(() => joined).catch(() => undefined);
      return generator;
    },
    isUp: () =>
      publisher.isUp() && subscriber.isUp() && listeners.channels().every((channel) => confirmed.has(channel)),
    settled: async () => void (await Promise.all([publisher.settled(), subscriber.settled()])),
    async close() {
      deliverInTransit();
      publisher.close();
      subscriber.close();
    },
  };
}

function envelopeOf(message: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(message);
    return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number' && value.length === 3
      ? (value as unknown as Envelope)
      : null;
  } catch {
    return null;
  }
}
