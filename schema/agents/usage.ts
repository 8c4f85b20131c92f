import type { Usage, UsageOfDays } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { query } from '../query.ts';

const Day = builder.objectRef<Usage & { readonly day: string }>('AgentUsageDay').implement({
  description: 'Resources that were reserved for agents on one day.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day in UTC, such as `2026-03-01`.' }),
    cpuHours: t.exposeFloat('cpuHours', { description: 'Requested cores times hours.' }),
    memoryGibHours: t.exposeFloat('memoryGibHours', { description: 'Requested GiB of memory times hours.' }),
  }),
});

const UsageOfProfile = builder.objectRef<UsageOfDays>('AgentUsage').implement({
  description: 'Resources that were reserved for the agents of a profile.',
  fields: (t) => ({
    cpuHours: t.exposeFloat('cpuHours', { description: 'Requested cores times hours, of all days together.' }),
    memoryGibHours: t.exposeFloat('memoryGibHours', {
      description: 'Requested GiB of memory times hours, of all days together.',
    }),
    days: t.expose('days', {
      type: [Day],
      description: 'The days, the oldest first. Days on which no agent ran are left out.',
      extensions: { defaultLength: 93 },
    }),
  }),
});

query('agentUsage', {
  type: UsageOfProfile,
  description: 'The use of the agents of your profile, with those that have ended.',
  args: (arg) => ({
    from: arg({ type: 'DateTime', description: 'The beginning; 30 days before `to` by default.' }),
    to: arg({ type: 'DateTime', description: 'The end, at most 92 days after `from`; now by default.' }),
  }),
  extensions: { rateLimit: 'agents' },
  resolve: (_root, args, { caller, services }) => services.agents.usage.ofProfile(caller, args),
});
