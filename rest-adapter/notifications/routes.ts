import { z } from 'zod';
import { Completion, NewNotification, notificationTypes, PageRequest } from '../../src/notifications/input.ts';
import { trueOrFalse, whenValid } from '../../src/platform/input/input.ts';
import { generalErrors, proxyErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'Notifications', access: 'caller', errors: generalErrors } as const;

/** Three names of one filter. Source: docs/specification/notifications.md#list. */
const unreadNames = ['unread', 'onlyUnread', 'unreadOnly'] as const;

const wish = (name: string) =>
  trueOrFalse(name)
    .optional()
    .describe('`true` for unread notifications only. `unread`, `onlyUnread` and `unreadOnly` are synonyms.');

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
          context.addIssue({ code: 'custom', path: [name], message: `${name} contradicts ${given[0]}` });
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
  route('GET /api/notifications', {
    ...shared,
    reference: reference.listNotifications,
    operation: operations.ListNotificationsDocument,
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
    response: responses.listResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('POST /api/notifications', {
    ...shared,
    isIdempotent: true,
    reference: reference.createNotification,
    operation: operations.CreateNotificationDocument,
    input: NewNotificationBody,
    variables: ({ body }) => ({ input: body }),
    body: ({ notificationCreate: { notification, emailSent } }) => ({
      success: true,
      notification: notificationBody(notification),
      notificationId: notification.uuid,
      emailSent,
    }),
    response: responses.createResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('POST /api/notifications/custom', {
    ...shared,
    errors: proxyErrors,
    isIdempotent: true,
    reference: reference.createCustomNotification,
    operation: operations.CreateNotificationDocument,
    input: CustomNotificationBody,
    variables: ({ body }) => ({ input: body }),
    body: ({ notificationCreate: { notification, emailSent } }) => ({
      success: true,
      message: 'Notification created',
      notificationId: notification.uuid,
      emailSent,
    }),
    response: responses.customResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('PATCH /api/notifications/read-all', {
    ...shared,
    reference: reference.readAll,
    operation: operations.MarkAllNotificationsReadDocument,
    variables: () => ({}),
    body: ({ notificationMarkAllRead: { updatedCount } }) => ({ success: true, updatedCount }),
    response: responses.readAllResponse,
    errorCodes: ['FORBIDDEN'],
  }),
  route('PATCH /api/notifications/:id/read', {
    ...shared,
    reference: reference.markRead,
    operation: operations.MarkNotificationReadDocument,
    variables: ({ params }) => ({ input: { uuid: params.id } }),
    body: ({ notificationMarkRead: { notification } }) => ({
      success: true,
      notification: { id: notification.uuid, read: notification.read, read_at: notification.readAt },
    }),
    response: responses.readResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('PATCH /api/notifications/:id/completed', {
    ...shared,
    reference: reference.markCompleted,
    operation: operations.CompleteNotificationDocument,
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
    response: responses.completedResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('DELETE /api/notifications/:id', {
    ...shared,
    reference: reference.deleteNotification,
    operation: operations.DeleteNotificationDocument,
    variables: ({ params }) => ({ input: { uuid: params.id } }),
    body: () => ({ success: true, message: 'Notification deleted' }),
    response: responses.deleteResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
];

const typeOf = (type: operations.NotificationType) => notificationTypes.find((each) => each.toUpperCase() === type);

const notificationBody = (notification: operations.NotificationFieldsFragment) => ({
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
