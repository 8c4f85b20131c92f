import {
  DeliveryFilter,
  NewWebhook,
  PageRequest,
  ReplayRequest,
  TestCall,
  WebhookChange,
} from '../../src/webhooks/input.ts';
import { generalErrors } from '../errors.ts';
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  GetWebhookDocument,
  ListWebhookDeliveriesDocument,
  ListWebhookEventsDocument,
  ListWebhooksDocument,
  ReplayFailedWebhookDeliveriesDocument,
  ReplayWebhookDeliveryDocument,
  RotateWebhookSecretDocument,
  TestWebhookDocument,
  UpdateWebhookDocument,
  type WebhookCreateInput,
  type WebhookDeliveryFieldsFragment,
  type WebhookDeliveryStatus,
  type WebhookFailedReplayInput,
  type WebhookFieldsFragment,
  type WebhookTestInput,
  type WebhookUpdateInput,
} from '../generated/operations.ts';
import { integerOf, pick, type Route, type RouteRequest, route } from '../route.ts';
import {
  deletedAnswer,
  deliveriesAnswer,
  deliveryAnswer,
  eventsAnswer,
  newWebhookAnswer,
  replayedAnswer,
  rotatedAnswer,
  webhookAnswer,
  webhooksAnswer,
} from './answers.ts';

const shared = { tag: 'Webhooks', errors: generalErrors, access: 'caller' } as const;

/** The paths of webhooks. Source: spec.md, Webhooks; gaps.md, Notifications and webhooks. */
export const webhookRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/webhooks/events',
    access: 'public',
    summary: 'Everything that webhooks can be told, each with the JSON Schema of its `data`',
    operation: ListWebhookEventsDocument,
    variables: () => ({}),
    body: ({ webhookEvents }) => ({
      events: Object.fromEntries(webhookEvents.map(({ name, schema }) => [name, schema])),
    }),
    answer: eventsAnswer,
    refusals: [],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/webhooks',
    isIdempotent: true,
    summary: 'Register a place that is told what happens, by signed calls',
    operation: CreateWebhookDocument,
    input: NewWebhook,
    variables: ({ body }) => ({ input: webhookInput(body) as WebhookCreateInput }),
    body: ({ webhookCreate: { webhook, secret } }) => ({
      id: webhook.uuid,
      url: webhook.url,
      events: webhook.events,
      active: webhook.active,
      created_at: webhook.createdAt,
      ...(secret !== null && { secret }),
    }),
    answer: newWebhookAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List your webhooks, the newest first',
    operation: ListWebhooksDocument,
    query: PageRequest,
    variables: ({ query }) => pageOf(query),
    body: ({ webhookPage: { webhooks, total } }) => ({ webhooks: webhooks.map(webhookBody), total }),
    answer: webhooksAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/webhooks/:webhook_id',
    summary: 'One of your webhooks',
    operation: GetWebhookDocument,
    variables: ({ params }) => ({ uuid: params.webhook_id ?? '' }),
    body: ({ webhook }) => webhookBody(webhook as WebhookFieldsFragment),
    answer: webhookAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/api/webhooks/:webhook_id',
    summary: 'Change a webhook; `active: true` takes up what was waiting, also after a failure',
    operation: UpdateWebhookDocument,
    input: WebhookChange,
    variables: ({ params, body }) => ({
      input: { ...webhookInput(body), uuid: params.webhook_id ?? '' } as WebhookUpdateInput,
    }),
    body: ({ webhookUpdate }) => webhookBody(webhookUpdate.webhook),
    answer: webhookAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/webhooks/:webhook_id',
    summary: 'Delete a webhook with its deliveries',
    operation: DeleteWebhookDocument,
    variables: ({ params }) => ({ input: { uuid: params.webhook_id ?? '' } }),
    body: () => ({ success: true, message: 'Webhook deleted' }),
    answer: deletedAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/webhooks/:webhook_id/rotate-secret',
    summary: 'Give a webhook a new secret; for 24 hours calls carry a signature by the old one, too',
    operation: RotateWebhookSecretDocument,
    isIdempotent: true,
    variables: ({ params }) => ({ input: { uuid: params.webhook_id ?? '' } }),
    body: ({ webhookSecretRotate: { webhook, secret } }) => ({ ...webhookBody(webhook), secret }),
    answer: rotatedAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/webhooks/:webhook_id/test',
    summary: 'Call a webhook once, now, and see how it answers',
    operation: TestWebhookDocument,
    input: TestCall,
    variables: ({ params, body }) => ({
      input: { ...pick(body, ['event']), uuid: params.webhook_id ?? '' } as WebhookTestInput,
    }),
    body: ({ webhookTest }) => deliveryBody(webhookTest.delivery),
    answer: deliveryAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/webhooks/:webhook_id/deliveries',
    summary: 'What a webhook was told, the newest first: each attempt is one; kept for 30 days',
    operation: ListWebhookDeliveriesDocument,
    query: DeliveryFilter.extend(PageRequest.shape),
    variables: ({ params, query }) => ({
      webhookUuid: params.webhook_id ?? '',
      ...(query.status !== undefined && { status: enumValue(query.status) as WebhookDeliveryStatus }),
      ...pageOf(query),
    }),
    body: ({ webhookDeliveryPage: { deliveries, total, limit, offset } }) => ({
      deliveries: deliveries.map(deliveryBody),
      total,
      limit,
      offset,
    }),
    answer: deliveriesAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/webhooks/:webhook_id/deliveries/:delivery_id/replay',
    summary: 'Tell a webhook an event again, with the same id',
    operation: ReplayWebhookDeliveryDocument,
    isIdempotent: true,
    variables: ({ params }) => ({
      input: { webhookUuid: params.webhook_id ?? '', uuid: params.delivery_id ?? '' },
    }),
    body: ({ webhookDeliveryReplay }) => deliveryBody(webhookDeliveryReplay.delivery),
    answer: deliveryAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/webhooks/:webhook_id/replay',
    summary: 'Tell a webhook again what failed for good since an instant',
    operation: ReplayFailedWebhookDeliveriesDocument,
    isIdempotent: true,
    input: ReplayRequest,
    variables: ({ params, body }) => ({
      input: { webhookUuid: params.webhook_id ?? '', since: body.since } as WebhookFailedReplayInput,
    }),
    body: ({ webhookFailedReplay }) => ({ success: true, replayed: webhookFailedReplay.count }),
    answer: replayedAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
];

