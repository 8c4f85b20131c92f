export { notificationJobs } from './jobs.ts';
export type { Notification } from './notification.ts';
export { createNotifications, type NotificationPage, type Notifications } from './notifications.ts';
