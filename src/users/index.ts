export { userJobs } from './jobs.ts';
export type { UserProfile } from './user-profile.ts';
export { createUsers, type Users } from './users.ts';