const pageOf = ({ limit, offset }: RouteRequest['query']) => ({ limit: integerOf(limit), offset: integerOf(offset) });

/** The graph's spelling of a status. What already is in that spelling is not a documented one, and is refused. */
const enumValue = (value: string) => (/^[a-z]+$/.test(value) ? value.toUpperCase() : '');

function webhookInput(body: RouteRequest['body']): Record<string, unknown> {
  const input = pick(body, ['url', 'events', 'active', 'secret']);
  // The graph would take one name for a list of one.
  if ('events' in input && input.events !== null && !Array.isArray(input.events)) input.events = [{}];
  return input;
}

const webhookBody = (webhook: WebhookFieldsFragment) => ({
  id: webhook.uuid,
  url: webhook.url,
  events: webhook.events,
  active: webhook.active,
  status: webhook.status.toLowerCase(),
  failed_at: webhook.failedAt,
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
});

const deliveryBody = (delivery: WebhookDeliveryFieldsFragment) => ({
  id: delivery.uuid,
  event: delivery.event,
  event_id: delivery.eventUuid,
  status: delivery.status.toLowerCase(),
  attempt: delivery.attempt,
  response_status: delivery.responseStatus,
  response_ms: delivery.responseMs,
  response_body: delivery.responseBody,
  error: delivery.error,
  created_at: delivery.createdAt,
  next_retry_at: delivery.nextRetryAt,
});
