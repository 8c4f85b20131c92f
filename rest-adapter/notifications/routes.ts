import { z } from 'zod';
import { Completion, NewNotification, notificationTypes, PageRequest } from '../../src/notifications/input.ts';
import { trueOrFalse, whenValid } from '../../src/platform/input/input.ts';
import { generalErrors, proxyErrors } from '../errors.ts';
import {
  CompleteNotificationDocument,
  CreateNotificationDocument,
  DeleteNotificationDocument,
  ListNotificationsDocument,
  MarkAllNotificationsReadDocument,
  MarkNotificationReadDocument,
  type NotificationFieldsFragment,
  type NotificationType,
} from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import {
  completedAnswer,
  createAnswer,
  customAnswer,
  deleteAnswer,
  listAnswer,
  readAllAnswer,
  readAnswer,
} from './answers.ts';
import * as reference from './reference.ts';

const shared = { tag: 'Notifications', access: 'caller', errors: generalErrors } as const;

/** Three names of one filter. Source: docs/specification/notifications.md#list. */
const unreadNames = ['unread', 'onlyUnread', 'unreadOnly'] as const;

const wish = (name: string) =>
  trueOrFalse(name)
    .optional()
    .describe('`true` for those that are unread. `unread`, `onlyUnread` and `unreadOnly` mean the same.');

const ListQuery = z
  .object({
    unread: wish('unread'),
    onlyUnread: wish('onlyUnread'),
    unreadOnly: wish('unreadOnly'),
    limit: PageRequest.shape.limit,
    offset: PageRequest.shape.offset,
  })
  .superRefine(
    (query, context) => {
      const given = unreadNames.filter((name) => query[name] !== undefined);
      for (const name of given)
        if (query[name] !== query[given[0] ?? name])
          context.addIssue({ code: 'custom', path: [name], message: `${name} says otherwise than ${given[0]}` });
    },
    whenValid(...unreadNames),
  );

/** As the specification spells it. */
const NewNotificationBody = NewNotification.omit({ sendEmail: true }).extend({
  send_email: trueOrFalse('send_email').nullish(),
});

/** As existing proxies send it. Other members of the body are ignored. Source: docs/specification/notifications.md#create. */
const CustomNotificationBody = NewNotification.omit({ metadata: true });

/** The documented paths of the notifications. Source: docs/specification/notifications.md. */
export const notificationRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/notifications',
    reference: reference.listNotifications,
    operation: ListNotificationsDocument,
    query: ListQuery,
    variables: ({ query: { unread, onlyUnread, unreadOnly, ...page } }) => ({
      ...page,
      unread: unread ?? onlyUnread ?? unreadOnly,
    }),
    body: ({ notificationPage: { notifications, total, unreadCount, limit, offset } }) => ({
      notifications: notifications.map(notificationBody),
      total,
      unread_count: unreadCount,
      limit,
      offset,
    }),
    answer: listAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/notifications',
    isIdempotent: true,
    reference: reference.createNotification,
    operation: CreateNotificationDocument,
    input: NewNotificationBody,
    variables: ({ body }) => ({ input: body }),
    body: ({ notificationCreate: { notification, emailSent } }) => ({
      success: true,
      notification: notificationBody(notification),
      notificationId: notification.uuid,
      emailSent,
    }),
    answer: createAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    errors: proxyErrors,
    method: 'POST',
    path: '/api/notifications/custom',
    isIdempotent: true,
    reference: reference.createCustomNotification,
    operation: CreateNotificationDocument,
    input: CustomNotificationBody,
    variables: ({ body }) => ({ input: body }),
    body: ({ notificationCreate: { notification, emailSent } }) => ({
      success: true,
      message: 'Notification created',
      notificationId: notification.uuid,
      emailSent,
    }),
    answer: customAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/api/notifications/read-all',
    reference: reference.readAll,
    operation: MarkAllNotificationsReadDocument,
    variables: () => ({}),
    body: ({ notificationMarkAllRead: { updatedCount } }) => ({ success: true, updatedCount }),
    answer: readAllAnswer,
    errorCodes: ['FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/api/notifications/:id/read',
    reference: reference.markRead,
    operation: MarkNotificationReadDocument,
    variables: ({ params }) => ({ input: { uuid: params.id } }),
    body: ({ notificationMarkRead: { notification } }) => ({
      success: true,
      notification: { id: notification.uuid, read: notification.read, read_at: notification.readAt },
    }),
    answer: readAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/api/notifications/:id/completed',
    reference: reference.markCompleted,
    operation: CompleteNotificationDocument,
    input: Completion,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.id } }),
    body: ({ notificationComplete: { notification } }) => ({
      success: true,
      notification: {
        id: notification.uuid,
        completed: notification.completed,
        completed_at: notification.completedAt,
      },
    }),
    answer: completedAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/notifications/:id',
    reference: reference.deleteNotification,
    operation: DeleteNotificationDocument,
    variables: ({ params }) => ({ input: { uuid: params.id } }),
    body: () => ({ success: true, message: 'Notification deleted' }),
    answer: deleteAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
];

const typeOf = (type: NotificationType) => notificationTypes.find((each) => each.toUpperCase() === type);

const notificationBody = (notification: NotificationFieldsFragment) => ({
  id: notification.uuid,
  type: typeOf(notification.type),
  title: notification.title,
  message: notification.message,
  severity: notification.severity,
  read: notification.read,
  created_at: notification.createdAt,
  read_at: notification.readAt,
  completed: notification.completed,
  completed_at: notification.completedAt,
  metadata: notification.metadata,
});
