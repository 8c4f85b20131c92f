export type { FoundPage } from './found.ts';
export { searchJobs } from './jobs.ts';
export { createSearch, type Search } from './search.ts';
export type { SearchStatistics } from './statistics.ts';
