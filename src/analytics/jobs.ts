import type { Job } from '../platform/messaging/jobs.ts';
import type { Analytics } from './analytics.ts';

/** The scheduled jobs of the analytics. */
export const analyticsJobs = ({ trending }: Pick<Analytics, 'trending'>): Job[] => [
  { name: 'analytics-roll-up-trends', cron: '* * * * *', run: () => trending.rollUp() },
];
