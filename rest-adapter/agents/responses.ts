import { z } from 'zod';
import { namedObject } from '../schema.ts';

const uuid = z.uuid();
const instant = z.iso.datetime();
const state = z.enum(['NEW', 'PROVISIONED', 'ACTIVE', 'DRAINING', 'TERMINATED', 'KILLED']);

/** Source: docs/specification/agents.md#fields. */
export const agentResponse = namedObject('Agent', {
  uuid,
  name: z.string(),
  dns_name: z.string().describe('`{name}.{agent domain}`'),
  state,
  orchestrator_namespace: z.string(),
  orchestrator_deployment: z.string(),
  created_at: instant,
  provisioned_at: instant.nullable(),
  activated_at: instant.nullable(),
  terminated_at: instant.nullable(),
  last_heartbeat_at: instant.nullable(),
  metadata: z.strictObject({
    description: z.string().nullable(),
    image: z.string(),
    resources: z.strictObject({
      cpu_request: z.string(),
      memory_request: z.string(),
      cpu_limit: z.string(),
      memory_limit: z.string(),
    }),
  }),
});

export const agentsResponse = z.array(agentResponse);

const outcome = { success: z.boolean(), message: z.string() };

export const createdResponse = z.strictObject({
  agent: agentResponse,
  deployment: z.strictObject({ ...outcome, deploymentName: z.string() }),
});

export const deletedResponse = z.strictObject({ message: z.string(), orchestrator: z.strictObject(outcome) });

export const changedResponse = z.strictObject({ agent: agentResponse });

export const idleResponse = z.strictObject({
  agent: agentResponse,
  idle_after_seconds: z.int().nullable().describe('Null for never.'),
});

export const usageResponse = namedObject('AgentUsage', {
  cpu_hours: z.number().describe('Requested cores times hours, while the agent was deployed and not suspended.'),
  memory_gib_hours: z.number().describe('Requested GiB of memory times hours.'),
  since: instant.nullable().describe('Time of the first deployment; null before.'),
  suspended_for: z.enum(['IDLE', 'OWNER']).nullable().describe('Null for an agent that is not suspended.'),
  idle_after_seconds: z.int().nullable().describe('Null for an agent that is never suspended automatically.'),
});

/** Source: docs/specification/agents.md#lifecycle-events. */
const lifecycleEventResponse = namedObject('AgentLifecycleEvent', {
  id: z.string(),
  agent_uuid: uuid,
  event_type: z.string().describe('Such as `ACTIVATED`.'),
  from_state: state,
  to_state: state,
  metadata: z.record(z.string(), z.unknown()).describe('`triggered_by`, and facts of the event.'),
  timestamp: instant,
});

/** Source: docs/specification/agents.md#orchestrator-status. */
const orchestratorStatusResponse = namedObject('AgentOrchestratorStatus', {
  ready: z.boolean(),
  replicas: z.int(),
  readyReplicas: z.int(),
  unavailableReplicas: z.int(),
  conditions: z.array(
    z.strictObject({ type: z.string(), status: z.string(), reason: z.string(), message: z.string() }),
  ),
});

/** Source: docs/specification/agents.md#heartbeats. */
const heartbeatResponse = namedObject('AgentHeartbeat', {
  id: z.string(),
  agent_uuid: uuid,
  mode: z.enum(['EMERGENCY', 'IDLE', 'SLEEP']),
  uptime_seconds: z.number(),
  timestamp: instant,
});

/** Source: docs/specification/agents.md#metrics. */
const metricResponse = namedObject('AgentMetricReport', {
  id: z.string(),
  agent_uuid: uuid,
  cpu_percent: z.number(),
  memory_mb: z.number(),
  requests_handled: z.int(),
  custom_metrics: z.record(z.string(), z.unknown()).nullable(),
  timestamp: instant,
});

/** Source: docs/specification/agents.md#details. */
export const agentDetailsResponse = z.strictObject({
  agent: agentResponse,
  recentHeartbeats: z.array(heartbeatResponse).describe('The last 10, the newest first.'),
  recentMetrics: z.array(metricResponse).describe('The last 10, the newest first.'),
  lifecycleEvents: z.array(lifecycleEventResponse).describe('The complete history, the newest first.'),
  orchestratorStatus: orchestratorStatusResponse.nullable().describe('Null if the agent is not deployed.'),
});

/** Source: docs/specification/agents.md#export. */
export const exportedResponse = z.strictObject({
  agent: agentResponse,
  heartbeats: z.array(heartbeatResponse),
  metrics: z.array(metricResponse),
  lifecycle_events: z.array(lifecycleEventResponse),
  metadata: z.strictObject({
    exported_at: instant,
    triggered_by: z.string(),
    total_heartbeats: z.int().describe('Length of `heartbeats`.'),
    total_metrics: z.int().describe('Length of `metrics`.'),
  }),
});

export const messageResponse = z.strictObject({ message: z.string() });

export const logsResponse = z.strictObject({
  lines: z.array(z.strictObject({ timestamp: instant.nullable(), text: z.string() })),
});

export const podEventsResponse = z.strictObject({
  events: z.array(
    z.strictObject({ type: z.string(), reason: z.string(), message: z.string(), count: z.int(), last_at: instant }),
  ),
});
