import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';

/** Between two looks. */
const everyMs = 1_000;
/** Agents of one look. */
const batchAgents = 100;

/**
 * Ends draining agents at the end of their grace period where the orchestrator is off, so that no reconciler does. Any number of
 * processes may do so at once.
 */
export function createDrains({
  database,
  clock,
  endDrained,
}: {
  readonly database: Pick<Database, 'query' | 'report'>;
  readonly clock: Clock;
  readonly endDrained: (uuid: string) => Promise<void>;
}) {
  /** Looks at each agent whose grace period is over. One that fails is reported and passed over. */
  async function endOverdue(): Promise<void> {
    const rows = await database.query<{ uuid: string }>({
      name: 'agents_overdue_drains',
      text: `SELECT uuid FROM agents WHERE state = 'DRAINING' AND drain_until <= coalesce($1::timestamptz, clock_timestamp())
        ORDER BY drain_until LIMIT $2`,
      values: [clock.pinned(), batchAgents],
    });
    for (const { uuid } of rows)
      await endDrained(uuid).catch((error: unknown) =>
        database.report(error, 'a draining agent could not be ended', { agent: uuid }),
      );
  }

  /** Runs once a second until it is stopped. @returns A function that stops it and waits for running work. */
  function start(): () => Promise<void> {
    const stopping = new AbortController();
    const { signal } = stopping;
    const working = (async () => {
      while (!signal.aborted) {
        await endOverdue().catch((error: unknown) => database.report(error, 'draining agents could not be queried'));
        await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    })();
    return async () => {
      stopping.abort();
      await working;
    };
  }

  return { start };
}
