export type { AgentRecord, AgentShape } from './agent.ts';
export type { AgentPage, OrchestratorOutcome } from './agents.ts';
export { type AgentArea, type AgentAreaDependencies, createAgentArea } from './area.ts';
export type { AgentEventRecord } from './events.ts';
export {
  type AgentEventType,
  type AgentState,
  agentEventTypes,
  agentStates,
  type HeartbeatMode,
} from './lifecycle.ts';
export { createLocalOrchestrator } from './orchestrator/local/local.ts';
export { createOffOrchestrator } from './orchestrator/off.ts';
export type { DeploymentStatus, Orchestrator } from './orchestrator/orchestrator.ts';
export { agentPolicyOf, defaultImage } from './orchestrator/policy.ts';
export { agentSealedColumns } from './sealed-columns.ts';
export type { AgentLiveness } from './statuses.ts';
