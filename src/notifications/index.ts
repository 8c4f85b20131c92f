export { notificationJobs } from './jobs.ts';
export type { Notification } from './notification.ts';
export { createNotifications, type Notifications } from './notifications.ts';
export type { NotificationPage } from './reads.ts';
