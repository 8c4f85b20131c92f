import type { Notification } from '../../src/notifications/index.ts';
import { builder } from '../builder.ts';
import { NotificationRef, NotificationSeverity } from './notification.ts';

const payloadWithNotification = (name: string, description: string, ofNotification: string) =>
  builder.objectRef<{ notification: Notification }>(name).implement({
    description,
    fields: (t) => ({
      notification: t.field({
        type: NotificationRef,
        description: ofNotification,
        resolve: ({ notification }) => notification,
      }),
    }),
  });

const NotificationCreateInput = builder.inputType('NotificationCreateInput', {
  description: 'A new notification.',
  fields: (t) => ({
    title: t.string({ description: 'One line of at most 255 characters.' }),
    message: t.string({ required: true, description: '1 to 5 000 characters of plain text.' }),
    severity: t.field({ type: NotificationSeverity, description: 'Severity; INFO by default.' }),
    metadata: t.field({ type: 'JSONObject', description: 'Facts for programs: at most 16 kB, 16 levels deep.' }),
    sendEmail: t.boolean({
      description: 'Whether to send it by email, too, to the user who owns the profile; false by default.',
    }),
  }),
});

const NotificationCreatePayload = builder
  .objectRef<{ notification: Notification; emailSent: boolean }>('NotificationCreatePayload')
  .implement({
    description: 'Result of `notificationCreate`.',
    fields: (t) => ({
      notification: t.field({
        type: NotificationRef,
        description: 'The new notification.',
        resolve: ({ notification }) => notification,
      }),
      emailSent: t.exposeBoolean('emailSent', {
        description: 'Whether an email was queued. False if none was requested or no mail server is configured.',
      }),
    }),
  });

builder.mutationField('notificationCreate', (t) =>
  t.field({
    type: NotificationCreatePayload,
    description: 'Creates a notification of type CUSTOM for your own profile.',
    args: { input: t.arg({ type: NotificationCreateInput, required: true, description: 'The notification.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.notifications.create(caller, input),
  }),
);

const NotificationMarkReadInput = builder.inputType('NotificationMarkReadInput', {
  description: 'The notification to mark as read.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

builder.mutationField('notificationMarkRead', (t) =>
  t.field({
    type: payloadWithNotification(
      'NotificationMarkReadPayload',
      'Result of `notificationMarkRead`.',
      'The notification after the operation.',
    ),
    description: 'Marks one of your notifications as read. A notification that is already read keeps its `readAt`.',
    args: {
      input: t.arg({ type: NotificationMarkReadInput, required: true, description: 'Selects the notification.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      notification: await services.notifications.markRead(caller, input.uuid),
    }),
  }),
);

const NotificationMarkAllReadPayload = builder
  .objectRef<{ updatedCount: number }>('NotificationMarkAllReadPayload')
  .implement({
    description: 'Result of `notificationMarkAllRead`.',
    fields: (t) => ({
      updatedCount: t.exposeInt('updatedCount', { description: 'Number of notifications that were unread.' }),
    }),
  });

builder.mutationField('notificationMarkAllRead', (t) =>
  t.field({
    type: NotificationMarkAllReadPayload,
    description: 'Marks all your notifications as read.',
    extensions: { rateLimit: 'general' },
    resolve: async (_root, _args, { caller, services }) => ({
      updatedCount: await services.notifications.markAllRead(caller),
    }),
  }),
);

const NotificationCompleteInput = builder.inputType('NotificationCompleteInput', {
  description: 'The notification to mark as completed or not completed.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the object.' }),
    completed: t.boolean({ description: 'The new state; by default the opposite of the current one.' }),
  }),
});

builder.mutationField('notificationComplete', (t) =>
  t.field({
    type: payloadWithNotification(
      'NotificationCompletePayload',
      'Result of `notificationComplete`.',
      'The notification after the operation.',
    ),
    description: 'Marks a notification as completed or not completed.',
    args: {
      input: t.arg({ type: NotificationCompleteInput, required: true, description: 'Selects the notification.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...completion } }, { caller, services }) => ({
      notification: await services.notifications.setCompleted(caller, uuid, completion),
    }),
  }),
);

const NotificationDeleteInput = builder.inputType('NotificationDeleteInput', {
  description: 'The notification to delete.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

const NotificationDeletePayload = builder.objectRef<{ deletedUuid: string }>('NotificationDeletePayload').implement({
  description: 'Result of `notificationDelete`.',
  fields: (t) => ({
    deletedUuid: t.expose('deletedUuid', { type: 'UUID', description: 'UUID of the deleted notification.' }),
  }),
});

builder.mutationField('notificationDelete', (t) =>
  t.field({
    type: NotificationDeletePayload,
    description: 'Permanently deletes one of your notifications.',
    args: { input: t.arg({ type: NotificationDeleteInput, required: true, description: 'Selects the notification.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      deletedUuid: await services.notifications.remove(caller, input.uuid),
    }),
  }),
);
