import type { GraphQLResolveInfo } from 'graphql';
import type { OrchestratorOutcome } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { rowQuery } from '../connection.ts';
import type { Context } from '../context.ts';
import { mutation } from '../mutation.ts';
import { Agent } from './agent.ts';

type AgentRow = typeof Agent.$inferType;

/** The selection of the agent in the payload. */
const agentQuery = (context: Context, info: GraphQLResolveInfo) => rowQuery(context, info, 'Agent', 'agent');

const Outcome = builder
  .objectRef<OrchestratorOutcome & { deploymentName?: string }>('AgentOrchestratorOutcome')
  .implement({
    description: 'Outcome of a request at the orchestrator.',
    fields: (t) => ({
      success: t.exposeBoolean('success', {
        description: 'Whether the request succeeded. A failed request is tried again.',
      }),
      message: t.exposeString('message', { description: 'Outcome in a sentence.' }),
    }),
  });

const Deployment = builder
  .objectRef<OrchestratorOutcome & { deploymentName: string }>('AgentDeploymentOutcome')
  .implement({
    description: 'Outcome of the deployment of a new agent.',
    fields: (t) => ({
      success: t.exposeBoolean('success', {
        description: 'Whether the orchestrator accepted the deployment. A failed one is tried again.',
      }),
      message: t.exposeString('message', { description: 'Outcome in a sentence.' }),
      deploymentName: t.exposeString('deploymentName', { description: 'Name of the deployment.' }),
    }),
  });

const ResourcesInput = builder.inputType('AgentResourcesInput', {
  description: 'Resources of an agent, as Kubernetes quantities. A request must not exceed its limit.',
  fields: (t) => ({
    cpuRequest: t.string({ description: 'Reserved CPU; `100m` by default.' }),
    memoryRequest: t.string({ description: 'Reserved memory; `256Mi` by default.' }),
    cpuLimit: t.string({ description: 'CPU limit; `1000m` by default.' }),
    memoryLimit: t.string({ description: 'Memory limit; `1Gi` by default.' }),
  }),
});

/** The names of the service, which are those of REST. */
const resourcesOf = (
  given:
    | {
        cpuRequest?: string | null;
        memoryRequest?: string | null;
        cpuLimit?: string | null;
        memoryLimit?: string | null;
      }
    | null
    | undefined,
) =>
  given && {
    cpu_request: given.cpuRequest,
    memory_request: given.memoryRequest,
    cpu_limit: given.cpuLimit,
    memory_limit: given.memoryLimit,
  };

mutation('agentCreate', {
  description: 'Creates an agent and deploys it. A profile has at most 100 live agents.',
  rateLimit: 'agents',
  input: {
    description: 'An agent.',
    argument: 'The agent.',
    fields: (t) => ({
      name: t.string({
        required: true,
        description: 'DNS label of at most 63 characters: lowercase letters, digits and hyphens.',
      }),
      description: t.string({ description: 'Purpose of the agent, at most 2 000 characters.' }),
      image: t.string({ description: 'Container image.' }),
      resources: t.field({ type: ResourcesInput, description: 'Requested resources and limits.' }),
      idleAfterSeconds: t.int({
        description: 'Seconds without activity after which it is suspended: 60 to 2 592 000; never by default.',
      }),
    }),
  },
  payload: {
    agent: { type: Agent, description: 'The agent as it was created.' },
    deployment: { type: Deployment, description: 'Outcome of its deployment.' },
  },
  resolve: async ({ resources, idleAfterSeconds, ...input }, context, info) => {
    const created = await context.services.agents.create(
      context.caller,
      { ...input, resources: resourcesOf(resources), idle_after_seconds: idleAfterSeconds },
      agentQuery(context, info),
    );
    return created as typeof created & { agent: AgentRow };
  },
});

