import type { Database } from '../platform/database/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { History } from './history.ts';
import * as statements from './idle-statements.ts';
import type { HeldAgent, Transitions } from './transitions.ts';

/** Agents of one look. */
const batchAgents = 100;
/** Agents that this process remembers to have asked for. */
const rememberedMax = 10_000;

export interface IdlenessDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly history: Pick<History, 'record'>;
  readonly transitions: Pick<Transitions, 'hold'>;
  /** Scales a held agent to zero. */
  readonly scaleToZero: (tx: Pick<Database, 'query'>, agent: HeldAgent) => Promise<void>;
  /** Wakes the reconciler. */
  readonly wake: () => void;
}

/** Suspends agents that nothing has asked for. Source: docs/decisions/0046-idle-agents-and-usage.md. */
export function createIdleness(deps: IdlenessDependencies) {
  const { database, clock, history, transitions, scaleToZero, wake } = deps;
  const asked = new Map<string, number>();

  /**
   * Notes that an agent is active. It writes at most once a minute for each agent, and asks at most four times a minute in each
   * process. A failure is reported and changes nothing else.
   */
  async function note(agentUuid: string): Promise<void> {
    const now = clock.now().getTime();
    // A clock that is set back counts like one that has gone on.
    if (Math.abs(now - (asked.get(agentUuid) ?? Number.NEGATIVE_INFINITY)) < statements.askMs) return;
    if (asked.size >= rememberedMax) asked.clear();
    asked.set(agentUuid, now);
    try {
      await database.outsideUnit(() => database.query(statements.noteActivity(clock.pinned(), agentUuid)));
    } catch (error) {
      database.report(error, 'the activity of an agent could not be recorded', { agent: agentUuid });
    }
  }

  /**
   * Suspends every agent whose time without activity is over. Its cost follows the number of such agents. One that fails is reported
   * and passed over.
   *
   * @returns How many were suspended.
   */
  async function scan(): Promise<number> {
    let suspended = 0;
    for (let after: statements.IdleRow | null = null; ; ) {
      const rows: statements.IdleRow[] = await database.query(statements.idle(clock.pinned(), after, batchAgents));
      for (const { uuid } of rows)
        if (
          await suspendIdle(uuid).catch((error: unknown) => {
            database.report(error, 'an idle agent could not be suspended', { agent: uuid });
            return false;
          })
        )
          suspended += 1;
      if (rows.length < batchAgents) break;
      after = rows.at(-1) ?? null;
    }
    if (suspended > 0) wake();
    return suspended;
  }

  /** @returns Whether the agent was suspended: it may have been active since it was found. */
  async function suspendIdle(uuid: string): Promise<boolean> {
    const publish = await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, uuid, null);
      const [row] = await tx.query<{ idle_after_seconds: number }>(statements.stillIdle(clock.pinned(), uuid));
      if (!row) return null;
      await scaleToZero(tx, agent);
      const metadata = { reason: 'idle', idle_after_seconds: row.idle_after_seconds };
      return history.record(tx, 'SUSPENDED', 'system', [{ agent, from: agent.state, to: agent.state, metadata }]);
    });
    publish?.();
    return publish !== null;
  }

  return { note, scan };
}
