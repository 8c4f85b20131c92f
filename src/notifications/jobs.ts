import type { Job } from '../platform/messaging/jobs.ts';
import type { Notifications } from './notifications.ts';

/** The scheduled jobs of notifications. */
export const notificationJobs = (notifications: Pick<Notifications, 'purge'>): Job[] => [
  { name: 'notifications-purge-old', cron: '51 * * * *', run: () => notifications.purge() },
];
