import type { ProjectQuota, QuotaState } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { optional } from '../optional.ts';
import { query } from '../query.ts';

const State = builder.objectRef<QuotaState>('AgentQuotaState').implement({
  description: 'Use of a quota.',
  fields: (t) => ({
    used: t.exposeFloat('used', { description: 'Amount that is used.' }),
    limit: t.exposeFloat('limit', optional('Amount that is allowed; null for no limit.')),
  }),
});

const Quota = builder.objectRef<ProjectQuota>('AgentQuota').implement({
  description: 'Quotas of the live agents of a project, over all its profiles.',
  fields: (t) => ({
    cpu: t.expose('cpu', { type: State, description: 'CPU limits of the agents that are not suspended, in cores.' }),
    memory: t.expose('memory', {
      type: State,
      description: 'Memory limits of the agents that are not suspended, in GiB.',
    }),
    agents: t.expose('agents', { type: State, description: 'Number of live agents, with the suspended ones.' }),
  }),
});

query('agentQuota', {
  type: Quota,
  description: 'Use of the quotas of your project.',
  extensions: { rateLimit: 'agents' },
  resolve: (_root, _args, { caller, services }) => services.agents.quotas.ofProject(caller),
});
