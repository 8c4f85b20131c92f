import type { AgentPage } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowQuery, rowsQuery } from '../connection.ts';
import { Agent, AgentStateEnum } from './agent.ts';

const AgentConnection = connectionType('Agent', Agent, 'A page of agents, the newest first.');

builder.queryField('agents', (t) =>
  t.field({
    type: AgentConnection,
    description: 'The agents of your profile, the newest first, with those that have ended.',
    args: { ...connectionArgs(), state: t.arg({ type: AgentStateEnum, description: 'Only agents in this state.' }) },
    extensions: { rateLimit: 'agents' },
    resolve: async (_root, args, context, info) => {
      const { caller, services } = context;
      const query = rowsQuery(context, info, 'Agent');
      return {
        ...(await services.agents.connection(caller, args, query)),
        count: () => services.agents.count(caller, args),
      };
    },
  }),
);

const AgentPageRef = builder.objectRef<AgentPage>('AgentPage').implement({
  description: 'A page by offset.',
  fields: (t) => ({
    agents: t.field({
      type: [Agent],
      description: 'The agents of this page.',
      resolve: ({ agents }) => agents as never,
    }),
    total: t.exposeInt('total', { description: 'Number of objects on all pages.' }),
  }),
});

builder.queryField('agentPage', (t) =>
  t.field({
    type: AgentPageRef,
    description: 'The agents of your profile by offset, as GET /api/agents lists them.',
    args: {
      limit: t.arg.int({ defaultValue: 1000, description: '1 to 1000.' }),
      offset: t.arg.int({ description: 'Number of objects to skip; 0 by default.' }),
    },
    extensions: { rateLimit: 'agents' },
    resolve: (_root, args, context, info) =>
      context.services.agents.page(context.caller, args, rowQuery(context, info, 'Agent', 'agents')),
  }),
);

builder.queryField('agent', (t) =>
  t.field({
    type: Agent,
    description: 'An agent of your profile.',
    args: { uuid: t.arg.string({ required: true, description: 'UUID of the object.' }) },
    extensions: { rateLimit: 'agents' },
    resolve: (_root, { uuid }, context, info) =>
      context.services.agents.find(context.caller, uuid, rowQuery(context, info, 'Agent')) as never,
  }),
);
