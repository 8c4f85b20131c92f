import type { Job } from '../platform/messaging/jobs.ts';
import type { Users } from './users.ts';

/** What of users runs on a clock. */
export const userJobs = (users: Pick<Users, 'purgeNotices'>): Job[] => [
  { name: 'users-purge-follow-notices', cron: '41 * * * *', run: () => users.purgeNotices() },
];
