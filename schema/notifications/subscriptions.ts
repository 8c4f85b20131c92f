import { builder } from '../builder.ts';
import { NotificationRef } from './notification.ts';

builder.subscriptionField('notificationAdded', (t) =>
  t.field({
    type: NotificationRef,
    description:
      'Your new notifications, in order and each once. With the last one that you received as `sinceId` a connection that was lost loses nothing: what came meanwhile comes first.',
    args: {
      sinceId: t.arg.id({
        description:
          'The last notification that you received, by its id or uuid. NOT_FOUND when it was deleted; VALIDATION_ERROR when more than 1 000 came after it: list them then, and follow the newest of the list.',
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
    description: 'How many of your notifications are unread: at once, then whenever it is another number.',
    extensions: { rateLimit: 'general' },
    subscribe: (_root, _args, { caller, services }) => services.notifications.unreadCountChanged(caller),
    resolve: (count) => count,
  }),
);

/** A global id says what it is an id of; anything else is taken for a uuid, and is an unknown one if it is none. */
function uuidOf(id: string): string {
  const text = Buffer.from(id, 'base64').toString();
  return text.startsWith('Notification:') ? text.slice('Notification:'.length) : id;
}
