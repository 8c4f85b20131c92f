import { inBatches } from '../platform/database/batches.ts';
import type { Platform } from '../platform/platform.ts';
import { createActivation } from './activation.ts';
import { createHeartbeats } from './heartbeats.ts';
import type { History } from './history.ts';
import { createLiveness } from './liveness.ts';
import { createMetricReports } from './metric-reports.ts';
import type { AgentMetrics } from './metrics.ts';
import type { NotifyAll } from './notices.ts';
import { createPartitions } from './partitions.ts';
import { createRecovery } from './recovery.ts';
import { createSeries } from './series.ts';
import { removals } from './telemetry-statements.ts';
import type { Transitions } from './transitions.ts';

/** Rows of one statement of a removal. */
const removedRows = 5_000;

export interface TelemetryDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  readonly history: Pick<History, 'record'>;
  readonly transitions: Pick<Transitions, 'hold' | 'move'>;
  readonly notifyAll: NotifyAll;
  readonly metrics: AgentMetrics;
  /** Days that heartbeats and metric reports are kept. */
  readonly telemetryDays: number;
  /** Days that the series of metrics are kept. */
  readonly seriesDays: number;
}

export type Telemetry = ReturnType<typeof createTelemetry>;

/** Telemetry of agents: heartbeats, metric reports and their series, and the detection of missed heartbeats. */
export function createTelemetry(deps: TelemetryDependencies) {
  const { database, telemetryDays, seriesDays } = deps;
  const partitions = createPartitions({ ...deps, days: { telemetry: telemetryDays, series: seriesDays } });
  const parts = { ...deps, partitions, activation: createActivation(deps), recovery: createRecovery(deps) };

  /** Removes all telemetry of a profile that was deleted, 5 000 rows a statement. */
  async function removeContents(profileUuid: string): Promise<void> {
    for (const removal of removals) await inBatches(database, removedRows, (rows) => removal(profileUuid, rows));
  }

  return {
    heartbeats: createHeartbeats(parts),
    metricReports: createMetricReports(parts),
    series: createSeries(deps),
    liveness: createLiveness(deps),
    partitions,
    removeContents,
  };
}
