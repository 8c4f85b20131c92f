import type { Job } from '../platform/messaging/jobs.ts';
import type { Analytics } from './analytics.ts';

/** What of the analytics runs on a clock. */
export const analyticsJobs = ({ trending }: Pick<Analytics, 'trending'>): Job[] => [
  { name: 'analytics-roll-up-trends', cron: '* * * * *', run: () => trending.rollUp() },
];
