import type { Job } from '../platform/messaging/jobs.ts';
import type { Registry } from './registry.ts';

/** The scheduled jobs of the registry. */
export const registryJobs = ({ lifecycle, links }: Pick<Registry, 'lifecycle' | 'links'>): Job[] => [
  { name: 'registry-settle-orphans', cron: '* * * * *', run: () => lifecycle.settleOrphans() },
  { name: 'registry-recount', cron: '37 4 * * *', run: () => lifecycle.recount() },
  { name: 'registry-purge-link-states', cron: '29 * * * *', run: () => links.purge() },
];
