import type { Platform } from '../platform/platform.ts';
import { type HeartbeatMode, heartbeatIntervalText } from '../platform/settings/heartbeat-intervals.ts';
import { createCombined } from './combined.ts';
import type { History } from './history.ts';
import type { AgentState } from './lifecycle.ts';
import type { AgentMetrics } from './metrics.ts';
import { type NotifyAll, noticesOf } from './notices.ts';
import { isWatched } from './telemetry-statements.ts';

interface RecoveredRow {
  uuid: string;
  profile_uuid: string;
  name: string;
  state: AgentState;
  is_watched: boolean;
  mode: HeartbeatMode;
  unhealthy_since: Date;
  last_heartbeat_at: Date;
}

export type Recovery = ReturnType<typeof createRecovery>;

/** Makes unhealthy agents healthy again when a heartbeat arrives. Source: docs/specification/agents.md#unhealthy-agents. */
export function createRecovery(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly history: Pick<History, 'record'>;
    readonly notifyAll: NotifyAll;
    readonly metrics: Pick<AgentMetrics, 'recovered'>;
  },
) {
  const { database, history, notifyAll, metrics } = deps;
  const combined = createCombined<string, undefined>({ database, run: recoverAll, itemsMax: 200, waitingMax: 20_000 });

  async function recoverAll(agentUuids: readonly string[]): Promise<readonly undefined[]> {
    const { count, announce } = await database.transaction(async (tx) => {
      // Agents before their liveness: as where an agent ends.
      await tx.query({
        name: 'agents_recover_lock',
        text: 'SELECT FROM agents WHERE uuid = ANY($1::uuid[]) ORDER BY uuid FOR SHARE',
        values: [agentUuids],
      });
      const rows = await tx.query<RecoveredRow>({
        name: 'agents_recover',
        text: `WITH before AS MATERIALIZED (
            SELECT agent_uuid, unhealthy_since FROM agent_liveness
            WHERE agent_uuid = ANY($1::uuid[]) AND unhealthy_since IS NOT NULL ORDER BY agent_uuid FOR NO KEY UPDATE)
          UPDATE agent_liveness l SET unhealthy_since = NULL,
            deadline = CASE WHEN ${isWatched} THEN l.last_heartbeat_at + ${heartbeatIntervalText('l.mode')} END
          FROM before JOIN agents a ON a.uuid = before.agent_uuid WHERE l.agent_uuid = before.agent_uuid
          RETURNING a.uuid, a.profile_uuid, a.name, a.state, ${isWatched} AS is_watched, l.mode, before.unhealthy_since, l.last_heartbeat_at`,
        values: [agentUuids],
      });
      const recovered = rows.filter(({ is_watched }) => is_watched).map(factsOf);
      const announce = await notifyAll(tx, noticesOf('recovered', recovered));
      const publishEvent = await history.record(tx, 'AGENT_RECOVERED', 'system', recovered);
      return {
        count: recovered.length,
        announce: () => {
          announce();
          publishEvent();
        },
      };
    });
    metrics.recovered.inc(count);
    announce();
    return agentUuids.map(() => undefined);
  }

  return {
    /** One event and one notification, however many call it at once. Nothing happens to an agent that is healthy or has ended. */
    recover: (agentUuid: string): Promise<void> => combined.add(agentUuid),
  };
}

const factsOf = (row: RecoveredRow) => ({
  agent: { uuid: row.uuid, profileUuid: row.profile_uuid, name: row.name },
  from: row.state,
  to: row.state,
  metadata: {
    mode: row.mode,
    unhealthy_since: row.unhealthy_since.toISOString(),
    last_heartbeat_at: row.last_heartbeat_at.toISOString(),
  },
});
