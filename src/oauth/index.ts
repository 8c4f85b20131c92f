export type { ServerAccess, ServerToken } from './access.ts';
export { clientMetadata, clientMetadataPath } from './client-metadata.ts';
export type { AuthorizationOutcome, ClientIdentity, Discovery, Exchanges } from './exchanges/exchanges.ts';
export type { FlowFigures } from './flow-figures.ts';
export { oauthJobs } from './jobs.ts';
export {
  createOauthMetrics,
  type LinkStatus,
  type OauthMetrics,
  registerOauthGauges,
  type StateError,
} from './metrics.ts';
export { createOauth, createOauthTokens, type Oauth } from './oauth.ts';
export type { ReportChange, RuleOutcome, ServerReport } from './report/reports.ts';
export { grades, rules } from './report/rules.ts';
export { changesMax as reportChangesMax } from './report/statements.ts';
export { oauthSealedColumns } from './sealed-columns.ts';
export { type SecurityEventType, securityEvents } from './security-events.ts';
export type { ServerAuthorization } from './server-settings.ts';
export { listedMax } from './session-reads.ts';
export type { SessionChange } from './session-watch.ts';
export { graceMinutes } from './states.ts';
