import DataLoader from 'dataloader';
import { perExecution } from '../loader.ts';

/** Whether there is an MCP server; all that an answer asks for go in one statement. */
export const serverExistsLoader = perExecution(
  ({ caller, services }) =>
    new DataLoader(
      async (uuids: readonly string[]) => {
        const found = await services.mcpServers.configurations.findAll(caller, uuids, { select: { uuid: true } });
        const known = new Set(found.map(({ uuid }) => uuid));
        return uuids.map((uuid) => known.has(uuid));
      },
      { cache: false, maxBatchSize: 1_000 },
    ),
);
