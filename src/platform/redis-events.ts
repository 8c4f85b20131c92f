import { Redis } from 'ioredis';
import { type Events, generatorOf, LocalListeners } from './events.ts';
import type { Logger } from './logger.ts';

const prefix = 'patchbay:events:';

/** Events between processes, over Redis pub/sub. While Redis is away, listeners of this process still hear. */
export function createRedisEvents({ url, log }: { url: string; log: Logger }): Events {
  const options = {
    lazyConnect: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    retryStrategy: (times: number) => Math.min(times * 100, 2_000),
  };
  const publisher = new Redis(url, options);
  const subscriber = new Redis(url, { ...options, autoResubscribe: false });
  const listeners = new LocalListeners();
  let complained = false;
  for (const connection of [publisher, subscriber]) {
    connection.on('error', (error) => {
      if (!complained) log.warn({ error }, 'Redis cannot be reached: events stay within this process until it is back');
      complained = true;
    });
  }
  subscriber.on('ready', () => {
    complained = false;
    const channels = listeners.channels();
    if (channels.length > 0) subscriber.subscribe(...channels.map((channel) => prefix + channel)).catch(() => {});
  });
  subscriber.on('message', (channel: string, message: string) => {
    try {
      listeners.deliver(channel.slice(prefix.length), JSON.parse(message));
    } catch (error) {
      log.warn({ error }, 'a message that is not JSON came over Redis');
    }
  });

  return {
    publish(channel, payload) {
      const locally = () => listeners.deliver(channel, payload);
      if (publisher.status !== 'ready' || subscriber.status !== 'ready') return locally();
      publisher.publish(prefix + channel, JSON.stringify(payload)).catch(locally);
    },
    subscribe: (channel) =>
      generatorOf((push) => {
        if (listeners.add(channel, push) && subscriber.status === 'ready')
          subscriber.subscribe(prefix + channel).catch(() => {});
        return () => {
          if (listeners.remove(channel, push) && subscriber.status === 'ready')
            subscriber.unsubscribe(prefix + channel).catch(() => {});
        };
      }),
    async close() {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
