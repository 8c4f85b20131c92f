export { type RegistryEntry, type RegistryHealth, versionsMax } from './catalogue.ts';
export type { GithubSettings } from './github.ts';
export { registryJobs } from './jobs.ts';
export type { GithubAccount } from './links.ts';
export { createRegistry, type Registry } from './registry.ts';
export { registrySealedColumns } from './sealed-columns.ts';
export { documentBytesMax } from './server-json.ts';
export type { Submission } from './submissions.ts';
