import DataLoader from 'dataloader';
import type { CapabilityKind } from '../../src/mcp-servers/index.ts';
import { perExecution } from '../loader.ts';
import { readForResponse } from '../response-budget.ts';

interface Asked {
  readonly serverUuid: string;
  readonly kind: CapabilityKind;
}

/**
 * What all servers of a response are asked at once, in one statement each. What they offer is at most 32 MB in a response, however many
 * lists of servers it has.
 */
export const serverLoaders = perExecution(({ caller, services }, info) => {
  const { capabilities, usage } = services.mcpServers;
  const bytesOf = ({ bytes }: { bytes: number }) => bytes;
  return {
    capabilities: new DataLoader(
      async (asked: readonly Asked[]) =>
        (await readForResponse(info, { bytesOf }, (bytesMax) => capabilities.of(caller, asked, bytesMax))).offers,
      { cache: false },
    ),
    stats: new DataLoader((uuids: readonly string[]) => usage.statsOfAll(caller, uuids), { cache: false }),
  };
});
