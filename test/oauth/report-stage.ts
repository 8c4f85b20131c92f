import { randomUUID } from 'node:crypto';
import type { HostRun } from '../../src/oauth/report/reports.ts';
import type { Caller } from '../../src/platform/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createProtectedStage, goodMetadata, type StageResponse } from '../support/authorization-stage.ts';
import type { TestServices } from '../support/services.ts';

const metadataPath = '/.well-known/oauth-authorization-server';
export const weekMs = 7 * 86_400_000;
/** A week and the hours over which runs are spread. */
export const surelyDueMs = weekMs + 12 * 3_600_000;

type Stand = Pick<TestServices, 'services' | 'database' | 'clock'>;

/** A protected MCP server that keeps all rules but one of medium weight, and what it answers next. */
export async function startChecked() {
  const stage = await createProtectedStage();
  const { origin, on } = stage;
  return {
    ...stage,
    /** From now on PKCE is advertised, or not. */
    advertisePkce: (is: boolean) =>
      on(metadataPath, { body: goodMetadata(origin, is ? {} : { code_challenge_methods_supported: undefined }) }),
    answer: (path: string, answer: StageResponse | null) => on(path, answer),
    /** First requests to MCP servers of the host, one for each check. */
    checks: () => stage.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/mcp')).length,
  };
}

/** Adds an MCP server. @returns Its uuid. */
export async function addServer(
  { services }: Pick<Stand, 'services'>,
  caller: Caller,
  url: string,
  { isPublic = true }: { isPublic?: boolean } = {},
): Promise<string> {
  const { configurations } = services.mcpServers;
  const { uuid } = await configurations.create(caller, {
    name: `Notes ${randomUUID().slice(0, 8)}`,
    transport: 'http',
    url,
  });
  if (isPublic) await configurations.setVisibility(caller, uuid, { isPublic });
  return uuid;
}

/** The runs that wait in the queue, taken out of it. */
export async function takeQueued(database: Database): Promise<HostRun[]> {
  const rows = await database.query<{ data: HostRun }>({
    text: "DELETE FROM pgboss.job WHERE name = 'authorization-reports' RETURNING data",
  });
  return rows.map(({ data }) => data);
}

/** One tick of the job, and all runs that it has queued. @returns The hosts. */
export async function tick({ services, database }: Pick<Stand, 'services' | 'database'>): Promise<string[]> {
  await services.oauth.reportRuns.runDue();
  return work({ services, database });
}

/** The runs that wait. @returns The hosts. */
export async function work({ services, database }: Pick<Stand, 'services' | 'database'>): Promise<string[]> {
  const runs = await takeQueued(database);
  await services.oauth.reportRuns.worker.handle(runs);
  return runs.map(({ origin }) => origin);
}
