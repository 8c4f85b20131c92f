import type { AgentCost, AgentState, DeploymentStatus } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { enumColumn } from '../enum.ts';
import { optional, optionalTime } from '../optional.ts';
import { ownRow } from '../row.ts';
import { agentLoaders } from './loaders.ts';

export const AgentStateEnum = builder.enumType('AgentState', {
  description: 'State of an agent in its life cycle.',
  values: {
    NEW: { description: 'Created, not deployed yet.' },
    PROVISIONED: { description: 'Deployed; its first heartbeat has not arrived yet.' },
    ACTIVE: { description: 'Its first heartbeat has arrived.' },
    DRAINING: { description: 'Gets no new requests, and is terminated when its grace period ends.' },
    TERMINATED: { description: 'Ended by its owner.' },
    KILLED: { description: 'Ended by an administrator of the platform.' },
  } as const satisfies Record<AgentState, { description: string }>,
});

export const HeartbeatModeEnum = builder.enumType('AgentHeartbeatMode', {
  description: 'Interval in which heartbeats of an agent must arrive.',
  values: {
    EMERGENCY: { description: 'At least every 5 seconds.' },
    IDLE: { description: 'At least every 30 seconds.' },
    SLEEP: { description: 'At least every 15 minutes.' },
  } as const,
});

const AgentHealth = builder.enumType('AgentHealth', {
  description: 'Whether the heartbeats of an agent arrive in time.',
  values: {
    UNKNOWN: { description: 'No heartbeat has arrived yet, or the agent has ended or is suspended.' },
    HEALTHY: { description: 'The latest heartbeat arrived within the interval of its mode.' },
    UNHEALTHY: { description: 'A heartbeat is late: condition 480.' },
  } as const,
});

const Condition = builder.objectRef<DeploymentStatus['conditions'][number]>('AgentDeploymentCondition').implement({
  description: 'A condition that the orchestrator reports.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Name of the condition.' }),
    status: t.exposeString('status', { description: '`True`, `False` or `Unknown`.' }),
    reason: t.exposeString('reason', { description: 'Reason of the last change, in one word.' }),
    message: t.exposeString('message', { description: 'The reason as a sentence.' }),
  }),
});

const Status = builder.objectRef<DeploymentStatus>('AgentDeploymentStatus').implement({
  description: 'Status of the deployment of an agent, as the orchestrator last reported it.',
  fields: (t) => ({
    ready: t.exposeBoolean('ready', {
      description: 'Whether the desired deployment is rolled out and all replicas are available.',
    }),
    replicas: t.exposeInt('replicas', { description: 'Number of pods.' }),
    readyReplicas: t.exposeInt('readyReplicas', { description: 'Number of pods that are ready.' }),
    unavailableReplicas: t.exposeInt('unavailableReplicas', {
      description: 'Number of pods that are missing or not ready.',
    }),
    conditions: t.expose('conditions', {
      type: [Condition],
      description: 'Conditions of the deployment.',
      extensions: { defaultLength: 20 },
    }),
    failure: t.string({
      nullable: true,
      description: 'Reason and message of a rollout that cannot succeed without a change; else null.',
      resolve: ({ failure }) => failure && `${failure.reason}: ${failure.message}`,
    }),
  }),
});

const Resources = builder
  .objectRef<{ cpuRequest: string; memoryRequest: string; cpuLimit: string; memoryLimit: string }>('AgentResources')
  .implement({
    description: 'Resources of an agent, as Kubernetes quantities.',
    fields: (t) => ({
      cpuRequest: t.exposeString('cpuRequest', { description: 'Reserved CPU, such as `100m`.' }),
      memoryRequest: t.exposeString('memoryRequest', { description: 'Reserved memory, such as `256Mi`.' }),
      cpuLimit: t.exposeString('cpuLimit', { description: 'CPU limit.' }),
      memoryLimit: t.exposeString('memoryLimit', { description: 'Memory limit.' }),
    }),
  });

const SuspensionEnum = builder.enumType('AgentSuspension', {
  description: 'Reason of the suspension of an agent.',
  values: {
    IDLE: { description: 'It was idle for `idleAfterSeconds`; `agentWake` starts it again.' },
    OWNER: { description: 'Its owner suspended it; `agentResume` starts it again.' },
  } as const,
});

