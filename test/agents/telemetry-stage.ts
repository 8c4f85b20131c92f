import { randomBytes, randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { createHistory } from '../../src/agents/history.ts';
import type { AgentState } from '../../src/agents/lifecycle.ts';
import { unhealthy } from '../../src/agents/liveness-statements.ts';
import { createAgentMetrics } from '../../src/agents/metrics.ts';
import { createTelemetry } from '../../src/agents/telemetry.ts';
import { createTransitions } from '../../src/agents/transitions.ts';
import type { EventPayloads } from '../../src/event-catalogue/index.ts';
import { createServices, type Infrastructure } from '../../src/main/services.ts';
import { createOutbox } from '../../src/platform/messaging/outbox.ts';

export interface StagedAgent {
  readonly uuid: string;
  readonly profileUuid: string;
}

/** The telemetry of agents over a platform, as the product builds it. Days: 30 of telemetry, 400 of series. */
export function telemetryOver(infrastructure: Infrastructure) {
  const { database, clock, events } = infrastructure;
  const registry = new Registry();
  const outbox = createOutbox<EventPayloads>({ clock, events });
  const history = createHistory({ clock, events, outbox });
  const metrics = createAgentMetrics({
    registry,
    unhealthyAgents: async () => (await database.query<{ count: number }>(unhealthy()))[0]?.count ?? 0,
  });
  const telemetry = createTelemetry({
    database,
    clock,
    events,
    history,
    transitions: createTransitions({ clock, history }),
    notifyAll: createServices(infrastructure).notifications.notifyAll,
    metrics,
    telemetryDays: 30,
    seriesDays: 400,
  });
  return { ...telemetry, registry };
}

/** What tests of telemetry do with agents. */
export function agentStage({ database, clock }: Pick<Infrastructure, 'database' | 'clock'>) {
  return {
    /** So many agents of a profile, by SQL, the first with the name. */
    async agents(profileUuid: string, count: number, { state = 'ACTIVE' as AgentState, name = 'worker' } = {}) {
      const agents = Array.from({ length: count }, (): StagedAgent => ({ uuid: randomUUID(), profileUuid }));
      const uuids = agents.map(({ uuid }) => uuid);
      await database.query({
        query_timeout: 9_000,
        text: `INSERT INTO agents (uuid, profile_uuid, name, state, image, cpu_request, memory_request, cpu_limit, memory_limit,
            orchestrator_namespace, orchestrator_deployment, dns_name, credential_hash, credential, created_at, updated_at)
          SELECT u, $2, CASE WHEN n = 1 THEN $5 ELSE $5 || n END, $3, 'image', '1', '1', '1', '1', 'agents', u::text, u::text,
            uuid_send(u) || $6::bytea, '', $4, $4
          FROM unnest($1::uuid[]) WITH ORDINALITY AS t (u, n)`,
        values: [uuids, profileUuid, state, clock.now(), name, randomBytes(4)],
      });
      await database.query({
        text: 'INSERT INTO agent_liveness (agent_uuid) SELECT unnest($1::uuid[])',
        values: [uuids],
      });
      return agents;
    },
    async agent(profileUuid: string, options: { state?: AgentState; name?: string } = {}) {
      return (await this.agents(profileUuid, 1, options))[0] as StagedAgent;
    },
    async setState({ uuid }: StagedAgent, state: AgentState): Promise<void> {
      await database.query({ text: 'UPDATE agents SET state = $2 WHERE uuid = $1', values: [uuid, state] });
    },
    async stateOf({ uuid }: StagedAgent) {
      const [row] = await database.query<{ state: AgentState; activated_at: Date | null }>({
        text: 'SELECT state, activated_at FROM agents WHERE uuid = $1',
        values: [uuid],
      });
      return row;
    },
    async livenessOf({ uuid }: StagedAgent) {
      const [row] = await database.query<{
        mode: string;
        last_heartbeat_at: Date | null;
        deadline: Date | null;
        unhealthy_since: Date | null;
      }>({
        text: 'SELECT mode, last_heartbeat_at, deadline, unhealthy_since FROM agent_liveness WHERE agent_uuid = $1',
        values: [uuid],
      });
      return row;
    },
    /** The types of an agent's lifecycle events, the oldest first, with their metadata. */
    eventsOf: ({ uuid }: StagedAgent) =>
      database.query<{ event_type: string; from_state: string; to_state: string; metadata: Record<string, unknown> }>({
        text: 'SELECT event_type, from_state, to_state, metadata FROM agent_events WHERE agent_uuid = $1 ORDER BY id',
        values: [uuid],
      }),
    /** Types of the events that the outbox holds for a profile. */
    async outboxOf(profileUuid: string): Promise<string[]> {
      const rows = await database.query<{ type: string }>({
        text: 'SELECT type FROM outbox_events WHERE profile_uuid = $1 ORDER BY seq',
        values: [profileUuid],
      });
      return rows.map(({ type }) => type);
    },
    notificationsOf: (profileUuid: string) =>
      database.query<{ type: string; title: string; message: string; metadata: Record<string, unknown> }>({
        text: 'SELECT type, title, message, metadata FROM notifications WHERE profile_uuid = $1 ORDER BY seq',
        values: [profileUuid],
      }),
    async countOf(table: 'agent_heartbeats' | 'agent_metrics' | 'agent_metric_buckets', { uuid }: StagedAgent) {
      const [row] = await database.query<{ count: number }>({
        text: `SELECT count(*)::int AS count FROM ${table} WHERE agent_uuid = $1`,
        values: [uuid],
      });
      return row?.count ?? 0;
    },
  };
}