const Selection = builder.inputType('AgentSelection', {
  description: 'An agent of your profile.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

mutation('agentDelete', {
  description:
    'Deletes an agent: an active one drains for some seconds, then its deployment is removed. The record is kept.',
  rateLimit: 'agents',
  input: { type: Selection, description: 'Selects the agent.' },
  payload: {
    agent: { type: Agent, description: 'The agent. Its record is kept.' },
    orchestrator: {
      type: Outcome,
      description: 'Whether all its Kubernetes objects or processes are removed. The remaining ones are removed later.',
    },
  },
  resolve: async ({ uuid }, context, info) => {
    const removed = await context.services.agents.remove(context.caller, uuid, agentQuery(context, info));
    return removed as typeof removed & { agent: AgentRow };
  },
});

const changedAgent = { agent: { type: Agent, description: 'The agent after the operation.' } } as const;

/** The agent after a change, which has returned its uuid. */
const changed = async (context: Context, info: GraphQLResolveInfo, uuid: string) => ({
  agent: (await context.services.agents.findChanged(context.caller, uuid, agentQuery(context, info))) as AgentRow,
});

const simpleChanges = {
  agentSuspend: ['suspend', 'Scales an agent to zero. It sends no heartbeats meanwhile, and is not unhealthy.'],
  agentResume: ['resume', 'Starts a suspended agent again.'],
  agentWake: [
    'wake',
    'Starts an agent that was suspended because it was idle. For a running agent it restarts the idle time.',
  ],
  agentRestart: ['restart', 'Replaces the pods of an agent; the old ones run until the new ones are ready.'],
} as const;

for (const [name, [verb, description]] of Object.entries(simpleChanges))
  mutation(name, {
    description,
    rateLimit: 'agents',
    input: { type: Selection, description: 'Selects the agent.' },
    payload: changedAgent,
    resolve: async ({ uuid }, context, info) =>
      changed(context, info, await context.services.agents.changes[verb](context.caller, uuid)),
  });

const IdleInput = builder.inputType('AgentIdleInput', {
  description: 'An agent, and when it is suspended automatically.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the agent.' }),
    idleAfterSeconds: t.int({
      description: 'Seconds without activity after which it is suspended: 60 to 2 592 000; null for never.',
    }),
  }),
});

mutation('agentSetIdle', {
  description: 'Sets the time without activity after which an agent is suspended.',
  rateLimit: 'agents',
  input: { type: IdleInput, description: 'The agent and its idle time.' },
  payload: changedAgent,
  resolve: async ({ uuid, idleAfterSeconds }, context, info) =>
    changed(
      context,
      info,
      await context.services.agents.changes.setIdleAfter(context.caller, uuid, {
        idle_after_seconds: idleAfterSeconds ?? null,
      }),
    ),
});

mutation('agentRedeploy', {
  description: 'Deploys an agent again with another image or other resources.',
  rateLimit: 'agents',
  input: {
    description: 'The next deployment of an agent. Fields that are left out stay as they are.',
    argument: 'The changes.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the agent.' }),
      image: t.string({ description: 'Container image.' }),
      resources: t.field({ type: ResourcesInput, description: 'Requested resources and limits.' }),
    }),
  },
  payload: changedAgent,
  resolve: async ({ uuid, image, resources }, context, info) => {
    const change = { image, resources: resourcesOf(resources) };
    return changed(context, info, await context.services.agents.changes.redeploy(context.caller, uuid, change));
  },
});

mutation('agentDrain', {
  description: 'Ends an active agent after a grace period in which it gets no new requests.',
  rateLimit: 'agents',
  input: {
    description: 'An agent, and how long it drains.',
    argument: 'The agent and its grace period.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the agent.' }),
      graceSeconds: t.int({ description: 'Seconds until it is terminated: 0 to 3600, 30 by default.' }),
    }),
  },
  payload: changedAgent,
  resolve: async ({ uuid, graceSeconds }, context, info) =>
    changed(
      context,
      info,
      await context.services.agents.changes.drain(context.caller, uuid, { grace_seconds: graceSeconds }),
    ),
});

mutation('agentKill', {
  description: 'Ends an agent of any profile at once. For administrators of the platform.',
  rateLimit: 'general',
  input: { type: Selection, description: 'Selects the agent.' },
  payload: { uuid: { type: 'UUID', description: 'UUID of the killed agent.' } },
  resolve: async ({ uuid }, { caller, services }) => ({
    uuid: await services.agents.kill(caller, uuid),
  }),
});
