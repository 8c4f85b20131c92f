import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { OrchestratorOutcome } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { rowColumns } from '../connection.ts';
import type { Context } from '../context.ts';
import { Agent } from './agent.ts';

type AgentRow = typeof Agent.$inferType;

/** What of the agent the payload is asked for. */
const agentQuery = (context: Context, info: GraphQLResolveInfo) =>
  queryFromInfo({ context, info, typeName: 'Agent', path: ['agent'], select: rowColumns });

const Outcome = builder
  .objectRef<OrchestratorOutcome & { deploymentName?: string }>('AgentOrchestratorOutcome')
  .implement({
    description: 'Outcome of a request at the orchestrator.',
    fields: (t) => ({
      success: t.exposeBoolean('success', { description: 'Whether it succeeded so far. What did not is tried again.' }),
      message: t.exposeString('message', { description: 'Outcome in a sentence.' }),
    }),
  });

const Deployment = builder
  .objectRef<OrchestratorOutcome & { deploymentName: string }>('AgentDeploymentOutcome')
  .implement({
    description: 'Outcome of the deployment of a new agent.',
    fields: (t) => ({
      success: t.exposeBoolean('success', {
        description: 'Whether the orchestrator accepted it. What failed is tried again.',
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
    cpuLimit: t.string({ description: 'Maximum of CPU; `1000m` by default.' }),
    memoryLimit: t.string({ description: 'Maximum of memory; `1Gi` by default.' }),
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

const CreateInput = builder.inputType('AgentCreateInput', {
  description: 'An agent.',
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
});

const CreatePayload = builder
  .objectRef<{ agent: AgentRow; deployment: OrchestratorOutcome & { deploymentName: string } }>('AgentCreatePayload')
  .implement({
    description: 'Result of `agentCreate`.',
    fields: (t) => ({
      agent: t.field({ type: Agent, description: 'The agent as it was created.', resolve: ({ agent }) => agent }),
      deployment: t.field({
        type: Deployment,
        description: 'Outcome of its deployment.',
        resolve: ({ deployment }) => deployment,
      }),
    }),
  });

builder.mutationField('agentCreate', (t) =>
  t.field({
    type: CreatePayload,
    description: 'Creates an agent and deploys it. A profile has at most 100 live agents.',
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The agent.' }) },
    extensions: { rateLimit: 'agents' },
    resolve: async (_root, { input: { resources, idleAfterSeconds, ...input } }, context, info) => {
      const created = await context.services.agents.create(
        context.caller,
        { ...input, resources: resourcesOf(resources), idle_after_seconds: idleAfterSeconds },
        agentQuery(context, info),
      );
      return created as typeof created & { agent: AgentRow };
    },
  }),
);

const Selection = builder.inputType('AgentSelection', {
  description: 'An agent of your profile.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the object.' }) }),
});

const DeletePayload = builder
  .objectRef<{ agent: AgentRow; orchestrator: OrchestratorOutcome }>('AgentDeletePayload')
  .implement({
    description: 'Result of `agentDelete`.',
    fields: (t) => ({
      agent: t.field({ type: Agent, description: 'The agent, whose record is kept.', resolve: ({ agent }) => agent }),
      orchestrator: t.field({
        type: Outcome,
        description: 'Whether everything that ran of it is gone. What is not is removed later.',
        resolve: ({ orchestrator }) => orchestrator,
      }),
    }),
  });

builder.mutationField('agentDelete', (t) =>
  t.field({
    type: DeletePayload,
    description:
      'Ends an agent: an active one gets no new requests for some seconds, then everything that runs of it is removed. The record is kept.',
    args: { input: t.arg({ type: Selection, required: true, description: 'Selects the agent.' }) },
    extensions: { rateLimit: 'agents' },
    resolve: async (_root, { input: { uuid } }, context, info) => {
      const removed = await context.services.agents.remove(context.caller, uuid, agentQuery(context, info));
      return removed as typeof removed & { agent: AgentRow };
    },
  }),
);

const changePayload = (mutation: string) =>
  builder.objectRef<{ agent: AgentRow }>(`${mutation[0]?.toUpperCase()}${mutation.slice(1)}Payload`).implement({
    description: `Result of \`${mutation}\`.`,
    fields: (t) => ({
      agent: t.field({ type: Agent, description: 'The agent after the operation.', resolve: ({ agent }) => agent }),
    }),
  });

/** The agent after a change, which has returned its uuid. */
const changed = async (context: Context, info: GraphQLResolveInfo, uuid: string) => ({
  agent: (await context.services.agents.findChanged(context.caller, uuid, agentQuery(context, info))) as AgentRow,
});

const simpleChanges = {
  agentSuspend: ['suspend', 'Scales an agent to zero. It sends no heartbeats meanwhile, and is not unhealthy.'],
  agentResume: ['resume', 'Starts a suspended agent again.'],
  agentWake: [
    'wake',
    'Starts an agent again that was suspended because nothing asked for it. Of an agent that runs, it puts off the suspension.',
  ],
  agentRestart: ['restart', 'Replaces the pods of an agent; the old ones run until the new ones are ready.'],
} as const;

for (const [name, [verb, description]] of Object.entries(simpleChanges)) {
  const payload = changePayload(name);
  builder.mutationField(name, (t) =>
    t.field({
      type: payload,
      description,
      args: { input: t.arg({ type: Selection, required: true, description: 'Selects the agent.' }) },
      extensions: { rateLimit: 'agents' },
      resolve: async (_root, { input: { uuid } }, context, info) =>
        changed(context, info, await context.services.agents.changes[verb](context.caller, uuid)),
    }),
  );
}

const IdleInput = builder.inputType('AgentIdleInput', {
  description: 'An agent, and when it is suspended by itself.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the agent.' }),
    idleAfterSeconds: t.int({
      description: 'Seconds without activity after which it is suspended: 60 to 2 592 000; null for never.',
    }),
  }),
});

