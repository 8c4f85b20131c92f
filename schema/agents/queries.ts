import { connectionArgs, connectionType, listed, pageArgs, pageType, rowQuery } from '../connection.ts';
import { query } from '../query.ts';
import { Agent, AgentStateEnum } from './agent.ts';

const AgentConnection = connectionType('Agent', Agent, 'A page of agents, the newest first.');

query('agents', {
  type: AgentConnection,
  description: 'The agents of your profile, the newest first, with those that have ended.',
  args: (arg) => ({
    ...connectionArgs(),
    state: arg({ type: AgentStateEnum, description: 'Only agents in this state.' }),
  }),
  extensions: { rateLimit: 'agents' },
  resolve: (_root, args, context, info) => listed(context.services.agents, 'Agent', args, context, info),
});

const AgentPageRef = pageType('AgentPage', 'agents', Agent, 'The agents of this page.');

query('agentPage', {
  type: AgentPageRef,
  description: 'The agents of your profile by offset, as GET /api/agents lists them.',
  args: () => pageArgs('1 to 1000.', 1000),
  extensions: { rateLimit: 'agents' },
  resolve: (_root, args, context, info) =>
    context.services.agents.page(context.caller, args, rowQuery(context, info, 'Agent', 'agents')),
});

query('agent', {
  type: Agent,
  description: 'An agent of your profile.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the object.' }) }),
  extensions: { rateLimit: 'agents' },
  resolve: (_root, { uuid }, context, info) =>
    context.services.agents.find(context.caller, uuid, rowQuery(context, info, 'Agent')) as never,
});
