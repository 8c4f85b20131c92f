import type { NotificationPage } from '../../src/notifications/index.ts';
import { notificationBytesMax, pageBytesMax } from '../../src/notifications/input.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, pageArgs } from '../connection.ts';
import { query } from '../query.ts';
import { readForResponse } from '../response-budget.ts';
import { asksFor } from '../selection.ts';
import { NotificationRef } from './notification.ts';

const NotificationConnection = connectionType(
  'Notification',
  NotificationRef,
  'A page of your notifications, the newest first. It goes forward only.',
);

query('notifications', {
  type: NotificationConnection,
  description: 'Your notifications, the newest first.',
  args: (arg) => ({
    ...connectionArgs(),
    unread: arg.boolean({ description: 'Whether to list only unread notifications; all by default.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: async (_root, args, { caller, services }, info) => {
    const read = () => services.notifications.connection(caller, args);
    const isWhole = asksFor('message', info) || asksFor('metadata', info);
    const bytesOf = ({ edges }: { edges: readonly object[] }) => edges.length * notificationBytesMax;
    const page = await (isWhole ? readForResponse(info, { bytesMax: pageBytesMax, bytesOf }, read) : read());
    return { ...page, count: () => services.notifications.count(caller, args) };
  },
});

const NotificationPageRef = builder.objectRef<NotificationPage>('NotificationPage').implement({
  description: 'A page by offset. The counts and the notifications are of the same instant.',
  fields: (t) => ({
    notifications: t.expose('notifications', {
      type: [NotificationRef],
      description: 'The notifications of this page.',
    }),
    total: t.exposeInt('total', { description: 'Number of notifications on all pages of the list.' }),
    unreadCount: t.exposeInt('unreadCount', { description: 'Number of all your unread notifications.' }),
    limit: t.exposeInt('limit', { description: 'Size of the page that was requested.' }),
    offset: t.exposeInt('offset', { description: 'Number of objects before this page.' }),
  }),
});

query('notificationPage', {
  type: NotificationPageRef,
  description: 'Your notifications by offset, the newest first, as GET /api/notifications lists them.',
  args: (arg) => ({
    unread: arg.boolean({ description: 'Whether to list only unread notifications; all by default.' }),
    ...pageArgs('1 to 100; 20 by default.'),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, { caller, services }, info) => {
    const bytesOf = ({ notifications }: NotificationPage) => notifications.length * notificationBytesMax;
    return readForResponse(info, { bytesMax: pageBytesMax, bytesOf }, () => services.notifications.page(caller, args));
  },
});

builder.queryField('unreadNotificationCount', (t) =>
  t.int({
    description: 'Number of your unread notifications. Subscribe to `unreadCountChanged` for changes.',
    extensions: { rateLimit: 'general' },
    resolve: (_root, _args, { caller, services }) => services.notifications.count(caller, { unread: true }),
  }),
);
