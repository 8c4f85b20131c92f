export { type Analytics, createAnalytics } from './analytics.ts';
export { analyticsJobs } from './jobs.ts';
export { rankChangeOf, type TrendingPlace } from './trending.ts';
