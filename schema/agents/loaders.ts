import DataLoader from 'dataloader';
import { perExecution, perList } from '../loader.ts';

export const agentLoaders = perExecution(({ services: { agents } }) => ({
  status: new DataLoader((uuids: readonly string[]) => agents.statuses.of(uuids), { cache: false }),
  liveness: new DataLoader((uuids: readonly string[]) => agents.statuses.livenessOf(uuids), { cache: false }),
  cost: new DataLoader((uuids: readonly string[]) => agents.usage.costOf(uuids), { cache: false }),
}));

/** The latest records of each agent of a list. */
export const recordLoaders = perList(({ services: { agents } }, _info, first: number) => ({
  events: new DataLoader((uuids: readonly string[]) => agents.events.latest(uuids, { first }), { cache: false }),
  heartbeats: new DataLoader((uuids: readonly string[]) => agents.reports.latestHeartbeats(uuids, { first }), {
    cache: false,
  }),
  metrics: new DataLoader((uuids: readonly string[]) => agents.reports.latestMetrics(uuids, { first }), {
    cache: false,
  }),
}));
