import { eventTypes } from '../../src/event-catalogue/index.ts';
import { maySeeSecrets } from '../../src/platform/caller.ts';
import { maskedUrl } from '../../src/platform/input/input.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, listed, pageArgs, pageType, rowQuery } from '../connection.ts';
import { enumOf } from '../enum.ts';
import { optionalTime } from '../optional.ts';
import { query } from '../query.ts';
import { ownRow } from '../row.ts';

const WebhookStatus = enumOf('WebhookStatus', 'Status of a webhook.', {
  active: 'Events are sent.',
  inactive: 'The owner deactivated the webhook. Events are not kept for it meanwhile.',
  failed:
    'All attempts of a delivery failed. Nothing is sent until the webhook is activated again. Events that were missed can be replayed.',
});

export const Webhook = builder.prismaNode('Webhook', {
  description: 'An endpoint of yours that receives events as signed HTTP requests.',
  ...ownRow(({ caller, services }) => services.webhooks.registrations.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    url: t.string({
      description: 'URL of the endpoint. The query string is `********` for an API key that may not write.',
      select: { url: true },
      resolve: ({ url }, _args, { caller }) => (maySeeSecrets(caller) ? url : maskedUrl(url)),
    }),
    events: t.exposeStringList('events', { description: 'The subscribed events: names of `webhookEvents`.' }),
    active: t.exposeBoolean('active', { description: 'Whether events are sent.' }),
    status: t.field({
      type: WebhookStatus,
      description: 'Status of the webhook.',
      select: { active: true, failedAt: true },
      resolve: (webhook, _args, { services }) => services.webhooks.registrations.status(webhook),
    }),
    failedAt: t.expose(
      'failedAt',
      optionalTime('Time at which the last attempt of a delivery failed; null unless the status is FAILED.'),
    ),
    previousSecretUntil: t.expose(
      'previousSecretUntil',
      optionalTime('Time until which deliveries are also signed with the secret before the last rotation.'),
    ),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

const WebhookConnection = connectionType('Webhook', Webhook, 'A page of your webhooks, the newest first.');

query('webhooks', {
  type: WebhookConnection,
  description: 'The webhooks of your profile, the newest first.',
  args: () => connectionArgs(),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) =>
    listed(context.services.webhooks.registrations, 'Webhook', args, context, info),
});

query('webhook', {
  type: Webhook,
  description: 'One of your webhooks.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the object.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, context, info) =>
    context.services.webhooks.registrations.find(context.caller, uuid, rowQuery(context, info, 'Webhook')),
});

const WebhookEvent = builder.objectRef<{ name: string; schema: object }>('WebhookEvent').implement({
  description: 'An event that webhooks can subscribe to.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the event, such as `server.installed`.' }),
    schema: t.field({
      type: 'JSONObject',
      description: 'JSON Schema 2020-12 of the `data` of the event.',
      resolve: ({ schema }) => schema as Record<string, unknown>,
    }),
  }),
});

query('webhookEvents', {
  type: [WebhookEvent],
  description: 'All events that webhooks can subscribe to.',
  extensions: { rateLimit: 'general', defaultLength: eventTypes.length },
  resolve: (_root, _args, { services }) =>
    Object.entries(services.webhooks.eventSchemas).map(([name, schema]) => ({ name, schema })),
});

const WebhookPageRef = pageType('WebhookPage', 'webhooks', Webhook, 'The webhooks of this page.');

query('webhookPage', {
  type: WebhookPageRef,
  description: 'The webhooks of your profile by offset, as GET /api/webhooks lists them.',
  args: () => pageArgs('1 to 100; 50 by default, which is the maximum of a profile.'),
  extensions: { rateLimit: 'general', defaultLength: 50 },
  resolve: (_root, args, context, info) =>
    context.services.webhooks.registrations.page(context.caller, args, rowQuery(context, info, 'Webhook', 'webhooks')),
});
