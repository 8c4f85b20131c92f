import { exampleTime, exampleUuid } from '../reference.ts';

const webhook = {
  id: exampleUuid,
  url: 'https://example.com/hooks/patchbay',
  events: ['server.installed', 'collection.shared'],
  active: true,
  status: 'active',
  failed_at: null,
  created_at: exampleTime,
  updated_at: exampleTime,
} as const;

const delivery = {
  id: '91c4e7a8-0d5b-4f62-8e3a-b7d16c2f9054',
  event: 'server.installed',
  event_id: 'f40b7d39-c65e-4a1f-9728-5de08a3b16c2',
  status: 'succeeded',
  attempt: 1,
  response_status: 200,
  response_ms: 84,
  response_body: 'ok',
  error: null,
  created_at: exampleTime,
  next_retry_at: null,
} as const;

const secret = 'whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLE0';

const ofWebhook = { webhook_id: { description: 'UUID of the webhook.', example: exampleUuid } } as const;

export const listEvents = {
  summary: 'List the events',
  description: 'All events that a webhook can subscribe to, each with the JSON Schema of its `data`.',
  example: {
    response: {
      events: {
        'server.uninstalled': {
          type: 'object',
          required: ['server_id'],
          properties: { server_id: { type: 'string', format: 'uuid' } },
        },
      },
    },
  },
} as const;

export const createWebhook = {
  summary: 'Create a webhook',
  description:
    'Events are sent to the URL as signed HTTP requests. Without `secret` one is generated, and this response is the only one that shows it. A profile has at most 50 webhooks (409).',
  example: {
    body: { url: webhook.url, events: webhook.events },
    response: {
      id: webhook.id,
      url: webhook.url,
      events: webhook.events,
      active: true,
      created_at: exampleTime,
      secret,
    },
  },
} as const;

export const listWebhooks = {
  summary: 'List webhooks',
  description: 'The webhooks of the profile, the newest first.',
  example: { query: { limit: 50, offset: 0 }, response: { webhooks: [webhook], total: 1 } },
} as const;

export const getWebhook = {
  summary: 'Get a webhook',
  description: 'A webhook of your profile. Secrets are not shown.',
  params: ofWebhook,
  example: { response: webhook },
} as const;

export const replaceSecret = {
  summary: 'Update a webhook and replace its secret',
  description:
    'With `secret` in the body. The new secret replaces the old one at once, and the request counts against the rate limit of sensitive operations.',
  params: ofWebhook,
  example: { body: { secret: 'a-new-secret-of-32-characters-00' }, response: webhook },
} as const;

export const updateWebhook = {
  summary: 'Update a webhook',
  description:
    'Fields that are left out stay as they are. `active: true` resumes the deliveries, also those of a webhook that failed.',
  params: ofWebhook,
  example: {
    body: { active: false },
    response: { ...webhook, active: false, status: 'inactive' },
  },
} as const;

export const deleteWebhook = {
  summary: 'Delete a webhook',
  description: 'Deletes the webhook with its deliveries.',
  params: ofWebhook,
  example: { response: { success: true, message: 'Webhook deleted' } },
} as const;

export const rotateSecret = {
  summary: 'Rotate the secret of a webhook',
  description:
    'The response is the only one that shows the new secret. For 24 hours deliveries are also signed with the old one.',
  params: ofWebhook,
  example: { response: { ...webhook, secret } },
} as const;

export const testWebhook = {
  summary: 'Test a webhook',
  description:
    'Sends one request to the webhook now and returns the delivery with the response. The request is not repeated.',
  params: ofWebhook,
  example: { body: { event: 'test.ping' }, response: { ...delivery, event: 'test.ping' } },
} as const;

export const listDeliveries = {
  summary: 'List the deliveries of a webhook',
  description: 'Every attempt is one delivery, the newest first. Deliveries are kept for 30 days.',
  params: ofWebhook,
  example: {
    query: { status: 'succeeded', limit: 20, offset: 0 },
    response: { deliveries: [delivery], total: 1, limit: 20, offset: 0 },
  },
} as const;

export const replayDelivery = {
  summary: 'Replay a delivery',
  description:
    'Sends the event of the delivery again, with the same event id. A pending delivery cannot be replayed (409).',
  params: { ...ofWebhook, delivery_id: { description: 'UUID of the delivery.', example: delivery.id } },
  example: {
    response: {
      ...delivery,
      id: '08f2d1b6-74ce-4935-a0e8-61c97b5d3f24',
      status: 'pending',
      response_status: null,
      response_ms: null,
      response_body: null,
    },
  },
} as const;

export const replayFailed = {
  summary: 'Replay failed deliveries',
  description: 'Sends again every event whose delivery has permanently failed since the instant.',
  params: ofWebhook,
  example: { body: { since: exampleTime }, response: { success: true, replayed: 4 } },
} as const;
