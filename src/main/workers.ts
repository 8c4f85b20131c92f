import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../schema/context.ts';
import type { Job } from '../platform/jobs.ts';
import { createOutboxRelay } from '../platform/outbox.ts';
import { type QueueName, queuesChannel } from '../platform/queue.ts';
import { type Platform, readersOf, workersOf } from './services.ts';

const retryMs = 2_000;

/**
 * Reads the outbox, delivers what is due, deals with the queues, and runs what is scheduled. Any number of processes may do so
 * at once. While the database is away it is tried again.
 *
 * @returns Takes nothing more; the queue's own `stop` then waits for what is under way.
 */
export function startWorkers(deps: {
  services: Services;
  platform: Platform;
  jobs: readonly Job[];
}): () => Promise<void> {
  const { services, platform, jobs } = deps;
  const { queue, events, log } = platform;
  const stopping = new AbortController();

  /** The queues, and the hints that there is something in one. */
  async function openQueues(): Promise<AsyncGenerator<QueueName, void, void>> {
    for (const { name, handle } of workersOf(services, platform)) await queue.work(name, handle);
    await queue.schedule(jobs);
    return events.subscribe<QueueName>(queuesChannel);
  }

  async function workQueues(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const hints = await openQueues();
        stopping.signal.addEventListener('abort', () => void hints.return());
        if (stopping.signal.aborted) await hints.return();
        for await (const name of hints) queue.wake(name);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ error }, 'the queues could not be opened; they are tried again');
        await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  const relay = createOutboxRelay({ ...platform, readers: readersOf(services) });
  const running = [relay.start(), services.webhooks.start()];
  const working = workQueues();
  return async () => {
    stopping.abort();
    for (const stop of await Promise.all(running)) await stop();
    await working;
  };
}
