import { onTestFinished } from 'vitest';
import type { EventPayloads } from '../../src/event-catalogue/index.ts';
import { createServices, type Infrastructure } from '../../src/main/services.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { type Call, startTestServer, type TestServer } from '../support/server.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { createScriptedOrchestrator, type ScriptedOrchestrator } from './scripted-orchestrator.ts';

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Of an agent that does not exist. */
export const nil = '00000000-0000-4000-8000-000000000000';

/** The product with a scripted orchestrator, and a reconciler that works until the file is over. */
export async function startAgentServer(
  options: Parameters<typeof startTestServer>[2] & {
    environment?: Record<string, string>;
    url?: string;
    /** With the orchestrator of an installation that runs no agents. */
    isOff?: boolean;
  } = {},
): Promise<TestServer & { scripted: ScriptedOrchestrator }> {
  const { environment = {}, url, isOff = false, ...rest } = options;
  const scripted = createScriptedOrchestrator();
  const settings = { AGENT_DRAIN_SECONDS: '0', ...environment };
  const server = await startTestServer(settings, url, {
    ...rest,
    ...(!isOff && { orchestrator: scripted.orchestrator }),
  });
  cleanUp(await server.services.agents.reconciler.start());
  return { ...server, scripted };
}

let agentsMade = 0;

/** The path of a new agent. */
export async function agentPathOf(call: Call): Promise<`/api/agents/${string}`> {
  const { body } = await call('POST', '/api/agents', { name: `agent-${++agentsMade}` });
  return `/api/agents/${body.agent.uuid}`;
}

/** All areas with a scripted orchestrator; nothing reconciles but what a test calls. A request waits for no deployment. */
export async function createAgentServices() {
  const base = await createTestServices();
  const scripted = createScriptedOrchestrator();
  const infrastructure: Infrastructure = {
    ...base.infrastructure,
    orchestrator: scripted.orchestrator,
    agents: { ...base.infrastructure.agents, drainSeconds: 0, settleMs: 0 },
  };
  const services = createServices(infrastructure);
  return { ...base, ...inspection(infrastructure), infrastructure, services, scripted };
}

/** The same with a tenant, for tests of the reconciler: what is due is due for the whole platform, so each test has a stage of its own. */
export async function reconcilerStage() {
  const stage = await createAgentServices();
  const owner = await ownerOf(stage);
  const { agents } = stage.services;
  return {
    ...stage,
    owner,
    agents,
    reconciler: agents.reconciler,
    async made(name = 'worker', of = owner) {
      const { agent } = await agents.create(of, { name });
      return { uuid: agent.uuid, deployment: agent.orchestratorDeployment };
    },
    /** Reconciles until the test is over, or until it is stopped. */
    async started(services = stage.services) {
      const stop = await services.agents.reconciler.start();
      onTestFinished(stop);
      return stop;
    },
  };
}

/** A new tenant with a key, as services know it. */
export async function ownerOf(
  { services }: Pick<Awaited<ReturnType<typeof createAgentServices>>, 'services'>,
  key: Parameters<typeof keyOf>[2] = {},
): Promise<Caller & { profileUuid: string }> {
  const { caller } = await keyOf(services, await signUp(services), key);
  if (caller.principal === null) throw new Error('a key has a principal');
  return { ...caller, profileUuid: caller.principal.profileUuid };
}

/** What tests read of the database. */
function inspection({ database }: Pick<Infrastructure, 'database'>) {
  return {
    /** Columns of an agent that no API shows. */
    async rowOf(uuid: string) {
      const [row] = await database.query<{
        state: string;
        deployment: string;
        applied_revision: number;
        revision: number;
        attempts: number;
        last_error: string | null;
        due_at: Date | null;
        holds_host: boolean;
        removed_at: Date | null;
        terminated_at: Date | null;
        drain_until: Date | null;
        status: unknown;
        credential: string;
      }>({
        text: `SELECT state, orchestrator_deployment AS deployment, applied_revision, revision, attempts, last_error, due_at, holds_host,
            removed_at, terminated_at, drain_until, status, credential FROM agents WHERE uuid = $1`,
        values: [uuid],
      });
      if (!row) throw new Error(`no agent ${uuid}`);
      return row;
    },
    /** Types of an agent's events, the oldest first. */
    async historyOf(uuid: string): Promise<string[]> {
      const rows = await database.query<{ event_type: string }>({
        text: 'SELECT event_type FROM agent_events WHERE agent_uuid = $1 ORDER BY id',
        values: [uuid],
      });
      return rows.map(({ event_type }) => event_type);
    },
    /** The webhook events about an agent, the oldest first. */
    outboxOf: (uuid: string) =>
      database.query<{ type: string; profile_uuid: string; data: EventPayloads['agent.created'] }>({
        text: "SELECT type, profile_uuid, data::json FROM outbox_events WHERE data LIKE '%' || $1 || '%' AND type LIKE 'agent.%' ORDER BY seq",
        values: [uuid],
      }),
    async countAgents(profileUuid: string): Promise<number> {
      const [row] = await database.query<{ count: number }>({
        text: 'SELECT count(*)::int AS count FROM agents WHERE profile_uuid = $1',
        values: [profileUuid],
      });
      return row?.count ?? 0;
    },
  };
}