const Cost = builder.objectRef<AgentCost>('AgentCost').implement({
  description: 'Requested resources of an agent over the time in which it was deployed and not suspended.',
  fields: (t) => ({
    cpuHours: t.exposeFloat('cpuHours', { description: 'Requested cores times hours.' }),
    memoryGibHours: t.exposeFloat('memoryGibHours', { description: 'Requested GiB of memory times hours.' }),
    since: t.expose('since', optionalTime('Time of the first deployment; null for an agent that was never deployed.')),
  }),
});

export const Agent = builder.prismaNode('Agent', {
  description: 'A containerized agent.',
  ...ownRow(({ caller, services }) => services.agents.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    name: t.exposeString('name', { description: 'DNS label, unique among the live agents of the profile.' }),
    dnsName: t.exposeString('dnsName', { description: 'Host name of the agent.' }),
    description: t.exposeString('description', optional('Purpose of the object.')),
    state: t.field(enumColumn('state', { type: AgentStateEnum, description: 'State in the life cycle.' })),
    image: t.exposeString('image', { description: 'Container image.' }),
    resources: t.field({
      type: Resources,
      description: 'Requested resources and limits.',
      select: { cpuRequest: true, memoryRequest: true, cpuLimit: true, memoryLimit: true },
      resolve: (agent) => agent,
    }),
    isSuspended: t.boolean({
      description: 'Whether the agent is scaled to zero.',
      select: { replicas: true },
      resolve: ({ replicas }) => replicas === 0,
    }),
    suspendedFor: t.field(
      enumColumn('suspendedFor', {
        type: SuspensionEnum,
        nullable: true,
        description: 'Reason of the suspension; null for an agent that is not suspended.',
      }),
    ),
    idleAfterSeconds: t.exposeInt(
      'idleAfterSeconds',
      optional('Seconds without activity after which the agent is suspended; null for never.'),
    ),
    cost: t.field({
      type: Cost,
      description: 'The resources that were reserved for the agent so far.',
      resolve: ({ uuid }, _args, context, info) => agentLoaders(context, info).cost.load(uuid),
    }),
    orchestratorNamespace: t.exposeString('orchestratorNamespace', { description: 'Namespace at the orchestrator.' }),
    orchestratorDeployment: t.exposeString('orchestratorDeployment', {
      description: 'Deployment at the orchestrator.',
    }),
    lastError: t.exposeString(
      'lastError',
      optional('Reason of the latest failed deployment; null after a successful one.'),
    ),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    provisionedAt: t.expose('provisionedAt', optionalTime('Time of the first successful deployment.')),
    activatedAt: t.expose('activatedAt', optionalTime('Time of the first heartbeat after the deployment.')),
    drainUntil: t.expose('drainUntil', optionalTime('Time at which a draining agent is terminated.')),
    terminatedAt: t.expose('terminatedAt', optionalTime('Time at which the agent ended.')),
    lastHeartbeatAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the latest heartbeat.',
      resolve: async ({ uuid }, _args, context, info) =>
        (await agentLoaders(context, info).liveness.load(uuid)).lastHeartbeatAt,
    }),
    heartbeatMode: t.field({
      type: HeartbeatModeEnum,
      description: 'Mode of the latest heartbeat; IDLE before the first.',
      resolve: async ({ uuid }, _args, context, info) => (await agentLoaders(context, info).liveness.load(uuid)).mode,
    }),
    health: t.field({
      type: AgentHealth,
      description: 'Whether heartbeats arrive in time.',
      resolve: async ({ uuid }, _args, context, info) => (await agentLoaders(context, info).liveness.load(uuid)).health,
    }),
    unhealthySince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the missing heartbeat was due; null for a healthy agent.',
      resolve: async ({ uuid }, _args, context, info) =>
        (await agentLoaders(context, info).liveness.load(uuid)).unhealthySince,
    }),
    orchestratorStatus: t.field({
      type: Status,
      nullable: true,
      description:
        'Status of the deployment; null if the agent is not deployed, and while the orchestrator cannot be reached.',
      resolve: ({ uuid }, _args, context, info) => agentLoaders(context, info).status.load(uuid),
    }),
  }),
});
