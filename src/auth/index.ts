export type { SignedIn } from './accounts.ts';
export { issueAgentCredential } from './agent-credentials.ts';
export { type Auth, createAuth } from './auth.ts';
export { authJobs } from './jobs.ts';
export type { PasswordCost } from './passwords.ts';
