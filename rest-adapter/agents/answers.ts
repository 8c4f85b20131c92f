import { z } from 'zod';

const uuid = z.uuid();
const instant = z.iso.datetime();
const state = z.enum(['NEW', 'PROVISIONED', 'ACTIVE', 'DRAINING', 'TERMINATED', 'KILLED']);

/** Source: docs/specification/agents.md#fields. */
export const agentAnswer = z
  .object({
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
    metadata: z
      .object({
        description: z.string().nullable(),
        image: z.string(),
        resources: z
          .object({
            cpu_request: z.string(),
            memory_request: z.string(),
            cpu_limit: z.string(),
            memory_limit: z.string(),
          })
          .strict(),
      })
      .strict(),
  })
  .strict()
  .meta({ id: 'Agent' });

export const agentsAnswer = z.array(agentAnswer);

const outcome = { success: z.boolean(), message: z.string() };

export const createdAnswer = z
  .object({ agent: agentAnswer, deployment: z.object({ ...outcome, deploymentName: z.string() }).strict() })
  .strict();

export const deletedAnswer = z.object({ message: z.string(), orchestrator: z.object(outcome).strict() }).strict();

export const changedAnswer = z.object({ agent: agentAnswer }).strict();

export const idleAnswer = z
  .object({ agent: agentAnswer, idle_after_seconds: z.int().nullable().describe('Null for never.') })
  .strict();

export const usageAnswer = z
  .object({
    cpu_hours: z.number().describe('Requested cores times hours, while pods of the agent were desired.'),
    memory_gib_hours: z.number().describe('Requested GiB of memory times hours.'),
    since: instant.nullable().describe('Time of the first deployment; null before.'),
    suspended_for: z.enum(['IDLE', 'OWNER']).nullable().describe('Null for an agent that is not suspended.'),
    idle_after_seconds: z.int().nullable().describe('Null for an agent that is never suspended by itself.'),
  })
  .strict()
  .meta({ id: 'AgentUsage' });

/** Source: docs/specification/agents.md#lifecycle-events. */
const lifecycleEventAnswer = z
  .object({
    id: z.string(),
    agent_uuid: uuid,
    event_type: z.string().describe('Such as `ACTIVATED`.'),
    from_state: state,
    to_state: state,
    metadata: z.record(z.string(), z.unknown()).describe('`triggered_by`, and facts of the event.'),
    timestamp: instant,
  })
  .strict()
  .meta({ id: 'AgentLifecycleEvent' });

/** Source: docs/specification/agents.md#orchestrator-status. */
const orchestratorStatusAnswer = z
  .object({
    ready: z.boolean(),
    replicas: z.int(),
    readyReplicas: z.int(),
    unavailableReplicas: z.int(),
    conditions: z.array(
      z.object({ type: z.string(), status: z.string(), reason: z.string(), message: z.string() }).strict(),
    ),
  })
  .strict()
  .meta({ id: 'AgentOrchestratorStatus' });

/** Source: docs/specification/agents.md#heartbeats. */
const heartbeatAnswer = z
  .object({
    id: z.string(),
    agent_uuid: uuid,
    mode: z.enum(['EMERGENCY', 'IDLE', 'SLEEP']),
    uptime_seconds: z.number(),
    timestamp: instant,
  })
  .strict()
  .meta({ id: 'AgentHeartbeat' });

/** Source: docs/specification/agents.md#metrics. */
const metricAnswer = z
  .object({
    id: z.string(),
    agent_uuid: uuid,
    cpu_percent: z.number(),
    memory_mb: z.number(),
    requests_handled: z.int(),
    custom_metrics: z.record(z.string(), z.unknown()).nullable(),
    timestamp: instant,
  })
  .strict()
  .meta({ id: 'AgentMetricReport' });

/** Source: docs/specification/agents.md#details. */
export const agentDetailsAnswer = z
  .object({
    agent: agentAnswer,
    recentHeartbeats: z.array(heartbeatAnswer).describe('The last 10, the newest first.'),
    recentMetrics: z.array(metricAnswer).describe('The last 10, the newest first.'),
    lifecycleEvents: z.array(lifecycleEventAnswer).describe('The complete history, the newest first.'),
    orchestratorStatus: orchestratorStatusAnswer.nullable().describe('Null if the agent is not deployed.'),
  })
  .strict();

/** Source: docs/specification/agents.md#export. */
export const exportedAnswer = z
  .object({
    agent: agentAnswer,
    heartbeats: z.array(heartbeatAnswer),
    metrics: z.array(metricAnswer),
    lifecycle_events: z.array(lifecycleEventAnswer),
    metadata: z
      .object({
        exported_at: instant,
        triggered_by: z.string(),
        total_heartbeats: z.int().describe('Length of `heartbeats`.'),
        total_metrics: z.int().describe('Length of `metrics`.'),
      })
      .strict(),
  })
  .strict();

export const messageAnswer = z.object({ message: z.string() }).strict();

export const logsAnswer = z
  .object({ lines: z.array(z.object({ timestamp: instant.nullable(), text: z.string() }).strict()) })
  .strict();

export const podEventsAnswer = z
  .object({
    events: z.array(
      z
        .object({ type: z.string(), reason: z.string(), message: z.string(), count: z.int(), last_at: instant })
        .strict(),
    ),
  })
  .strict();
