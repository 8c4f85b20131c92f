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
  description: 'A place to call.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'A public https URL; outside production also http.' }),
    events: t.stringList({ required: true, description: 'At least one name of `webhookEvents`.' }),
    active: t.boolean({ description: 'Whether it is called from now on; true by default.' }),
    secret: t.string({ description: `Signs the calls: ${secretDescription}. Made and shown once if left out.` }),
  }),
});

const WebhookCreatePayload = builder
  .objectRef<{ webhook: WebhookRow; secret: string | null }>('WebhookCreatePayload')
  .implement({
    description: 'What `webhookCreate` did.',
    fields: (t) => ({
      webhook: t.field({ type: Webhook, description: 'The new webhook.', resolve: ({ webhook }) => webhook }),
      secret: t.exposeString('secret', {
        nullable: true,
        description: 'The secret that was made, shown this once; null when it was given.',
      }),
    }),
  });

builder.mutationField('webhookCreate', (t) =>
  t.field({
    type: WebhookCreatePayload,
    description: 'Registers a place that is told what happens. At most 50 in a profile.',
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
  uuid: t.string({ required: true, description: 'Which webhook.' }),
  url: t.string({ description: 'A public https URL; outside production also http.' }),
  events: t.stringList({ description: 'At least one name of `webhookEvents`.' }),
  active: t.boolean({
    description: 'False stops the calls, retries too; true takes them up again, also after a failure.',
  }),
});

const WebhookUpdateInput = builder.inputType('WebhookUpdateInput', {
  description: 'What to change; the rest stays.',
  fields: changeFields,
});

const WebhookUpdatePayload = builder.objectRef<{ webhook: WebhookRow }>('WebhookUpdatePayload').implement({
  description: 'What `webhookUpdate` did.',
  fields: (t) => ({
    webhook: t.field({ type: Webhook, description: 'The webhook as it is now.', resolve: ({ webhook }) => webhook }),
  }),
});

builder.mutationField('webhookUpdate', (t) =>
  t.field({
    type: WebhookUpdatePayload,
    description: 'Changes a webhook of yours.',
    args: { input: t.arg({ type: WebhookUpdateInput, required: true, description: 'What to change.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...change } }, context, info) => {
      const query = webhookQuery(context, info);
      return { webhook: await context.services.webhooks.registrations.update(context.caller, uuid, change, query) };
    },
  }),
);

const WebhookSecretReplaceInput = builder.inputType('WebhookSecretReplaceInput', {
  description: 'The new secret, and what else to change; the rest stays.',
  fields: (t) => ({
    ...changeFields(t),
    secret: t.string({ required: true, description: `${secretDescription}.` }),
  }),
});

const WebhookSecretReplacePayload = builder
  .objectRef<{ webhook: WebhookRow }>('WebhookSecretReplacePayload')
  .implement({
    description: 'What `webhookSecretReplace` did.',
    fields: (t) => ({
      webhook: t.field({ type: Webhook, description: 'The webhook as it is now.', resolve: ({ webhook }) => webhook }),
    }),
  });

// Not a member of WebhookUpdateInput: the rate class belongs to the root field, and secrets have another one.
builder.mutationField('webhookSecretReplace', (t) =>
  t.field({
    type: WebhookSecretReplacePayload,
    description:
      'Changes a webhook of yours with its secret. The new secret counts at once, and the old one no longer; `webhookSecretRotate` keeps the old one valid for 24 hours.',
    args: { input: t.arg({ type: WebhookSecretReplaceInput, required: true, description: 'What to change.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: async (_root, { input: { uuid, ...change } }, context, info) => {
      const query = webhookQuery(context, info);
      return { webhook: await context.services.webhooks.registrations.update(context.caller, uuid, change, query) };
    },
  }),
);

const WebhookDeleteInput = builder.inputType('WebhookDeleteInput', {
  description: 'The webhook to delete.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'Its uuid.' }) }),
});

const WebhookDeletePayload = builder.objectRef<{ uuid: string }>('WebhookDeletePayload').implement({
  description: 'What `webhookDelete` did.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'The webhook that is gone.' }) }),
});

builder.mutationField('webhookDelete', (t) =>
  t.field({
    type: WebhookDeletePayload,
    description: 'Deletes a webhook of yours, with its deliveries. Nothing more is sent.',
    args: { input: t.arg({ type: WebhookDeleteInput, required: true, description: 'Which webhook.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      uuid: await services.webhooks.registrations.remove(caller, input.uuid),
    }),
  }),
);

const WebhookSecretRotateInput = builder.inputType('WebhookSecretRotateInput', {
  description: 'The webhook that gets a new secret.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'Its uuid.' }) }),
});

const WebhookSecretRotatePayload = builder
  .objectRef<{ webhook: WebhookRow; secret: string }>('WebhookSecretRotatePayload')
  .implement({
    description: 'What `webhookSecretRotate` did.',
    fields: (t) => ({
      webhook: t.field({ type: Webhook, description: 'The webhook.', resolve: ({ webhook }) => webhook }),
      secret: t.exposeString('secret', { description: 'The new secret, shown this once.' }),
    }),
  });

builder.mutationField('webhookSecretRotate', (t) =>
  t.field({
    type: WebhookSecretRotatePayload,
    description: 'Gives a webhook a new secret. For 24 hours calls carry a signature by the old one, too.',
    args: { input: t.arg({ type: WebhookSecretRotateInput, required: true, description: 'Which webhook.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: (_root, { input }, context, info) => {
      const query = webhookQuery(context, info);
      return context.services.webhooks.registrations.rotateSecret(context.caller, input.uuid, query);
    },
  }),
);

const WebhookTestInput = builder.inputType('WebhookTestInput', {
  description: 'A test call.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Which webhook.' }),
    event: t.string({ description: '`test.ping` by default, or a name of `webhookEvents`: its data is made up.' }),
  }),
});

const DeliveryPayload = (name: string, description: string) =>
  builder.objectRef<{ delivery: DeliveryRow }>(name).implement({
    description,
    fields: (t) => ({
      delivery: t.field({ type: WebhookDelivery, description: 'The delivery.', resolve: ({ delivery }) => delivery }),
    }),
  });

const WebhookTestPayload = DeliveryPayload('WebhookTestPayload', 'What `webhookTest` did.');

builder.mutationField('webhookTest', (t) =>
  t.field({
    type: WebhookTestPayload,
    description: 'Calls a webhook once, now, active or not, and waits for the outcome: at most 5 seconds.',
    args: { input: t.arg({ type: WebhookTestInput, required: true, description: 'Which webhook, and what event.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: async (_root, { input: { uuid, event } }, context, info) => {
      const query = deliveryQuery(context, info);
      return { delivery: await context.services.webhooks.deliveries.test(context.caller, uuid, { event }, query) };
    },
  }),
);

const WebhookReplayInput = builder.inputType('WebhookDeliveryReplayInput', {
  description: 'A delivery whose event is told again.',
  fields: (t) => ({
    webhookUuid: t.string({ required: true, description: 'The webhook.' }),
    uuid: t.string({ required: true, description: 'The delivery.' }),
  }),
});

const WebhookReplayPayload = DeliveryPayload('WebhookDeliveryReplayPayload', 'What `webhookDeliveryReplay` did.');

builder.mutationField('webhookDeliveryReplay', (t) =>
  t.field({
    type: WebhookReplayPayload,
    description: 'Tells a webhook an event again, with the same id and all attempts before it.',
    args: { input: t.arg({ type: WebhookReplayInput, required: true, description: 'Which delivery.' }) },
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
  description: 'What to tell again.',
  fields: (t) => ({
    webhookUuid: t.string({ required: true, description: 'The webhook.' }),
    since: t.field({ type: 'DateTime', required: true, description: 'What failed for good since then.' }),
  }),
});

const WebhookFailedReplayPayload = builder.objectRef<{ count: number }>('WebhookFailedReplayPayload').implement({
  description: 'What `webhookFailedReplay` did.',
  fields: (t) => ({ count: t.exposeInt('count', { description: 'How many events are told again.' }) }),
});

builder.mutationField('webhookFailedReplay', (t) =>
  t.field({
    type: WebhookFailedReplayPayload,
    description:
      'Tells a webhook again what failed for good since an instant and was not told since: at most 10 000 events, the oldest first.',
    args: { input: t.arg({ type: WebhookFailedReplayInput, required: true, description: 'Which, and since when.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { webhookUuid, since } }, { caller, services }) => ({
      count: await services.webhooks.deliveries.replayFailed(caller, webhookUuid, { since }),
    }),
  }),
);
