import { type AgentEventRecord, type AgentEventType, agentEventTypes } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { Agent, AgentStateEnum } from './agent.ts';
import { recordLoaders } from './loaders.ts';

const descriptions: Record<AgentEventType, string> = {
  CREATED: 'The agent was created.',
  PROVISIONED: 'The orchestrator has accepted its deployment.',
  ACTIVATED: 'Its first heartbeat has arrived.',
  DRAINING: 'The agent is draining: it gets no new requests.',
  TERMINATED: 'It has ended.',
  KILLED: 'An administrator has ended it.',
  ERROR: 'Its deployment failed; `metadata.reason` and `metadata.message` say why.',
  AGENT_UNHEALTHY: 'A heartbeat is late; `metadata.error_code` is 480.',
  AGENT_RECOVERED: 'A heartbeat has arrived after it was late.',
  SUSPENDED: 'It was scaled to zero.',
  RESUMED: 'It was started again after it was suspended.',
  RESTARTED: 'Its pods are replaced.',
  REDEPLOYED: 'It is deployed again with another image or other resources.',
};

const EventType = builder.enumType('AgentEventType', {
  description: 'Type of a lifecycle event.',
  values: Object.fromEntries(agentEventTypes.map((type) => [type, { description: descriptions[type] }])) as Record<
    AgentEventType,
    { description: string }
  >,
});

export const AgentEvent = builder.objectRef<AgentEventRecord>('AgentLifecycleEvent').implement({
  description: 'Something that happened in the life of an agent.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id; within a profile later events have larger ones. For `sinceId`.' }),
    agentUuid: t.expose('agentUuid', { type: 'UUID', description: 'UUID of the agent.' }),
    eventType: t.expose('eventType', { type: EventType, description: 'Type of the event.' }),
    fromState: t.expose('fromState', { type: AgentStateEnum, description: 'State before the event.' }),
    toState: t.expose('toState', { type: AgentStateEnum, description: 'State after the event.' }),
    metadata: t.expose('metadata', {
      type: 'JSONObject',
      description: '`triggered_by` (`user`, `system` or `control_plane`), and facts of the event.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'Time of the event.' }),
  }),
});

builder.prismaObjectField(Agent, 'lifecycleEvents', (t) =>
  t.field({
    type: [AgentEvent],
    description: 'The latest events of the agent, the newest first.',
    args: { first: t.arg.int({ description: 'Number of events: at most 10 000, 20 by default.' }) },
    resolve: ({ uuid }, { first }, context, info) => recordLoaders(context, info, first ?? 20).events.load(uuid),
  }),
);

builder.subscriptionField('agentLifecycle', (t) =>
  t.field({
    type: AgentEvent,
    description: 'The lifecycle events of the agents of your profile, in order and each exactly once.',
    args: {
      agentUuid: t.arg.string({ description: 'Only events of this agent.' }),
      sinceId: t.arg.string({
        description:
          'Id of the last event that you have: events after it are sent first. Left out, only new events are sent.',
      }),
    },
    extensions: { rateLimit: 'agents' },
    subscribe: (_root, args, { caller, services }) => services.agents.events.follow(caller, args),
    resolve: (event) => event,
  }),
);
