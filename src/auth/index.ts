export { isApiKey } from './api-key-format.ts';
export type { ApiKeyPage, ApiKeyRecord, ApiKeyState } from './api-keys.ts';
export { type Auth, type AuthDependencies, createAuth } from './auth.ts';
export { authJobs } from './jobs.ts';
export type { ProfilePage } from './profiles.ts';
export type { ProjectPage } from './projects.ts';
export type { SignedIn, UserRecord } from './users.ts';
