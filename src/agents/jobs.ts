import type { Job } from '../platform/jobs.ts';
import type { Telemetry } from './telemetry.ts';

/** What of agents runs on a clock. */
export const agentJobs = ({ telemetry }: { readonly telemetry: Pick<Telemetry, 'partitions' | 'series'> }): Job[] => [
  { name: 'agents-make-partitions', cron: '7 */6 * * *', run: () => telemetry.partitions.make() },
  { name: 'agents-drop-partitions', cron: '37 * * * *', run: () => telemetry.partitions.drop() },
  { name: 'agents-add-up-metrics', cron: '* * * * *', run: () => telemetry.series.addUp() },
];
