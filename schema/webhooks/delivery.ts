import type { DeliveryEvent } from '../../src/webhooks/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, pageArgs, pageType, rowQuery, rowsQuery } from '../connection.ts';
import { enumColumn, enumOf } from '../enum.ts';
import { optional } from '../optional.ts';
import { query } from '../query.ts';
import { ownRow } from '../row.ts';
import { deliveryLoaders } from './delivery-loader.ts';
import { Webhook } from './webhook.ts';

const DeliveryStatus = enumOf('WebhookDeliveryStatus', 'Status of an attempt.', {
  pending: 'The attempt is scheduled or running.',
  succeeded: 'The receiver responded with a 2xx status in time.',
  failed: 'The attempt failed; `nextRetryAt` is the time of the next one.',
});

export const WebhookDelivery = builder.prismaNode('WebhookDelivery', {
  description: 'One attempt to send an event to a webhook.',
  ...ownRow(({ caller, services }) => services.webhooks.deliveries.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    webhookUuid: t.expose('webhookUuid', { type: 'UUID', description: 'UUID of the webhook.' }),
    webhook: t.relation('webhook', { description: 'The webhook.' }),
    eventUuid: t.expose('eventUuid', {
      type: 'UUID',
      description: 'The `id` of the event in the payload, the same in every attempt.',
    }),
    event: t.exposeString('event', { description: 'The name of the event.' }),
    attempt: t.exposeInt('attempt', { description: 'Number of the attempt, 1 to 6.' }),
    isTest: t.exposeBoolean('isTest', { description: 'Whether it was a test.' }),
    status: t.field(enumColumn('status', { type: DeliveryStatus, description: 'Status of the attempt.' })),
    responseStatus: t.exposeInt('responseStatus', optional('HTTP status of the response.')),
    responseMs: t.exposeInt('responseMs', optional('Milliseconds until the end of the response.')),
    responseBody: t.exposeString('responseBody', optional('The first 1 kB of the response.')),
    error: t.exposeString('error', optional('Error of the attempt.')),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the attempt was scheduled.' }),
    nextRetryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time of the next attempt after a failed one, or of a pending attempt that is scheduled. Null after the next attempt was made.',
      select: { nextRetryAt: true, status: true, claim: true, retryOf: true, dueAt: true },
      resolve: (delivery, _args, { services }) => services.webhooks.deliveries.nextRetryAt(delivery),
    }),
  }),
});

const DeliveryConnection = connectionType('WebhookDelivery', WebhookDelivery, 'A page of attempts, the newest first.');

const statusArg = { type: DeliveryStatus, description: 'Only deliveries with this status.' } as const;

builder.prismaObjectField(Webhook, 'deliveries', (t) =>
  t.field({
    type: DeliveryConnection,
    description: 'The deliveries, the newest first. Every attempt is one delivery. They are kept for 30 days.',
    args: { ...connectionArgs(), status: t.arg(statusArg) },
    // Not a relation: Prisma would read all deliveries of all webhooks, and cut the pages out of them itself.
    resolve: async ({ uuid }, args, context, info) => {
      // Also marks, for each webhook, the selection of its deliveries as loaded for Pothos.
      const query = rowsQuery(context, info, 'WebhookDelivery');
      const { pages, counts } = deliveryLoaders(context, info, args, query);
      return { ...(await pages.load(uuid)), count: () => counts.load(uuid) };
    },
  }),
);

const DeliveryPageRef = pageType('WebhookDeliveryPage', 'deliveries', WebhookDelivery, 'The attempts of this page.', {
  showsWindow: true,
});

query('webhookDeliveryPage', {
  type: DeliveryPageRef,
  description: 'The deliveries of one of your webhooks by offset, as in GET /api/webhooks/{webhook_id}/deliveries.',
  args: (arg) => ({
    webhookUuid: arg.string({ required: true, description: 'UUID of the webhook.' }),
    status: arg(statusArg),
    ...pageArgs('1 to 100; 20 by default.'),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { webhookUuid, ...args }, context, info) =>
    context.services.webhooks.deliveries.page(
      context.caller,
      webhookUuid,
      args,
      rowQuery(context, info, 'WebhookDelivery', 'deliveries'),
    ),
});

const DeliveredEvent = builder.objectRef<DeliveryEvent>('WebhookDelivered').implement({
  description: 'A completed delivery.',
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the delivery.' }),
    webhookUuid: t.expose('webhookUuid', { type: 'UUID', description: 'UUID of the webhook.' }),
    eventUuid: t.expose('eventUuid', { type: 'UUID', description: 'The `id` of the event in the payload.' }),
    event: t.exposeString('event', { description: 'The name of the event.' }),
    attempt: t.exposeInt('attempt', { description: 'Number of the attempt, 1 to 6.' }),
    status: t.expose('status', { type: DeliveryStatus, description: 'Outcome of the attempt.' }),
    responseStatus: t.exposeInt('responseStatus', optional('HTTP status of the response.')),
    responseMs: t.exposeInt('responseMs', optional('Milliseconds until the end of the response.')),
    responseBody: t.exposeString('responseBody', optional('The first 1 kB of the response.')),
    error: t.exposeString('error', optional('Error of the attempt.')),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time at which the attempt was scheduled.',
      resolve: ({ createdAt }) => new Date(createdAt),
    }),
    nextRetryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next attempt; null if there is none.',
      resolve: ({ nextRetryAt }) => (nextRetryAt === null ? null : new Date(nextRetryAt)),
    }),
  }),
});

builder.subscriptionField('webhookDelivered', (t) =>
  t.field({
    type: DeliveredEvent,
    description: 'Every completed delivery to your webhooks.',
    args: { webhookUuid: t.arg.string({ description: 'Only deliveries to this webhook.' }) },
    extensions: { rateLimit: 'general', sharesResults: true },
    subscribe: (_root, args, { caller, services }) => services.webhooks.deliveries.delivered(caller, args),
    resolve: (event) => event,
  }),
);
