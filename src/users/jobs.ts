import type { Job } from '../platform/messaging/jobs.ts';
import type { Users } from './users.ts';

/** The scheduled jobs of users. */
export const userJobs = (users: Pick<Users, 'purgeNotices'>): Job[] => [
  { name: 'users-purge-follow-notices', cron: '41 * * * *', run: () => users.purgeNotices() },
];
