import { createLocalEvents, type Events } from '../../src/platform/messaging/events.ts';

export interface UnreliableEvents {
  /** Events as each of so many processes has them. */
  readonly ofProcess: (process: number) => Events;
  /** Subscriptions that have not been returned. */
  open(): number;
}

/**
 * Events between processes under failures: each process receives what is published late, in any order, twice or never,
 * at random.
 *
 * @param options.random From 0 to 1.
 * @param options.lossRate Of signals that never arrive at a process.
 */
export function createUnreliableEvents({
  processes,
  random,
  lossRate,
}: {
  processes: number;
  random: () => number;
  lossRate: number;
}): UnreliableEvents {
  let open = 0;
  const locals = Array.from({ length: processes }, createLocalEvents);
  const late = (deliver: () => void) => {
    if (random() < lossRate) return;
    setTimeout(deliver, random() * 8);
    if (random() < 0.1) setTimeout(deliver, random() * 20);
  };
  const publish = (channel: string, payload: unknown) => {
    for (const local of locals) late(() => local.publish(channel, payload));
  };
  const ofProcess = (process: number): Events => {
    const local = locals[process] as Events;
    return {
      publish,
      async subscribe<Payload>(channel: string) {
        const news = await local.subscribe<Payload>(channel);
        const end = news.return.bind(news);
        let isOpen = true;
        open += 1;
        news.return = () => {
          if (isOpen) open -= 1;
          isOpen = false;
          return end();
        };
        return news;
      },
      close: async () => {},
    };
  };
  return { ofProcess, open: () => open };
}
