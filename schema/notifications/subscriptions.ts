import { builder } from '../builder.ts';
import { NotificationRef } from './notification.ts';

builder.subscriptionField('notificationAdded', (t) =>
  t.field({
    type: NotificationRef,
    description:
      'Your new notifications, in order and each once. After a lost connection, pass the last notification that you received as `sinceId` to receive the missed ones first.',
    args: {
      sinceId: t.arg.id({
        description:
          'Id or uuid of the last notification that you received. NOT_FOUND if it was deleted; VALIDATION_ERROR if more than 1 000 came after it: list the notifications, then subscribe from the newest.',
      }),
    },
    extensions: { rateLimit: 'general', sharesResults: true },
    subscribe: (_root, { sinceId }, { caller, services }) =>
      services.notifications.added(caller, { sinceId: sinceId && uuidOf(sinceId) }),
    resolve: (notification) => notification,
  }),
);

builder.subscriptionField('unreadCountChanged', (t) =>
  t.int({
    description: 'Number of your unread notifications: immediately, then after every change.',
    extensions: { rateLimit: 'general' },
    subscribe: (_root, _args, { caller, services }) => services.notifications.unreadCountChanged(caller),
    resolve: (count) => count,
  }),
);

/** A global id names its type; any other text is taken for a uuid, and an invalid uuid is an unknown one. */
function uuidOf(id: string): string {
  const text = Buffer.from(id, 'base64').toString();
  return text.startsWith('Notification:') ? text.slice('Notification:'.length) : id;
}
