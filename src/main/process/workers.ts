import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../../schema/context.ts';
import type { Job } from '../../platform/messaging/jobs.ts';
import { createOutboxRelay } from '../../platform/messaging/outbox-relay.ts';
import { type QueueName, queuesChannel } from '../../platform/messaging/queue.ts';
import { subscribeToSignals } from '../../platform/messaging/signals.ts';
import { type Infrastructure, readersOf, workersOf } from '../services.ts';

const retryMs = 2_000;

/**
 * Reads the outbox, delivers due webhooks, processes the queues, and runs scheduled jobs. Any number of processes may
 * do so concurrently. While the database is unavailable it retries.
 *
 * @returns A function that takes no more work; the queue's own `stop` then waits for running work.
 */
export function startWorkers(deps: {
  services: Services;
  infrastructure: Infrastructure;
  jobs: readonly Job[];
}): () => Promise<void> {
  const { services, infrastructure, jobs } = deps;
  const { queue, database } = infrastructure;
  const stopping = new AbortController();

  /** The queues, and the signals that one has jobs. While the database is unavailable it retries. */
  async function workQueues(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const { name, handle } of workersOf(services, infrastructure)) await queue.work(name, handle);
        await queue.schedule(jobs);
        return;
      } catch (error) {
        database.report(error, 'the queues could not be opened; they are tried again');
        await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  const relay = createOutboxRelay({ ...infrastructure, readers: readersOf(services) });
  const wakeQueue = subscribeToSignals<QueueName>(
    { events: infrastructure.events, report: database.report },
    { channel: queuesChannel, of: 'the queues' },
    queue.wake,
  );
  const running = [
    relay.start(),
    services.webhooks.start(),
    services.analytics.trending.start(),
    services.agents.reconciler.start(),
    services.agents.liveness.start(),
    wakeQueue,
  ];
  const working = workQueues();
  return async () => {
    stopping.abort();
    for (const stop of await Promise.all(running)) await stop();
    await working;
  };
}
