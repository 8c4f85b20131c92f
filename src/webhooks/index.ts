export type { DeliveryNews, DeliveryPage, DeliveryRecord } from './deliveries.ts';
export { webhookJobs, webhookWorkers } from './jobs.ts';
export type { WebhookPage, WebhookRecord, WebhookStatus } from './registrations.ts';
export { createWebhooks, type Webhooks } from './webhooks.ts';
