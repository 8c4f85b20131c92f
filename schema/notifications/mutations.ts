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
  description: 'A notification to make.',
  fields: (t) => ({
    title: t.string({ description: 'One line of at most 255 characters.' }),
    message: t.string({ required: true, description: '1 to 5 000 characters of plain text.' }),
    severity: t.field({ type: NotificationSeverity, description: 'How much it matters; INFO by default.' }),
    metadata: t.field({ type: 'JSONObject', description: 'Facts for programs: at most 16 kB, 16 levels deep.' }),
    sendEmail: t.boolean({
      description: 'Whether to send it to the e-mail address of the user whose profile it is, too; false by default.',
    }),
  }),
});

const NotificationCreatePayload = builder
  .objectRef<{ notification: Notification; emailSent: boolean }>('NotificationCreatePayload')
  .implement({
    description: 'What `notificationCreate` did.',
    fields: (t) => ({
      notification: t.field({
        type: NotificationRef,
        description: 'The new notification.',
        resolve: ({ notification }) => notification,
      }),
      emailSent: t.exposeBoolean('emailSent', {
        description:
          'Whether a letter is on its way. False when none was asked for, and where there is no mail server.',
      }),
    }),
  });

builder.mutationField('notificationCreate', (t) =>
  t.field({
    type: NotificationCreatePayload,
    description: 'Makes a notification of type CUSTOM for your own profile.',
    args: { input: t.arg({ type: NotificationCreateInput, required: true, description: 'The notification.' }) },
    extensions: { rateLimit: 'general' },
    resolve: (_root, { input }, { caller, services }) => services.notifications.create(caller, input),
  }),
);

const NotificationMarkReadInput = builder.inputType('NotificationMarkReadInput', {
  description: 'The notification to mark as read.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'Its uuid.' }) }),
});

builder.mutationField('notificationMarkRead', (t) =>
  t.field({
    type: payloadWithNotification(
      'NotificationMarkReadPayload',
      'What `notificationMarkRead` did.',
      'The notification, read.',
    ),
    description: 'Marks one of your notifications as read. One that is read already keeps its time.',
    args: { input: t.arg({ type: NotificationMarkReadInput, required: true, description: 'Which notification.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      notification: await services.notifications.markRead(caller, input.uuid),
    }),
  }),
);

const NotificationMarkAllReadPayload = builder
  .objectRef<{ updatedCount: number }>('NotificationMarkAllReadPayload')
  .implement({
    description: 'What `notificationMarkAllRead` did.',
    fields: (t) => ({
      updatedCount: t.exposeInt('updatedCount', { description: 'How many were unread until now.' }),
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
  description: 'The notification whose matter is done, or is not done after all.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'Its uuid.' }),
    completed: t.boolean({ description: 'Whether it is done; by default the opposite of what it was.' }),
  }),
});

builder.mutationField('notificationComplete', (t) =>
  t.field({
    type: payloadWithNotification(
      'NotificationCompletePayload',
      'What `notificationComplete` did.',
      'The notification as it now stands.',
    ),
    description: 'Says that what a notification asks for is done, or takes that back.',
    args: { input: t.arg({ type: NotificationCompleteInput, required: true, description: 'Which notification.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...completion } }, { caller, services }) => ({
      notification: await services.notifications.setCompleted(caller, uuid, completion),
    }),
  }),
);

const NotificationDeleteInput = builder.inputType('NotificationDeleteInput', {
  description: 'The notification to delete.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'Its uuid.' }) }),
});

const NotificationDeletePayload = builder.objectRef<{ deletedUuid: string }>('NotificationDeletePayload').implement({
  description: 'What `notificationDelete` did.',
  fields: (t) => ({
    deletedUuid: t.expose('deletedUuid', { type: 'UUID', description: 'The uuid of what is gone.' }),
  }),
});

builder.mutationField('notificationDelete', (t) =>
  t.field({
    type: NotificationDeletePayload,
    description: 'Deletes one of your notifications for good.',
    args: { input: t.arg({ type: NotificationDeleteInput, required: true, description: 'Which notification.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      deletedUuid: await services.notifications.remove(caller, input.uuid),
    }),
  }),
);
