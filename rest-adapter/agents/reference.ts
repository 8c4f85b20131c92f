import { exampleLaterTime, exampleTime, exampleUuid, uuidOf } from '../reference.ts';

const params = uuidOf('agent');

const agent = {
  uuid: exampleUuid,
  name: 'researcher',
  dns_name: 'researcher.agents.example.com',
  state: 'NEW',
  orchestrator_namespace: 'agents',
  orchestrator_deployment: 'researcher-6f1c2a4e8b3d',
  created_at: exampleTime,
  provisioned_at: null,
  activated_at: null,
  terminated_at: null,
  last_heartbeat_at: null,
  metadata: {
    description: 'Reads papers.',
    image: 'nginxinc/nginx-unprivileged:1.29-alpine',
    resources: { cpu_request: '100m', memory_request: '256Mi', cpu_limit: '1000m', memory_limit: '1Gi' },
  },
} as const;

const activeAgent = {
  ...agent,
  state: 'ACTIVE',
  provisioned_at: exampleTime,
  activated_at: exampleLaterTime,
  last_heartbeat_at: exampleLaterTime,
} as const;

const lifecycleEvent = {
  id: '42',
  agent_uuid: exampleUuid,
  event_type: 'ACTIVATED',
  from_state: 'PROVISIONED',
  to_state: 'ACTIVE',
  metadata: { triggered_by: 'system' },
  timestamp: exampleLaterTime,
} as const;

export const listAgents = {
  summary: 'List your agents',
  description:
    'The agents of the profile of your credentials, the newest first, with those that have ended. Without `limit` all of them, at most 1000.',
  example: { query: { limit: 20, offset: 0 }, response: [activeAgent] },
} as const;

export const createAgent = {
  summary: 'Create an agent',
  description:
    'The agent is created in state `NEW`, then deployed. `deployment` says whether the orchestrator has accepted it; a deployment that failed is tried again.',
  example: {
    body: { name: 'researcher', description: 'Reads papers.' },
    response: {
      agent,
      deployment: {
        success: true,
        message: 'Agent researcher deployed successfully',
        deploymentName: 'researcher-6f1c2a4e8b3d',
      },
    },
  },
} as const;

const heartbeat = {
  id: '7',
  agent_uuid: exampleUuid,
  mode: 'IDLE',
  uptime_seconds: 3600,
  timestamp: exampleLaterTime,
} as const;

const metricReport = {
  id: '8',
  agent_uuid: exampleUuid,
  cpu_percent: 12.5,
  memory_mb: 181.2,
  requests_handled: 1024,
  custom_metrics: { queue_depth: 3 },
  timestamp: exampleLaterTime,
} as const;

export const getAgent = {
  summary: 'Get an agent',
  description:
    'The agent with its last 10 heartbeats and metric reports, its complete history, and the status of its deployment.',
  params,
  example: {
    response: {
      agent: activeAgent,
      recentHeartbeats: [heartbeat],
      recentMetrics: [metricReport],
      lifecycleEvents: [lifecycleEvent],
      orchestratorStatus: {
        ready: true,
        replicas: 1,
        readyReplicas: 1,
        unavailableReplicas: 0,
        conditions: [
          {
            type: 'Available',
            status: 'True',
            reason: 'MinimumReplicasAvailable',
            message: 'Deployment has minimum availability.',
          },
        ],
      },
    },
  },
} as const;

export const exportAgent = {
  summary: 'Export an agent',
  description: 'All data that the platform stores about the agent: its record, its history and its latest telemetry.',
  params,
  example: {
    body: { include_telemetry: true, telemetry_limit: 100 },
    response: {
      agent: activeAgent,
      heartbeats: [heartbeat],
      metrics: [metricReport],
      lifecycle_events: [lifecycleEvent],
      metadata: { exported_at: exampleLaterTime, triggered_by: 'user', total_heartbeats: 1, total_metrics: 1 },
    },
  },
} as const;

