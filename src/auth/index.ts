export type { UserState } from './administration.ts';
export { issueAgentCredential } from './agent-credentials.ts';
export type { ApiKeyPage } from './api-keys.ts';
export { type Auth, createAuth } from './auth.ts';
export { authJobs } from './jobs.ts';
export type { PasswordCost } from './passwords.ts';
export type { ProfilePage } from './profiles.ts';
export type { ProjectPage } from './projects.ts';
export type { SignedIn } from './users.ts';
