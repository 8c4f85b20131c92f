export { type AgentArea, type AgentAreaDependencies, createAgentArea } from './area.ts';
export type { AgentEventRecord } from './events.ts';
export type { HeartbeatRecord } from './heartbeats.ts';
export { agentJobs } from './jobs.ts';
export {
  type AgentEventType,
  type AgentState,
  agentEventTypes,
} from './lifecycle.ts';
export { unhealthyAgents } from './liveness.ts';
export type { MetricReportRecord } from './metric-reports.ts';
export { type AgentMetrics, createAgentMetrics } from './metrics.ts';
export { createLocalOrchestrator } from './orchestrator/local/local.ts';
export { createOffOrchestrator } from './orchestrator/off.ts';
export type { DeploymentStatus, LogLine, Orchestrator, PodEvent } from './orchestrator/orchestrator.ts';
export { agentPolicyOf, defaultImage } from './orchestrator/policy.ts';
export type { ProjectQuota, QuotaState } from './quotas.ts';
export type { AgentExport } from './reports.ts';
export { agentSealedColumns } from './sealed-columns.ts';
export type { MetricBucket } from './series.ts';
export type { OrchestratorOutcome } from './settlement.ts';
export type { AgentCost, Usage, UsageOfDays } from './usage.ts';
