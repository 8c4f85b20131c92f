import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { builder, type InputFieldBuilder } from '../builder.ts';
import { rowColumns } from '../connection.ts';
import type { Context } from '../context.ts';
import { WebhookDelivery } from './delivery.ts';
import { Webhook } from './webhook.ts';

type WebhookRow = typeof Webhook.$inferType;
type DeliveryRow = typeof WebhookDelivery.$inferType;

/** What of the payload's row the document asks for. */
const webhookQuery = (context: Context, info: GraphQLResolveInfo) =>
  queryFromInfo({ context, info, typeName: 'Webhook', path: ['webhook'], select: rowColumns });
const deliveryQuery = (context: Context, info: GraphQLResolveInfo) =>
  queryFromInfo({ context, info, typeName: 'WebhookDelivery', path: ['delivery'], select: rowColumns });

const secretDescription = '16 to 256 printable ASCII characters without blanks';

const WebhookCreateInput = builder.inputType('WebhookCreateInput', {
  description: 'A new webhook.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'A public https URL; outside production also http.' }),
    events: t.stringList({ required: true, description: 'At least one name of `webhookEvents`.' }),
    active: t.boolean({ description: 'Whether events are sent from now on; true by default.' }),
    secret: t.string({ description: `Signs the calls: ${secretDescription}. Made and shown once if left out.` }),
  }),
});

const WebhookCreatePayload = builder
  .objectRef<{ webhook: WebhookRow; secret: string | null }>('WebhookCreatePayload')
  .implement({
    description: 'Result of `webhookCreate`.',
    fields: (t) => ({
      webhook: t.field({ type: Webhook, description: 'The new webhook.', resolve: ({ webhook }) => webhook }),
      secret: t.exposeString('secret', {
        nullable: true,
        description: 'The generated secret, shown only in this response; null if the input has a secret.',
      }),
    }),
  });

