import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../platform/database/database.ts';
import { isApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { heartbeatIntervals } from '../platform/settings/heartbeat-intervals.ts';
import type { History } from './history.ts';
import * as statements from './liveness-statements.ts';
import type { AgentMetrics } from './metrics.ts';
import { type NotifyAll, noticesOf, unhealthyCode } from './notices.ts';

/** Half of the second in which a missed heartbeat is noticed. */
const everyMs = 500;
/** Agents of one transaction. Their heartbeats wait for it. */
const batchAgents = 200;

/** Notices which agents have missed their heartbeat. Source: docs/specification/agents.md#unhealthy-agents. */
export function createLiveness(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly history: Pick<History, 'record'>;
    readonly notifyAll: NotifyAll;
    readonly metrics: Pick<AgentMetrics, 'unhealthy'>;
  },
) {
  const { database, clock, history, notifyAll, metrics } = deps;

  /**
   * Looks at every agent whose deadline has passed. One that has sent no heartbeat for the whole interval of its mode becomes
   * unhealthy; the deadline of any other is moved. Any number of processes may call it at once. Its cost grows with the number of
   * such agents, and with nothing that is stored. An agent that fails is reported and passed over.
   *
   * @returns How many agents became unhealthy.
   */
  async function scan(): Promise<number> {
    let unhealthy = 0;
    for (let after: statements.DueRow | null = null; ; ) {
      const rows: statements.DueRow[] = await database.query(statements.due(clock.pinned(), after, batchAgents));
      if (rows.length > 0) unhealthy += await settle(rows.map(({ agent_uuid: uuid }) => uuid));
      if (rows.length < batchAgents) return unhealthy;
      after = rows.at(-1) ?? null;
    }
  }

  /** Settles agents together; when that fails, in ever smaller parts, so that one of them stops none of the others. */
  async function settle(agentUuids: readonly string[]): Promise<number> {
    try {
      return await settleTogether(agentUuids);
    } catch (error) {
      if (isApiError(error) && error.code === 'UNAVAILABLE') throw error;
      if (agentUuids.length === 1) {
        database.report(error, 'the health of an agent could not be updated', { agent: agentUuids[0] });
        return 0;
      }
      const middle = agentUuids.length >> 1;
      return (await settle(agentUuids.slice(0, middle))) + (await settle(agentUuids.slice(middle)));
    }
  }

  async function settleTogether(agentUuids: readonly string[]): Promise<number> {
    const { count, announce } = await database.transaction(async (tx) => {
      const rows = await tx.query<statements.LateRow>(statements.lock(clock.pinned(), agentUuids));
      const looked = rows.map((row) => ({ row, ...standingOf(row) }));
      if (looked.length > 0) await tx.query(statements.settle(looked));
      const facts = looked.filter(({ unhealthySince }) => unhealthySince !== null).map(({ row }) => factsOf(row));
      const announce = await notifyAll(tx, noticesOf('unhealthy', facts));
      const publishEvent = await history.record(tx, 'AGENT_UNHEALTHY', 'system', facts);
      return {
        count: facts.length,
        announce: () => {
          announce();
          publishEvent();
        },
      };
    });
    metrics.unhealthy.inc(count);
    announce();
    return count;
  }

  /**
   * Scans twice a second until it is stopped.
   *
   * @returns Stops it, and waits for what is under way.
   */
  function start(): () => Promise<void> {
    const stopping = new AbortController();
    const { signal } = stopping;
    const scanning = (async () => {
      while (!signal.aborted) {
        await scan().catch((error: unknown) => database.report(error, 'missed heartbeats could not be queried'));
        await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    })();
    return async () => {
      stopping.abort();
      await scanning;
    };
  }

  return { scan, start };
}

/** How many agents are unhealthy, for the metrics. */
export async function unhealthyAgents(database: Pick<Database, 'query'>): Promise<number> {
  const [row] = await database.query<{ count: number }>(statements.unhealthy());
  return row?.count ?? 0;
}

/** How an agent whose deadline has passed is left. */
function standingOf({ is_watched: isWatched, mode, last_heartbeat_at: lastAt, now }: statements.LateRow) {
  if (!isWatched || lastAt === null) return { deadline: null, unhealthySince: null };
  const deadline = new Date(lastAt.getTime() + heartbeatIntervals[mode] * 1_000);
  return deadline > now ? { deadline, unhealthySince: null } : { deadline: null, unhealthySince: deadline };
}

const factsOf = (row: statements.LateRow) => ({
  agent: { uuid: row.uuid, profileUuid: row.profile_uuid, name: row.name },
  from: row.state,
  to: row.state,
  metadata: {
    error_code: unhealthyCode,
    mode: row.mode,
    last_heartbeat_at: row.last_heartbeat_at?.toISOString() ?? null,
  },
});
