import DataLoader from 'dataloader';
import type { Services } from '../context.ts';
import { perList } from '../loader.ts';

type Places = Parameters<Services['collections']['servers']['places']>;
type Shape = Parameters<Services['mcpServers']['configurations']['findAll']>[2];

/** The pages, counts and servers that all collections of one list ask for. A server is null if it was removed or hidden since. */
export const collectionServerLoaders = perList(
  ({ caller, services }, _info, input: Places[2], isWhole: boolean, query: Shape) => {
    const { servers } = services.collections;
    return {
      pages: new DataLoader((uuids: readonly string[]) => servers.places(caller, uuids, input, isWhole)),
      counts: new DataLoader((uuids: readonly string[]) => servers.counts(caller, uuids)),
      servers: new DataLoader(async (uuids: readonly string[]) => {
        const found = await services.mcpServers.configurations.findAll(caller, uuids, query);
        const byUuid = new Map(found.map((server) => [server.uuid, server]));
        return uuids.map((uuid) => byUuid.get(uuid) ?? null);
      }),
    };
  },
);
