import type { Caller } from '../../../src/platform/caller.ts';
import type { TestServer } from '../server.ts';

/** Runs a discovery of a server, or the one that is queued. @returns Its status. */
export async function discover({ database, services }: TestServer, user: Caller, serverUuid: string): Promise<string> {
  const rowOf = () => database.prisma.mcpServer.findUniqueOrThrow({ where: { uuid: serverUuid } });
  const { discoveries } = services.mcpServers;
  if ((await rowOf()).discoveryStatus !== 'queued') await discoveries.request(user, serverUuid);
  const { discoveryJob: jobUuid } = await rowOf();
  await discoveries.worker.handle([{ serverUuid, jobUuid }]);
  return (await rowOf()).discoveryStatus;
}
