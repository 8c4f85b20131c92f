import { createDiscoveryRequests, type DiscoveryRequestDependencies } from './discovery-requests.ts';
import { createDiscoveryRuns, type DiscoveryRunDependencies } from './discovery-runs.ts';
import { createDiscoveryStore } from './discovery-store.ts';

export type DiscoveryDependencies = DiscoveryRequestDependencies & Omit<DiscoveryRunDependencies, 'store'>;

export type Discoveries = ReturnType<typeof createDiscoveries>;

/** Discovers the capabilities of servers: requests fill the queue, runs empty it, and the store keeps the results. */
export function createDiscoveries(deps: DiscoveryDependencies) {
  const { report, store } = createDiscoveryStore(deps);
  return { ...createDiscoveryRequests(deps), ...createDiscoveryRuns({ ...deps, store }), report };
}
