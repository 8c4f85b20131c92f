import type { Platform } from '../platform/platform.ts';
import type { History } from './history.ts';
import type { DeploymentFailure, DeploymentStatus } from './orchestrator/orchestrator.ts';
import * as statements from './reconcile-statements.ts';
import { storable } from './storable.ts';
import type { Transitions } from './transitions.ts';

const messageOf = (failure: Pick<DeploymentFailure, 'reason' | 'message'> | null | undefined): string | null =>
  failure ? `${failure.reason}: ${failure.message}` : null;

/** Stores what the orchestrator reports of deployments. */
export function createObservation(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly history: Pick<History, 'record'>;
    readonly transitions: Pick<Transitions, 'hold'>;
    /** This process, as it is named in the lease. */
    readonly holder: string;
  },
) {
  const { database, clock, history, transitions, holder } = deps;

  /**
   * Stores a status. A rollout that fails is an ERROR event, once for each reason and revision; a deployment that is gone is made
   * again.
   *
   * @param reported null for a deployment that is gone.
   */
  return async function observe(deployment: string, reported: DeploymentStatus | null): Promise<void> {
    const status = storable(reported);
    const publish = await database.transaction(async (tx) => {
      const [row] = await tx.query<statements.StatusRow>(
        statements.observed(clock.pinned(), holder, deployment, status),
      );
      if (!row) return () => {};
      if (status === null) await tx.query(statements.missing(clock.pinned(), [deployment]));
      const failure = status?.failure ?? null;
      const message = messageOf(failure);
      if (message !== row.last_error)
        await tx.query({
          name: 'agents_rollout_error',
          text: 'UPDATE agents SET last_error = $2 WHERE uuid = $1 AND attempts = 0',
          values: [row.uuid, message],
        });
      const isKnown = message === messageOf(row.before?.failure) && status?.revision === row.before?.revision;
      if (failure === null || isKnown) return () => {};
      const agent = await transitions.hold(tx, row.uuid, null);
      const { reason, events, logLines } = failure;
      return history.record(tx, 'ERROR', 'system', [
        {
          agent,
          from: agent.state,
          to: agent.state,
          metadata: { reason, message: failure.message, events, log_lines: logLines },
        },
      ]);
    });
    publish();
  };
}
