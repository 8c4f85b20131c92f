import DataLoader from 'dataloader';
import type { Services } from '../context.ts';
import { perList } from '../loader.ts';

type Connections = Parameters<Services['webhooks']['deliveries']['connections']>;

/** The pages and counts of deliveries that all webhooks of one list ask for. */
export const deliveryLoaders = perList(({ caller, services }, _info, input: Connections[2], query: Connections[3]) => {
  const { deliveries } = services.webhooks;
  return {
    pages: new DataLoader((uuids: readonly string[]) => deliveries.connections(caller, uuids, input, query)),
    counts: new DataLoader((uuids: readonly string[]) => deliveries.counts(caller, uuids, input)),
  };
});