builder.mutationField('webhookCreate', (t) =>
  t.field({
    type: WebhookCreatePayload,
    description: 'Creates a webhook, which receives events as signed HTTP requests. A profile has at most 50 webhooks.',
    args: { input: t.arg({ type: WebhookCreateInput, required: true, description: 'The webhook.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, context, info) => {
      const query = webhookQuery(context, info);
      return context.services.webhooks.registrations.create(context.caller, input, query);
    },
  }),
);

/** What can be changed of a webhook without its secret. */
const changeFields = (t: InputFieldBuilder) => ({
  uuid: t.string({ required: true, description: 'Selects the webhook.' }),
  url: t.string({ description: 'A public https URL; outside production also http.' }),
  events: t.stringList({ description: 'At least one name of `webhookEvents`.' }),
  active: t.boolean({
    description: 'False stops deliveries, including retries; true resumes them, also after a failure.',
  }),
});

const WebhookUpdateInput = builder.inputType('WebhookUpdateInput', {
  description: 'The fields to change. Fields that are left out stay as they are.',
  fields: changeFields,
});

const WebhookUpdatePayload = builder.objectRef<{ webhook: WebhookRow }>('WebhookUpdatePayload').implement({
  description: 'Result of `webhookUpdate`.',
  fields: (t) => ({
    webhook: t.field({
      type: Webhook,
      description: 'The webhook after the operation.',
      resolve: ({ webhook }) => webhook,
    }),
  }),
});

builder.mutationField('webhookUpdate', (t) =>
  t.field({
    type: WebhookUpdatePayload,
    description: 'Updates a webhook of yours.',
    args: { input: t.arg({ type: WebhookUpdateInput, required: true, description: 'The changes.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...change } }, context, info) => {
      const query = webhookQuery(context, info);
      return { webhook: await context.services.webhooks.registrations.update(context.caller, uuid, change, query) };
    },
  }),
);

const WebhookSecretReplaceInput = builder.inputType('WebhookSecretReplaceInput', {
  description: 'The new secret and other fields to change. Fields that are left out stay as they are.',
  fields: (t) => ({
    ...changeFields(t),
    secret: t.string({ required: true, description: `${secretDescription}.` }),
  }),
});

const WebhookSecretReplacePayload = builder
  .objectRef<{ webhook: WebhookRow }>('WebhookSecretReplacePayload')
  .implement({
    description: 'Result of `webhookSecretReplace`.',
    fields: (t) => ({
      webhook: t.field({
        type: Webhook,
        description: 'The webhook after the operation.',
        resolve: ({ webhook }) => webhook,
      }),
    }),
  });

// Not a member of WebhookUpdateInput: the rate class belongs to the root field, and secrets have another one.
builder.mutationField('webhookSecretReplace', (t) =>
  t.field({
    type: WebhookSecretReplacePayload,
    description:
      'Updates a webhook of yours and replaces its secret. The old secret is invalid at once; `webhookSecretRotate` keeps it valid for 24 hours.',
    args: { input: t.arg({ type: WebhookSecretReplaceInput, required: true, description: 'The changes.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: async (_root, { input: { uuid, ...change } }, context, info) => {
      const query = webhookQuery(context, info);
      return { webhook: await context.services.webhooks.registrations.update(context.caller, uuid, change, query) };
    },
  }),
);

const WebhookDeleteInput = builder.inputType('WebhookDeleteInput', {
  description: 'The webhook to delete.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

const WebhookDeletePayload = builder.objectRef<{ uuid: string }>('WebhookDeletePayload').implement({
  description: 'Result of `webhookDelete`.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the deleted webhook.' }) }),
});

builder.mutationField('webhookDelete', (t) =>
  t.field({
    type: WebhookDeletePayload,
    description: 'Deletes a webhook of yours with its deliveries.',
    args: { input: t.arg({ type: WebhookDeleteInput, required: true, description: 'Selects the webhook.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      uuid: await services.webhooks.registrations.remove(caller, input.uuid),
    }),
  }),
);

const WebhookSecretRotateInput = builder.inputType('WebhookSecretRotateInput', {
  description: 'The webhook that gets a new secret.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

const WebhookSecretRotatePayload = builder
  .objectRef<{ webhook: WebhookRow; secret: string }>('WebhookSecretRotatePayload')
  .implement({
    description: 'Result of `webhookSecretRotate`.',
    fields: (t) => ({
      webhook: t.field({ type: Webhook, description: 'The webhook.', resolve: ({ webhook }) => webhook }),
      secret: t.exposeString('secret', { description: 'The new secret, shown only in this response.' }),
    }),
  });

builder.mutationField('webhookSecretRotate', (t) =>
  t.field({
    type: WebhookSecretRotatePayload,
    description: 'Generates a new secret for a webhook. For 24 hours deliveries are also signed with the old one.',
    args: { input: t.arg({ type: WebhookSecretRotateInput, required: true, description: 'Selects the webhook.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: (_root, { input }, context, info) => {
      const query = webhookQuery(context, info);
      return context.services.webhooks.registrations.rotateSecret(context.caller, input.uuid, query);
    },
  }),
);

const WebhookTestInput = builder.inputType('WebhookTestInput', {
  description: 'A test of a webhook.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Selects the webhook.' }),
    event: t.string({
      description: '`test.ping` by default, or a name of `webhookEvents`, which is sent with sample data.',
    }),
  }),
});

const DeliveryPayload = (name: string, description: string) =>
  builder.objectRef<{ delivery: DeliveryRow }>(name).implement({
    description,
    fields: (t) => ({
      delivery: t.field({
        type: WebhookDelivery,
        description: 'The delivery with the response.',
        resolve: ({ delivery }) => delivery,
      }),
    }),
  });

const WebhookTestPayload = DeliveryPayload('WebhookTestPayload', 'Result of `webhookTest`.');

builder.mutationField('webhookTest', (t) =>
  t.field({
    type: WebhookTestPayload,
    description: 'Sends one test request to a webhook, active or not, and waits at most 5 seconds for the response.',
    args: { input: t.arg({ type: WebhookTestInput, required: true, description: 'The webhook and the event.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: async (_root, { input: { uuid, event } }, context, info) => {
      const query = deliveryQuery(context, info);
      return { delivery: await context.services.webhooks.deliveries.test(context.caller, uuid, { event }, query) };
    },
  }),
);

const WebhookReplayInput = builder.inputType('WebhookDeliveryReplayInput', {
  description: 'The delivery whose event is sent again.',
  fields: (t) => ({
    webhookUuid: t.string({ required: true, description: 'UUID of the webhook.' }),
    uuid: t.string({ required: true, description: 'UUID of the delivery.' }),
  }),
});

const WebhookReplayPayload = DeliveryPayload('WebhookDeliveryReplayPayload', 'Result of `webhookDeliveryReplay`.');

builder.mutationField('webhookDeliveryReplay', (t) =>
  t.field({
    type: WebhookReplayPayload,
    description: 'Sends the event of a delivery again, with the same id and with all six attempts.',
    args: { input: t.arg({ type: WebhookReplayInput, required: true, description: 'Selects the delivery.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { webhookUuid, uuid } }, context, info) => {
      const query = deliveryQuery(context, info);
      return {
        delivery: await context.services.webhooks.deliveries.replay(context.caller, webhookUuid, uuid, query),
      };
    },
  }),
);

const WebhookFailedReplayInput = builder.inputType('WebhookFailedReplayInput', {
  description: 'The deliveries to replay.',
  fields: (t) => ({
    webhookUuid: t.string({ required: true, description: 'UUID of the webhook.' }),
    since: t.field({
      type: 'DateTime',
      required: true,
      description: 'Replays events whose deliveries have failed permanently since this instant.',
    }),
  }),
});

const WebhookFailedReplayPayload = builder.objectRef<{ count: number }>('WebhookFailedReplayPayload').implement({
  description: 'Result of `webhookFailedReplay`.',
  fields: (t) => ({ count: t.exposeInt('count', { description: 'Number of events that are sent again.' }) }),
});

builder.mutationField('webhookFailedReplay', (t) =>
  t.field({
    type: WebhookFailedReplayPayload,
    description:
      'Sends again the events whose deliveries have failed permanently since an instant and were not delivered later: at most 10 000, the oldest first.',
    args: {
      input: t.arg({ type: WebhookFailedReplayInput, required: true, description: 'The webhook and the instant.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { webhookUuid, since } }, { caller, services }) => ({
      count: await services.webhooks.deliveries.replayFailed(caller, webhookUuid, { since }),
    }),
  }),
);
