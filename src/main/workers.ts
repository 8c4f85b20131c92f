import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../schema/context.ts';
import type { Job } from '../platform/jobs.ts';
import { type QueueName, queuesChannel } from '../platform/queue.ts';
import { type Platform, workersOf } from './services.ts';

const retryMs = 2_000;

/**
 * Deals with what is in the queues, and runs what is scheduled. Any number of processes may do so at once. While the
 * database is away it is tried again.
 *
 * @returns Takes nothing more; the queue's own `stop` then waits for what is under way.
 */
export function startWorkers(deps: {
  services: Services;
  platform: Pick<Platform, 'queue' | 'events' | 'log'>;
  jobs: readonly Job[];
}): () => Promise<void> {
  const { services, jobs } = deps;
  const { queue, events, log } = deps.platform;
  const stopping = new AbortController();
  let stopWebhooks: (() => Promise<void>) | null = null;

  /** May be called again after it has failed: what runs already is left alone. */
  async function start(): Promise<AsyncGenerator<QueueName, void, void>> {
    for (const { name, handle } of workersOf(services)) await queue.work(name, handle);
    stopWebhooks ??= await services.webhooks.start();
    await queue.schedule(jobs);
    return events.subscribe<QueueName>(queuesChannel);
  }

  async function run(): Promise<void> {
    for (;;) {
      try {
        const hints = await start();
        stopping.signal.addEventListener('abort', () => void hints.return());
        if (stopping.signal.aborted) await hints.return();
        for await (const name of hints) queue.wake(name);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ error }, 'the workers could not start; they try again');
        await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
      if (stopping.signal.aborted) return;
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
    await stopWebhooks?.();
  };
}