const IdlePayload = changePayload('agentSetIdle');

builder.mutationField('agentSetIdle', (t) =>
  t.field({
    type: IdlePayload,
    description: 'Sets after how long without activity an agent is suspended.',
    args: { input: t.arg({ type: IdleInput, required: true, description: 'The agent and its time.' }) },
    extensions: { rateLimit: 'agents' },
    resolve: async (_root, { input: { uuid, idleAfterSeconds } }, context, info) =>
      changed(
        context,
        info,
        await context.services.agents.changes.setIdleAfter(context.caller, uuid, {
          idle_after_seconds: idleAfterSeconds ?? null,
        }),
      ),
  }),
);

const RedeployInput = builder.inputType('AgentRedeployInput', {
  description: 'The next deployment of an agent. Fields that are left out stay as they are.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the agent.' }),
    image: t.string({ description: 'Container image.' }),
    resources: t.field({ type: ResourcesInput, description: 'Requested resources and limits.' }),
  }),
});

const RedeployPayload = changePayload('agentRedeploy');

builder.mutationField('agentRedeploy', (t) =>
  t.field({
    type: RedeployPayload,
    description: 'Deploys an agent again with another image or other resources.',
    args: { input: t.arg({ type: RedeployInput, required: true, description: 'The changes.' }) },
    extensions: { rateLimit: 'agents' },
    resolve: async (_root, { input: { uuid, image, resources } }, context, info) => {
      const change = { image, resources: resourcesOf(resources) };
      return changed(context, info, await context.services.agents.changes.redeploy(context.caller, uuid, change));
    },
  }),
);

const DrainInput = builder.inputType('AgentDrainInput', {
  description: 'An agent, and how long it drains.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the agent.' }),
    graceSeconds: t.int({ description: 'Seconds until it is terminated: 0 to 3600, 30 by default.' }),
  }),
});

const DrainPayload = changePayload('agentDrain');

builder.mutationField('agentDrain', (t) =>
  t.field({
    type: DrainPayload,
    description: 'Ends an active agent after a grace period in which it gets no new requests.',
    args: { input: t.arg({ type: DrainInput, required: true, description: 'The agent and its grace period.' }) },
    extensions: { rateLimit: 'agents' },
    resolve: async (_root, { input: { uuid, graceSeconds } }, context, info) =>
      changed(
        context,
        info,
        await context.services.agents.changes.drain(context.caller, uuid, { grace_seconds: graceSeconds }),
      ),
  }),
);

const KillPayload = builder.objectRef<{ uuid: string }>('AgentKillPayload').implement({
  description: 'Result of `agentKill`.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the killed agent.' }) }),
});

builder.mutationField('agentKill', (t) =>
  t.field({
    type: KillPayload,
    description: 'Ends an agent of any profile at once. For administrators of the platform.',
    args: { input: t.arg({ type: Selection, required: true, description: 'Selects the agent.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid } }, { caller, services }) => ({
      uuid: await services.agents.kill(caller, uuid),
    }),
  }),
);