export const recordHeartbeat = {
  summary: 'Record a heartbeat',
  description:
    'Must arrive within each interval of the mode: 5 seconds for EMERGENCY, 30 for IDLE, 15 minutes for SLEEP. Resource data belongs in metrics.',
  params,
  example: { body: { mode: 'IDLE', uptime_seconds: 3600 }, response: { message: 'Heartbeat recorded' } },
} as const;

export const recordMetrics = {
  summary: 'Record metrics',
  description:
    'Resource data of the agent, typically every 60 seconds. `requests_handled` is the total since its start.',
  params,
  example: {
    body: { cpu_percent: 12.5, memory_mb: 181.2, requests_handled: 1024, custom_metrics: { queue_depth: 3 } },
    response: { message: 'Metrics recorded' },
  },
} as const;

export const deleteAgent = {
  summary: 'Delete an agent',
  description:
    'Terminates the agent and removes its deployment. An active agent drains for some seconds first. The record is kept. `orchestrator.success` is false until the deployment is removed.',
  params,
  example: {
    response: {
      message: 'Agent researcher deleted successfully',
      orchestrator: { success: true, message: 'Agent terminated successfully' },
    },
  },
} as const;

const changed = { response: { agent: activeAgent } } as const;

export const suspendAgent = {
  summary: 'Suspend an agent',
  description: 'Scales the agent to zero. It sends no heartbeats meanwhile, and is not unhealthy.',
  params,
  example: changed,
} as const;

export const resumeAgent = {
  summary: 'Resume an agent',
  description: 'Starts a suspended agent again.',
  params,
  example: changed,
} as const;

export const wakeAgent = {
  summary: 'Wake an agent',
  description:
    'Starts an agent that was suspended because it was idle. For a running agent it restarts the idle time. An agent that its owner suspended is not started (409).',
  params,
  example: changed,
} as const;

export const setAgentIdle = {
  summary: 'Set when an agent is suspended automatically',
  description:
    'The agent is scaled to zero after this time without activity, at most 80 seconds late. Activity is a request that changes or wakes the agent, a call with its own credential other than heartbeats and metrics, and a metric report with a changed `requests_handled`.',
  params,
  example: { body: { idle_after_seconds: 900 }, response: { agent: activeAgent, idle_after_seconds: 900 } },
} as const;

export const getUsage = {
  summary: "Get an agent's usage",
  description: 'The resources that were reserved for the agent so far, and whether it is suspended.',
  params,
  example: {
    response: {
      cpu_hours: 2.4,
      memory_gib_hours: 6,
      since: exampleTime,
      suspended_for: null,
      idle_after_seconds: 900,
    },
  },
} as const;

export const restartAgent = {
  summary: 'Restart an agent',
  description: 'Replaces the pods of the agent; the old ones run until the new ones are ready.',
  params,
  example: changed,
} as const;

export const redeployAgent = {
  summary: 'Redeploy an agent',
  description:
    'Deploys the agent again with another image or other resources. Fields that are left out stay as they are.',
  params,
  example: { body: { resources: { memory_limit: '2Gi' } }, ...changed },
} as const;

export const drainAgent = {
  summary: 'Drain an agent',
  description: 'Terminates an active agent after a grace period in which it gets no new requests.',
  params,
  example: {
    body: { grace_seconds: 60 },
    response: { agent: { ...activeAgent, state: 'DRAINING' } },
  },
} as const;

export const getLogs = {
  summary: "Get an agent's log",
  description:
    'The last lines of the log, the oldest first. The subscription `agentLogs` of the GraphQL API follows it, also as server-sent events.',
  params,
  example: { query: { tail: 100 }, response: { lines: [{ timestamp: exampleTime, text: 'listening on 8080' }] } },
} as const;

export const listPodEvents = {
  summary: "List an agent's events at the orchestrator",
  description: 'The latest events of the deployment and its pods, at most 50, the newest first.',
  params,
  example: {
    response: {
      events: [
        { type: 'Normal', reason: 'Started', message: 'Started container agent', count: 1, last_at: exampleTime },
      ],
    },
  },
} as const;
