import { exampleLaterTime, exampleTime, exampleUuid } from '../reference.ts';

const notification = {
  id: exampleUuid,
  type: 'CUSTOM',
  title: 'Backup finished',
  message: 'All 14 databases were saved.',
  severity: 'SUCCESS',
  read: false,
  created_at: exampleTime,
  read_at: null,
  completed: false,
  completed_at: null,
  metadata: { databases: 14 },
} as const;

const id = { id: { description: 'UUID of the notification.', example: exampleUuid } } as const;

export const listNotifications = {
  summary: 'List notifications',
  description:
    'The notifications of the profile, the newest first. `total` counts the list, `unread_count` all unread notifications.',
  example: {
    query: { unread: true, limit: 20, offset: 0 },
    response: { notifications: [notification], total: 1, unread_count: 1, limit: 20, offset: 0 },
  },
} as const;

export const createNotification = {
  summary: 'Create a notification',
  description:
    'Creates a notification of the type `CUSTOM` for your own profile. With `send_email` it is also sent to its user by email.',
  example: {
    body: {
      title: notification.title,
      message: notification.message,
      severity: 'SUCCESS',
      metadata: notification.metadata,
      send_email: false,
    },
    response: { success: true, notification, notificationId: exampleUuid, emailSent: false },
  },
} as const;

export const createCustomNotification = {
  summary: 'Create a notification, for existing proxies',
  description:
    'The same as POST /api/notifications, as existing proxies send it. Other members of the body are ignored.',
  example: {
    body: { title: notification.title, message: notification.message, severity: 'SUCCESS', sendEmail: false },
    response: { success: true, message: 'Notification created', notificationId: exampleUuid, emailSent: false },
  },
} as const;

export const readAll = {
  summary: 'Mark all notifications as read',
  description: 'Marks all unread notifications of the profile as read, and returns their number.',
  example: { response: { success: true, updatedCount: 3 } },
} as const;

export const markRead = {
  summary: 'Mark a notification as read',
  description: 'A notification that is already read keeps its `read_at`.',
  params: id,
  example: { response: { success: true, notification: { id: exampleUuid, read: true, read_at: exampleLaterTime } } },
} as const;

export const markCompleted = {
  summary: 'Mark a notification as completed',
  description: 'With `completed: false` it is marked as not completed. Without `completed` the mark is inverted.',
  params: id,
  example: {
    body: { completed: true },
    response: {
      success: true,
      notification: { id: exampleUuid, completed: true, completed_at: exampleLaterTime },
    },
  },
} as const;

export const deleteNotification = {
  summary: 'Delete a notification',
  description: 'This cannot be undone.',
  params: id,
  example: { response: { success: true, message: 'Notification deleted' } },
} as const;
