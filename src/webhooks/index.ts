export { testEvent } from './deliveries.ts';
export type { DeliveryEvent } from './delivery-reads.ts';
export { webhookJobs, webhookReaders } from './jobs.ts';
export { createWebhookMetrics, type WebhookMetrics } from './metrics.ts';
export { webhookSealedColumns } from './sealed-columns.ts';
export { createWebhooks, type Webhooks } from './webhooks.ts';
