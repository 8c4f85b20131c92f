import type { Job } from '../platform/messaging/jobs.ts';
import type { Registry } from './registry.ts';

/** What of the registry runs on a clock. */
export const registryJobs = ({ lifecycle, links }: Pick<Registry, 'lifecycle' | 'links'>): Job[] => [
  { name: 'registry-settle-orphans', cron: '* * * * *', run: () => lifecycle.settleOrphans() },
  { name: 'registry-recount', cron: '37 4 * * *', run: () => lifecycle.recount() },
  { name: 'registry-purge-link-states', cron: '29 * * * *', run: () => links.purge() },
];
