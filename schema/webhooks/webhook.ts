import { queryFromInfo } from '@pothos/plugin-prisma';
import { eventTypes } from '../../src/event-catalogue/index.ts';
import { maySeeSecrets } from '../../src/platform/caller.ts';
import { maskedUrl } from '../../src/platform/input.ts';
import type { WebhookPage } from '../../src/webhooks/index.ts';
import { knownUuid } from '../auth/known-uuid.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowColumns, rowPaths } from '../connection.ts';

const WebhookStatus = builder.enumType('WebhookStatus', {
  description: 'Whether a webhook is told what happens.',
  values: {
    ACTIVE: { value: 'active', description: 'It is.' },
    INACTIVE: {
      value: 'inactive',
      description: 'Its owner has switched it off; what happens meanwhile is not kept for it.',
    },
    FAILED: {
      value: 'failed',
      description:
        'All attempts of a delivery had failed. Nothing is sent until it is activated again; what happens meanwhile can be replayed.',
    },
  } as const,
});

export const Webhook = builder.prismaNode('Webhook', {
  description: 'A place of yours that is told what happens, by signed calls over HTTP.',
  id: { field: 'uuid', description: 'The global id.' },
  // Named columns alone are read, so the secret never leaves the database.
  select: rowColumns,
  nullable: true,
  findUnique: (uuid, { caller, services }) => ({
    uuid: knownUuid(uuid),
    AND: [services.webhooks.registrations.visible(caller)],
  }),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The id within the platform, as REST shows it.' }),
    url: t.string({
      description: 'Where it is. The query is `********` for an API key that may not write.',
      select: { url: true },
      resolve: ({ url }, _args, { caller }) => (maySeeSecrets(caller) ? url : maskedUrl(url)),
    }),
    events: t.exposeStringList('events', { description: 'What it is told: names of `webhookEvents`.' }),
    active: t.exposeBoolean('active', { description: 'Whether it is told.' }),
    status: t.field({
      type: WebhookStatus,
      description: 'Whether it is told, and if not, why.',
      select: { active: true, failedAt: true },
      resolve: (webhook, _args, { services }) => services.webhooks.registrations.status(webhook),
    }),
    failedAt: t.expose('failedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When all attempts of a delivery had failed; null unless it is FAILED.',
    }),
    previousSecretUntil: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when deliveries carry a signature by the secret before the last rotation, too.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was registered.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const WebhookConnection = connectionType('Webhook', Webhook, 'A page of your webhooks, the newest first.');

builder.queryField('webhooks', (t) =>
  t.field({
    type: WebhookConnection,
    description: 'The webhooks of your profile, the newest first.',
    args: connectionArgs(),
    extensions: { rateLimit: 'general' },
    resolve: async (_root, args, context, info) => {
      const { caller, services } = context;
      const query = queryFromInfo({ context, info, typeName: 'Webhook', paths: rowPaths, select: rowColumns });
      const page = await services.webhooks.registrations.connection(caller, args, query);
      return { ...page, count: () => services.webhooks.registrations.count(caller) };
    },
  }),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: Webhook,
    description: 'One of your webhooks.',
    args: { uuid: t.arg.string({ required: true, description: 'Its uuid.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { uuid }, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'Webhook', select: rowColumns });
      return context.services.webhooks.registrations.find(context.caller, uuid, query);
    },
  }),
);

const WebhookEvent = builder.objectRef<{ name: string; schema: object }>('WebhookEvent').implement({
  description: 'Something that webhooks can be told.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, such as `server.installed`.' }),
    schema: t.field({
      type: 'JSONObject',
      description: 'What its `data` looks like, as JSON Schema 2020-12.',
      resolve: ({ schema }) => schema as Record<string, unknown>,
    }),
  }),
});

builder.queryField('webhookEvents', (t) =>
  t.field({
    type: [WebhookEvent],
    description: 'Everything that webhooks can be told.',
    extensions: { rateLimit: 'general', defaultLength: eventTypes.length },
    resolve: (_root, _args, { services }) =>
      Object.entries(services.webhooks.eventSchemas).map(([name, schema]) => ({ name, schema })),
  }),
);

const WebhookPageRef = builder.objectRef<WebhookPage>('WebhookPage').implement({
  description: 'A page by offset.',
  fields: (t) => ({
    webhooks: t.field({
      type: [Webhook],
      description: 'The webhooks of this page.',
      resolve: ({ webhooks }) => webhooks,
    }),
    total: t.exposeInt('total', { description: 'How many there are on all pages together.' }),
  }),
});

builder.queryField('webhookPage', (t) =>
  t.field({
    type: WebhookPageRef,
    description: 'The webhooks of your profile by offset, as GET /api/webhooks lists them.',
    args: {
      limit: t.arg.int({ description: '1 to 100; all that a profile may have by default.' }),
      offset: t.arg.int({ description: 'How many to pass over; none by default.' }),
    },
    extensions: { rateLimit: 'general', defaultLength: 50 },
    resolve: (_root, args, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'Webhook', path: ['webhooks'], select: rowColumns });
      return context.services.webhooks.registrations.page(context.caller, args, query);
    },
  }),
);
