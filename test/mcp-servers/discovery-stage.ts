import type { Caller } from '../../src/platform/caller.ts';
import { initialized, type McpAnswers, startMcpHost } from '../support/mcp-host.ts';
import { keyOf, signUp, type TestServices } from '../support/services.ts';
import { startStopwatch } from '../support/stopwatch.ts';

/** What tests of discoveries do over and over. */
export function discoveryStage({ services, database }: Pick<TestServices, 'services' | 'database'>) {
  const { configurations, discoveries, capabilities } = services.mcpServers;

  /** A new user's key that may write. */
  const owner = async () => (await keyOf(services, await signUp(services))).caller;

  async function added(caller: Caller, url: string, over: Record<string, unknown> = {}): Promise<string> {
    return (await configurations.create(caller, { name: 'asked', transport: 'http', url, ...over })).uuid;
  }

  const namesOf = async (caller: Caller, serverUuid: string) => {
    const kinds = (['tool', 'resource', 'resource_template', 'prompt'] as const).map((kind) => ({ serverUuid, kind }));
    return (await capabilities.of(caller, kinds)).offers.map((list) => list.map(({ name }) => name));
  };

  const statusOf = async (caller: Caller, uuid: string) => (await configurations.find(caller, uuid)).discoveryStatus;

  /** The jobs of a server that stand in the queue, the oldest first. */
  const jobsOf = async (serverUuid: string) => {
    const rows = await database.query<{ data: { serverUuid: string; jobUuid: string } }>({
      text: `SELECT data FROM pgboss.job WHERE name = 'discoveries' AND data->>'serverUuid' = $1 ORDER BY created_on, id`,
      values: [serverUuid],
    });
    return rows.map(({ data }) => data);
  };

  /** Asks a server as a worker would, by the job that is marked on it; by a new one where none waits. */
  async function asked(caller: Caller, serverUuid: string): Promise<void> {
    await discoveries.request(caller, serverUuid);
    const [row] = await database.query<{ discovery_job: string }>({
      text: 'SELECT discovery_job FROM mcp_servers WHERE uuid = $1',
      values: [serverUuid],
    });
    await discoveries.worker.handle([{ serverUuid, jobUuid: row?.discovery_job }]);
  }

  /** Asks a server of streamable HTTP, and tells what came of it. */
  async function discovered(answers: McpAnswers, over: Record<string, unknown> = {}) {
    const caller = await owner();
    const host = await startMcpHost({ initialize: initialized, ...answers });
    const uuid = await added(caller, host.url, over);
    const begun = performance.now();
    const elapsedMs = startStopwatch();
    await asked(caller, uuid);
    const waitedMs = performance.now() - begun;
    const ms = elapsedMs();
    const server = await configurations.find(caller, uuid);
    return { caller, host, uuid, ms, waitedMs, server, names: await namesOf(caller, uuid) };
  }

  return { owner, added, namesOf, statusOf, jobsOf, asked, discovered };
}
