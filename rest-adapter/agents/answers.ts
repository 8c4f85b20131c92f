import { z } from 'zod';

const uuid = z.uuid();
const instant = z.iso.datetime();
const state = z.enum(['NEW', 'PROVISIONED', 'ACTIVE', 'DRAINING', 'TERMINATED', 'KILLED']);

/** Source: spec.md, Agent. */
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

/** Source: spec.md, Lifecycle event record. */
export const lifecycleEventAnswer = z
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

/** Source: spec.md, orchestratorStatus. */
export const orchestratorStatusAnswer = z
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
