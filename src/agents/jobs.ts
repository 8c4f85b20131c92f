import type { Job } from '../platform/messaging/jobs.ts';
import type { AgentArea } from './area.ts';

/** The scheduled jobs of agents. */
export const agentJobs = ({ upkeep }: Pick<AgentArea, 'upkeep'>): Job[] => [
  { name: 'agents-make-partitions', cron: '7 */6 * * *', run: () => upkeep.makePartitions() },
  { name: 'agents-drop-partitions', cron: '37 * * * *', run: () => upkeep.dropPartitions() },
  { name: 'agents-add-up-metrics', cron: '* * * * *', run: () => upkeep.addUpSeries() },
  { name: 'agents-purge-usage', cron: '23 3 * * *', run: () => upkeep.purgeUsage() },
];
