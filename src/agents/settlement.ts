import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Events } from '../platform/messaging/events.ts';

/** Published when there is something for the reconciler to do. */
export const reconcileChannel = 'agent-reconciliations';

const channelOf = (uuid: string) => `agent-settlement:${uuid}`;

/** The orchestrator's result of a request. */
export interface OrchestratorOutcome {
  readonly success: boolean;
  readonly message: string;
}

/** The reconciler's progress with one agent. */
export interface Settlement {
  readonly appliedRevision: number;
  readonly revision: number;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly removedAt: Date | null;
  /** Whether the grace period of a draining agent is over. */
  readonly isDrained: boolean;
}

export type Settlements = ReturnType<typeof createSettlements>;

/** Lets a request wait for what the reconciler, in whichever process it runs, makes of an agent. */
export function createSettlements({
  database,
  events,
  clock,
}: {
  database: Pick<Database, 'query'>;
  events: Pick<Events, 'publish' | 'subscribe'>;
  clock: Clock;
}) {
  async function read(uuid: string): Promise<Settlement | null> {
    const [row] = await database.query<{
      applied_revision: number;
      revision: number;
      attempts: number;
      last_error: string | null;
      removed_at: Date | null;
      is_drained: boolean;
    }>({
      name: 'agents_settlement',
      text: `SELECT applied_revision, revision, attempts, last_error, removed_at,
          state = 'DRAINING' AND drain_until <= coalesce($2::timestamptz, clock_timestamp()) AS is_drained
        FROM agents WHERE uuid = $1`,
      values: [uuid, clock.pinned()],
    });
    return row
      ? {
          appliedRevision: row.applied_revision,
          revision: row.revision,
          attempts: row.attempts,
          lastError: row.last_error,
          removedAt: row.removed_at,
          isDrained: row.is_drained,
        }
      : null;
  }

  /**
   * Makes a change, wakes the reconciler, and waits until the agent is settled.
   *
   * @param change Commits what the reconciler is to see.
   * @param waitMs At most. Real time, since it bounds the response.
   * @returns Where the agent stands at the end; null for an agent that is gone.
   */
  async function afterChange<Result>(
    uuid: string,
    change: () => Promise<Result>,
    isSettled: (settlement: Settlement) => boolean,
    waitMs: number,
  ): Promise<{ result: Result; settlement: Settlement | null }> {
    const attempts = await events.subscribe<null>(channelOf(uuid));
    const timer = setTimeout(() => void attempts.return(), waitMs);
    try {
      const result = await change();
      wake();
      for (;;) {
        // Subscribed before the change: no attempt is missed between a look and the next.
        const settlement = waitMs > 0 ? await read(uuid) : null;
        if (settlement === null || isSettled(settlement)) return { result, settlement };
        if ((await attempts.next()).done) return { result, settlement: await read(uuid) };
      }
    } finally {
      clearTimeout(timer);
      await attempts.return();
    }
  }

  /** Wakes the reconciler after a commit, in whichever process it runs. Without it, it looks within a second. */
  const wake = () => events.publish(reconcileChannel, null);

  return {
    afterChange,
    wake,
    /** Says that the reconciler has dealt with an agent. */
    announce: (uuid: string) => events.publish(channelOf(uuid), null),
  };
}
