import type { Job } from '../platform/messaging/jobs.ts';
import type { Search } from './search.ts';

/** The scheduled jobs of searching. */
export const searchJobs = ({ upkeep, statistics }: Pick<Search, 'upkeep' | 'statistics'>): Job[] => [
  { name: 'search-sort-into-tiers', cron: '*/10 * * * *', run: upkeep.sortIntoTiers },
  { name: 'search-add-up-counts', cron: '7,17,27,37,47,57 * * * *', run: upkeep.addUpCounts },
  { name: 'search-take-up-words', cron: '* * * * *', run: upkeep.takeUpWords },
  { name: 'search-count-words', cron: '23 * * * *', run: upkeep.countWords },
  { name: 'search-forget-words', cron: '11 4 * * 0', run: upkeep.forgetWords },
  { name: 'search-purge-statistics', cron: '53 3 * * *', run: statistics.purge },
];
