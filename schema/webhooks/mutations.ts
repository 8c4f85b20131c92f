import type { GraphQLResolveInfo } from 'graphql';
import type { InputFieldBuilder } from '../builder.ts';
import { rowQuery } from '../connection.ts';
import type { Context } from '../context.ts';
import { mutation, selector } from '../mutation.ts';
import { WebhookDelivery } from './delivery.ts';
import { Webhook } from './webhook.ts';

/** The selection of the row in the payload. */
const webhookQuery = (context: Context, info: GraphQLResolveInfo) => rowQuery(context, info, 'Webhook', 'webhook');
const deliveryQuery = (context: Context, info: GraphQLResolveInfo) =>
  rowQuery(context, info, 'WebhookDelivery', 'delivery');

const secretDescription = '16 to 256 printable ASCII characters without spaces';

mutation('webhookCreate', {
  description: 'Creates a webhook, which receives events as signed HTTP requests. A profile has at most 50 webhooks.',
  rateLimit: 'general',
  input: {
    description: 'A new webhook.',
    argument: 'The webhook.',
    fields: (t) => ({
      url: t.string({ required: true, description: 'A public https URL; outside production also http.' }),
      events: t.stringList({ required: true, description: 'At least one name of `webhookEvents`.' }),
      active: t.boolean({ description: 'Whether events are sent from now on; true by default.' }),
      secret: t.string({
        description: `Secret that signs the deliveries: ${secretDescription}. If left out, one is generated and shown once.`,
      }),
    }),
  },
  payload: {
    webhook: { type: Webhook, description: 'The new webhook.' },
    secret: {
      type: 'String',
      nullable: true,
      description: 'The generated secret, shown only in this response; null if the input has a secret.',
    },
  },
  resolve: (input, context, info) =>
    context.services.webhooks.registrations.create(context.caller, input, webhookQuery(context, info)),
});

/** What can be changed of a webhook without its secret. */
const changeFields = (t: InputFieldBuilder) => ({
  uuid: t.string({ required: true, description: 'Selects the webhook.' }),
  url: t.string({ description: 'A public https URL; outside production also http.' }),
  events: t.stringList({ description: 'At least one name of `webhookEvents`.' }),
  active: t.boolean({
    description: 'False stops deliveries, including retries; true resumes them, also after a failure.',
  }),
});

const changedWebhook = { webhook: { type: Webhook, description: 'The webhook after the operation.' } } as const;

mutation('webhookUpdate', {
  description: 'Updates a webhook of yours.',
  rateLimit: 'general',
  input: {
    description: 'The fields to change. Fields that are left out stay as they are.',
    argument: 'The changes.',
    fields: changeFields,
  },
  payload: changedWebhook,
  resolve: async ({ uuid, ...change }, context, info) => ({
    webhook: await context.services.webhooks.registrations.update(
      context.caller,
      uuid,
      change,
      webhookQuery(context, info),
    ),
  }),
});

// Not a member of WebhookUpdateInput: the rate class belongs to the root field, and secrets have another one.
mutation('webhookSecretReplace', {
  description:
    'Updates a webhook of yours and replaces its secret. The old secret is invalid at once; `webhookSecretRotate` keeps it valid for 24 hours.',
  rateLimit: 'sensitive',
  input: {
    description: 'The new secret and other fields to change. Fields that are left out stay as they are.',
    argument: 'The changes.',
    fields: (t) => ({
      ...changeFields(t),
      secret: t.string({ required: true, description: `${secretDescription}.` }),
    }),
  },
  payload: changedWebhook,
  resolve: async ({ uuid, ...change }, context, info) => ({
    webhook: await context.services.webhooks.registrations.update(
      context.caller,
      uuid,
      change,
      webhookQuery(context, info),
    ),
  }),
});

mutation('webhookDelete', {
  description: 'Deletes a webhook of yours with its deliveries.',
  rateLimit: 'general',
  input: selector('The webhook to delete.', { argument: 'Selects the webhook.' }),
  payload: { uuid: { type: 'UUID', description: 'UUID of the deleted webhook.' } },
  resolve: async (input, { caller, services }) => ({
    uuid: await services.webhooks.registrations.remove(caller, input.uuid),
  }),
});

mutation('webhookSecretRotate', {
  description: 'Generates a new secret for a webhook. For 24 hours deliveries are also signed with the old one.',
  rateLimit: 'sensitive',
  input: selector('Selects the webhook.', { argument: 'Selects the webhook.' }),
  payload: {
    webhook: { type: Webhook, description: 'The webhook.' },
    secret: { type: 'String', description: 'The new secret, shown only in this response.' },
  },
  resolve: (input, context, info) =>
    context.services.webhooks.registrations.rotateSecret(context.caller, input.uuid, webhookQuery(context, info)),
});

mutation('webhookTest', {
  description: 'Sends one test request to a webhook, active or not, and waits at most 5 seconds for the response.',
  rateLimit: 'sensitive',
  input: {
    description: 'A test of a webhook.',
    argument: 'The webhook and the event.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'Selects the webhook.' }),
      event: t.string({
        description: '`test.ping` by default, or a name of `webhookEvents`, with sample data.',
      }),
    }),
  },
  payload: { delivery: { type: WebhookDelivery, description: 'The delivery with the response.' } },
  resolve: async ({ uuid, event }, context, info) => ({
    delivery: await context.services.webhooks.deliveries.test(
      context.caller,
      uuid,
      { event },
      deliveryQuery(context, info),
    ),
  }),
});

mutation('webhookDeliveryReplay', {
  description: 'Sends the event of a delivery again, with the same id and with all six attempts.',
  rateLimit: 'general',
  input: {
    description: 'The delivery whose event is sent again.',
    argument: 'Selects the delivery.',
    fields: (t) => ({
      webhookUuid: t.string({ required: true, description: 'UUID of the webhook.' }),
      uuid: t.string({ required: true, description: 'UUID of the delivery.' }),
    }),
  },
  payload: { delivery: { type: WebhookDelivery, description: 'The delivery with the response.' } },
  resolve: async ({ webhookUuid, uuid }, context, info) => {
    const query = deliveryQuery(context, info);
    return {
      delivery: await context.services.webhooks.deliveries.replay(context.caller, webhookUuid, uuid, query),
    };
  },
});

mutation('webhookFailedReplay', {
  description:
    'Sends again the events whose deliveries have failed permanently since an instant and were not delivered later: at most 10 000, the oldest first.',
  rateLimit: 'general',
  input: {
    description: 'The deliveries to replay.',
    argument: 'The webhook and the instant.',
    fields: (t) => ({
      webhookUuid: t.string({ required: true, description: 'UUID of the webhook.' }),
      since: t.field({
        type: 'DateTime',
        required: true,
        description: 'Replays events whose deliveries have failed permanently since this instant.',
      }),
    }),
  },
  payload: { count: { type: 'Int', description: 'Number of events that are sent again.' } },
  resolve: async ({ webhookUuid, since }, { caller, services }) => ({
    count: await services.webhooks.deliveries.replayFailed(caller, webhookUuid, { since }),
  }),
});
