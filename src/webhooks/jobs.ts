import type { Job } from '../platform/jobs.ts';
import type { OutboxEvent } from '../platform/outbox.ts';
import type { Worker } from '../platform/queue.ts';
import type { Webhooks } from './webhooks.ts';

/** What of webhooks runs on a clock. */
export const webhookJobs = (webhooks: Pick<Webhooks, 'purge'>): Job[] => [
  { name: 'webhooks-purge-old-events', cron: '23 * * * *', run: () => webhooks.purge() },
];

/** What of webhooks reads a queue. */
export const webhookWorkers = (webhooks: Pick<Webhooks, 'fanOut'>): Worker[] => [
  { name: 'events', handle: (batch) => webhooks.fanOut(batch as readonly OutboxEvent[]) },
];
