import { mutation, selector } from '../mutation.ts';
import { NotificationRef, NotificationSeverity } from './notification.ts';

mutation('notificationCreate', {
  description: 'Creates a notification of type CUSTOM for your own profile.',
  rateLimit: 'general',
  input: {
    description: 'A new notification.',
    argument: 'The notification.',
    fields: (t) => ({
      title: t.string({ description: 'One line of at most 255 characters.' }),
      message: t.string({ required: true, description: '1 to 5 000 characters of plain text.' }),
      severity: t.field({ type: NotificationSeverity, description: 'Severity; INFO by default.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Facts for programs: at most 16 kB, 16 levels deep.' }),
      sendEmail: t.boolean({
        description: 'Whether to send it by email, too, to the user who owns the profile; false by default.',
      }),
    }),
  },
  payload: {
    notification: { type: NotificationRef, description: 'The new notification.' },
    emailSent: {
      type: 'Boolean',
      description: 'Whether an email was queued. False if none was requested or no mail server is configured.',
    },
  },
  resolve: (input, { caller, services }) => services.notifications.create(caller, input),
});

mutation('notificationMarkRead', {
  description: 'Marks one of your notifications as read. A notification that is already read keeps its `readAt`.',
  rateLimit: 'general',
  input: selector('The notification to mark as read.', { argument: 'Selects the notification.' }),
  payload: { notification: { type: NotificationRef, description: 'The notification after the operation.' } },
  resolve: async (input, { caller, services }) => ({
    notification: await services.notifications.markRead(caller, input.uuid),
  }),
});

mutation('notificationMarkAllRead', {
  description: 'Marks all your notifications as read.',
  rateLimit: 'general',
  payload: { updatedCount: { type: 'Int', description: 'Number of notifications that were unread.' } },
  resolve: async (_none, { caller, services }) => ({
    updatedCount: await services.notifications.markAllRead(caller),
  }),
});

mutation('notificationComplete', {
  description: 'Marks a notification as completed or not completed.',
  rateLimit: 'general',
  input: {
    description: 'The notification to mark as completed or not completed.',
    argument: 'Selects the notification.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the object.' }),
      completed: t.boolean({ description: 'The new state; by default the opposite of the current one.' }),
    }),
  },
  payload: { notification: { type: NotificationRef, description: 'The notification after the operation.' } },
  resolve: async ({ uuid, ...completion }, { caller, services }) => ({
    notification: await services.notifications.setCompleted(caller, uuid, completion),
  }),
});

mutation('notificationDelete', {
  description: 'Permanently deletes one of your notifications.',
  rateLimit: 'general',
  input: selector('The notification to delete.', { argument: 'Selects the notification.' }),
  payload: { deletedUuid: { type: 'UUID', description: 'UUID of the deleted notification.' } },
  resolve: async (input, { caller, services }) => ({
    deletedUuid: await services.notifications.remove(caller, input.uuid),
  }),
});
