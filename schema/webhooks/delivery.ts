import { queryFromInfo } from '@pothos/plugin-prisma';
import type { DeliveryNews, DeliveryPage } from '../../src/webhooks/index.ts';
import { knownUuid } from '../auth/known-uuid.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowColumns, rowPaths } from '../connection.ts';
import { deliveryLoaders } from './delivery-loader.ts';
import { Webhook } from './webhook.ts';

const DeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'How far an attempt has come.',
  values: {
    PENDING: { value: 'pending', description: 'It is still to be made, or under way.' },
    SUCCEEDED: { value: 'succeeded', description: 'The receiver answered with a 2xx status in time.' },
    FAILED: { value: 'failed', description: 'It did not; `nextRetryAt` tells when it is tried again.' },
  } as const,
});

type Status = 'pending' | 'succeeded' | 'failed';

export const WebhookDelivery = builder.prismaNode('WebhookDelivery', {
  description: 'One attempt to tell a webhook of an event.',
  id: { field: 'uuid', description: 'The global id.' },
  select: rowColumns,
  nullable: true,
  findUnique: (uuid, { caller, services }) => ({
    uuid: knownUuid(uuid),
    AND: [services.webhooks.deliveries.visible(caller)],
  }),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The id within the platform, as REST shows it.' }),
    webhookUuid: t.expose('webhookUuid', { type: 'UUID', description: 'The uuid of the webhook.' }),
    webhook: t.relation('webhook', { description: 'The webhook.' }),
    eventUuid: t.expose('eventUuid', {
      type: 'UUID',
      description: 'The `id` that the receiver sees: the same on every attempt.',
    }),
    event: t.exposeString('event', { description: 'The name of the event.' }),
    attempt: t.exposeInt('attempt', { description: 'Which attempt it is, from 1 to 6.' }),
    isTest: t.exposeBoolean('isTest', { description: 'Whether it was a test call.' }),
    status: t.field({
      type: DeliveryStatus,
      description: 'How far it has come.',
      select: { status: true },
      resolve: ({ status }) => status as Status,
    }),
    responseStatus: t.exposeInt('responseStatus', { nullable: true, description: 'The status of the answer.' }),
    responseMs: t.exposeInt('responseMs', { nullable: true, description: 'Milliseconds to the end of the answer.' }),
    responseBody: t.exposeString('responseBody', { nullable: true, description: 'The first 1 kB of the answer.' }),
    error: t.exposeString('error', { nullable: true, description: 'What went wrong.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was planned.' }),
    nextRetryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the next attempt is made: of a failed one, or of a pending one that waits for its time. Null once a failed one was made again.',
      select: { nextRetryAt: true, status: true, claim: true, retryOf: true, dueAt: true },
      resolve: (delivery, _args, { services }) => services.webhooks.deliveries.nextRetryAt(delivery),
    }),
  }),
});

const DeliveryConnection = connectionType('WebhookDelivery', WebhookDelivery, 'A page of attempts, the newest first.');

const statusArg = { type: DeliveryStatus, description: 'Only those of this status.' } as const;

builder.prismaObjectField(Webhook, 'deliveries', (t) =>
  t.field({
    type: DeliveryConnection,
    description: 'What it was told, the newest first: each attempt is one. Kept for 30 days.',
    args: { ...connectionArgs(), status: t.arg(statusArg) },
    // Not a relation: Prisma would read all deliveries of all webhooks, and cut the pages out of them itself.
    resolve: async ({ uuid }, args, context, info) => {
      // Also tells Pothos, for each webhook, that what is asked of its deliveries has been read.
      const query = queryFromInfo({ context, info, typeName: 'WebhookDelivery', paths: rowPaths, select: rowColumns });
      const { pages, counts } = deliveryLoaders(context, info, args, query);
      return { ...(await pages.load(uuid)), count: () => counts.load(uuid) };
    },
  }),
);

const DeliveryPageRef = builder.objectRef<DeliveryPage>('WebhookDeliveryPage').implement({
  description: 'A page by offset.',
  fields: (t) => ({
    deliveries: t.field({
      type: [WebhookDelivery],
      description: 'The attempts of this page.',
      resolve: ({ deliveries }) => deliveries,
    }),
    total: t.exposeInt('total', { description: 'How many there are on all pages together.' }),
    limit: t.exposeInt('limit', { description: 'How many were asked for.' }),
    offset: t.exposeInt('offset', { description: 'How many were passed over.' }),
  }),
});

builder.queryField('webhookDeliveryPage', (t) =>
  t.field({
    type: DeliveryPageRef,
    description: 'What one of your webhooks was told by offset, as GET /api/webhooks/{webhook_id}/deliveries lists it.',
    args: {
      webhookUuid: t.arg.string({ required: true, description: 'The webhook.' }),
      status: t.arg(statusArg),
      limit: t.arg.int({ description: '1 to 100; 20 by default.' }),
      offset: t.arg.int({ description: 'How many to pass over; none by default.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { webhookUuid, ...args }, context, info) => {
      const query = queryFromInfo({
        context,
        info,
        typeName: 'WebhookDelivery',
        path: ['deliveries'],
        select: rowColumns,
      });
      return context.services.webhooks.deliveries.page(context.caller, webhookUuid, args, query);
    },
  }),
);

const News = builder.objectRef<DeliveryNews>('WebhookDelivered').implement({
  description: 'An attempt that has been made.',
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The delivery.' }),
    webhookUuid: t.expose('webhookUuid', { type: 'UUID', description: 'The webhook.' }),
    eventUuid: t.expose('eventUuid', { type: 'UUID', description: 'The `id` that the receiver sees.' }),
    event: t.exposeString('event', { description: 'The name of the event.' }),
    attempt: t.exposeInt('attempt', { description: 'Which attempt it was, from 1 to 6.' }),
    status: t.field({ type: DeliveryStatus, description: 'How it went.', resolve: ({ status }) => status }),
    responseStatus: t.exposeInt('responseStatus', { nullable: true, description: 'The status of the answer.' }),
    responseMs: t.exposeInt('responseMs', { nullable: true, description: 'Milliseconds to the end of the answer.' }),
    responseBody: t.exposeString('responseBody', { nullable: true, description: 'The first 1 kB of the answer.' }),
    error: t.exposeString('error', { nullable: true, description: 'What went wrong.' }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was planned.',
      resolve: ({ createdAt }) => new Date(createdAt),
    }),
    nextRetryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried again; null when it is not.',
      resolve: ({ nextRetryAt }) => (nextRetryAt === null ? null : new Date(nextRetryAt)),
    }),
  }),
});

builder.subscriptionField('webhookDelivered', (t) =>
  t.field({
    type: News,
    description: 'Every attempt to tell your webhooks, as soon as its outcome is known.',
    args: { webhookUuid: t.arg.string({ description: 'Only those of this webhook.' }) },
    extensions: { rateLimit: 'general', sharesResults: true },
    subscribe: (_root, args, { caller, services }) => services.webhooks.deliveries.delivered(caller, args),
    resolve: (news) => news,
  }),
);
