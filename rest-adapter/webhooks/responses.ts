import { z } from 'zod';
import { deliveryStatuses } from '../../src/webhooks/input.ts';

const uuid = z.uuid();
const instant = z.iso.datetime();

const registered = z.object({
  id: uuid.describe('The webhook.'),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  created_at: instant,
});

const webhook = registered
  .extend({
    status: z
      .enum(['active', 'inactive', 'failed'])
      .describe(
        '`failed` means that all attempts of a delivery failed; PATCH with `active: true` resumes the deliveries.',
      ),
    failed_at: instant.nullable(),
    updated_at: instant,
  })
  .meta({ id: 'Webhook' });

const delivery = z
  .object({
    id: uuid.describe('The delivery: one attempt.'),
    event: z.string(),
    event_id: uuid.describe('The `id` that the receiver sees: the same on every attempt.'),
    status: z.enum(deliveryStatuses),
    attempt: z.int().min(1).max(6),
    response_status: z.int().nullable(),
    response_ms: z.int().nullable(),
    response_body: z.string().nullable().describe('The first 1 kB.'),
    error: z.string().nullable(),
    created_at: instant,
    next_retry_at: instant.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const newWebhookResponse = registered
  .extend({
    secret: z
      .string()
      .optional()
      .describe('The generated secret, shown only in this response; null if the request has a secret.'),
  })
  .meta({ id: 'NewWebhook' });
export const webhookResponse = webhook;
export const webhooksResponse = z.object({ webhooks: z.array(webhook), total: z.int() });
export const deletedResponse = z.object({ success: z.literal(true), message: z.string() });
export const rotatedResponse = webhook
  .extend({ secret: z.string().describe('The new secret, shown only in this response.') })
  .meta({ id: 'WebhookWithSecret' });
export const deliveryResponse = delivery;
export const deliveriesResponse = z.object({
  deliveries: z.array(delivery),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});
export const replayedResponse = z.object({ success: z.literal(true), replayed: z.int() });
export const eventsResponse = z.object({
  events: z.record(z.string(), z.record(z.string(), z.unknown())).describe('The JSON Schema of `data`, by event.'),
});
