import type { Job } from '../platform/messaging/jobs.ts';
import type { OutboxReader } from '../platform/messaging/outbox-relay.ts';
import type { Webhooks } from './webhooks.ts';

/** The scheduled jobs of webhooks. */
export const webhookJobs = (webhooks: Pick<Webhooks, 'purge'>): Job[] => [
  { name: 'webhooks-purge-old-deliveries', cron: '23 * * * *', run: () => webhooks.purge() },
];

/** The outbox readers of webhooks. */
export const webhookReaders = (webhooks: Pick<Webhooks, 'fanOut'>): OutboxReader[] => [
  { name: 'webhooks', read: webhooks.fanOut },
];
