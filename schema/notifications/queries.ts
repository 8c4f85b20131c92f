import type { NotificationPage } from '../../src/notifications/index.ts';
import { notificationBytesMax, pageBytesMax } from '../../src/notifications/input.ts';
import { readForAnswer } from '../answer-budget.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType } from '../connection.ts';
import { asksFor } from '../selection.ts';
import { NotificationRef } from './notification.ts';

const NotificationConnection = connectionType(
  'Notification',
  NotificationRef,
  'A page of your notifications, the newest first. It goes forward only.',
);

builder.queryField('notifications', (t) =>
  t.field({
    type: NotificationConnection,
    description: 'Your notifications, the newest first.',
    args: {
      ...connectionArgs(),
      unread: t.arg.boolean({ description: 'True for those that are unread; all by default.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, args, { caller, services }, info) => {
      const read = () => services.notifications.connection(caller, args);
      const isWhole = asksFor('message', info) || asksFor('metadata', info);
      const bytesOf = ({ edges }: { edges: readonly object[] }) => edges.length * notificationBytesMax;
      const page = await (isWhole ? readForAnswer(info, { bytesMax: pageBytesMax, bytesOf }, read) : read());
      return { ...page, count: () => services.notifications.count(caller, { unread: args.unread }) };
    },
  }),
);

const NotificationPageRef = builder.objectRef<NotificationPage>('NotificationPage').implement({
  description: 'A page by offset. Its numbers and its notifications are of one instant.',
  fields: (t) => ({
    notifications: t.field({
      type: [NotificationRef],
      description: 'The notifications of this page.',
      resolve: ({ notifications }) => notifications,
    }),
    total: t.exposeInt('total', { description: 'How many of the list there are on all pages together.' }),
    unreadCount: t.exposeInt('unreadCount', { description: 'How many of all your notifications are unread.' }),
    limit: t.exposeInt('limit', { description: 'How many were asked for.' }),
    offset: t.exposeInt('offset', { description: 'How many were passed over.' }),
  }),
});

builder.queryField('notificationPage', (t) =>
  t.field({
    type: NotificationPageRef,
    description: 'Your notifications by offset, the newest first, as GET /api/notifications lists them.',
    args: {
      unread: t.arg.boolean({ description: 'True for those that are unread; all by default.' }),
      limit: t.arg.int({ description: '1 to 100; 20 by default.' }),
      offset: t.arg.int({ description: 'How many to pass over; none by default.' }),
    },
    extensions: { rateLimit: 'general' },
    resolve: (_root, args, { caller, services }, info) => {
      const bytesOf = ({ notifications }: NotificationPage) => notifications.length * notificationBytesMax;
      return readForAnswer(info, { bytesMax: pageBytesMax, bytesOf }, () => services.notifications.page(caller, args));
    },
  }),
);

builder.queryField('unreadNotificationCount', (t) =>
  t.int({
    description: 'How many of your notifications are unread. `unreadCountChanged` tells it live.',
    extensions: { rateLimit: 'general' },
    resolve: (_root, _args, { caller, services }) => services.notifications.count(caller, { unread: true }),
  }),
);
