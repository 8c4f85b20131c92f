import type { EventPayloads } from '../event-catalogue/index.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import { type AgentSettings, createAgents } from './agents.ts';
import { createChanges } from './changes.ts';
import { createEndings, type EndingDependencies } from './endings.ts';
import { createAgentEvents } from './events.ts';
import { createHistory } from './history.ts';
import { createIdleness } from './idleness.ts';
import type { AgentMetrics } from './metrics.ts';
import type { NotifyAll } from './notices.ts';
import type { Orchestrator } from './orchestrator/orchestrator.ts';
import { createQuotas } from './quotas.ts';
import { createReconciler } from './reconciler.ts';
import { createReports } from './reports.ts';
import { createRuntime } from './runtime.ts';
import { createSettlements } from './settlement.ts';
import { createStatuses } from './statuses.ts';
import { createTelemetry } from './telemetry.ts';
import { createTransitions } from './transitions.ts';
import { createUsage } from './usage.ts';

export interface AgentAreaDependencies extends Pick<Platform, 'database' | 'clock' | 'events' | 'log' | 'secrets'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly orchestrator: Orchestrator;
  readonly notifyAll: NotifyAll;
  readonly metrics: AgentMetrics;
  readonly issueCredential: () => { readonly secret: string; readonly hash: Buffer<ArrayBuffer> };
  readonly settings: AgentSettings &
    EndingDependencies['settings'] & {
      /** The address at which agents reach the platform. */
      readonly platformUrl: string;
      /** Days that heartbeats and metric reports are kept. */
      readonly telemetryDays: number;
      /** Days that the series of metrics are kept. */
      readonly seriesDays: number;
      /** Days that intervals of use are kept after their end. */
      readonly usageDays: number;
    };
}

export type AgentArea = ReturnType<typeof createAgentArea>;

/** Containerized agents: their records, life cycle, deployment and history. */
export function createAgentArea(deps: AgentAreaDependencies) {
  const { database, events, clock, settings } = deps;
  const history = createHistory(deps);
  const transitions = createTransitions({ ...deps, history });
  const settlements = createSettlements(deps);
  const quotas = createQuotas({ database, quotas: settings.quotas });
  const agents = createAgents({ ...deps, history, settlements, quotas });
  const endings = createEndings({ ...deps, transitions, settlements, findChanged: agents.findChanged });
  const agentEvents = createAgentEvents({ database, events, find: agents.find });
  const telemetry = createTelemetry({ ...deps, ...settings, history, transitions });
  const { liveness, partitions, series, removeContents } = telemetry;
  const { scaleToZero, ...changes } = createChanges({ ...deps, history, transitions, settlements, quotas });
  const { purge: purgeUsage, ...usage } = createUsage({ database, clock, usageDays: settings.usageDays });
  const idleness = createIdleness({ database, clock, history, transitions, scaleToZero, wake: settlements.wake });
  return {
    ...agents,
    ...endings,
    orchestratorKind: deps.orchestrator.kind,
    changes,
    idleness,
    quotas: { ofProject: quotas.ofProject },
    usage,
    events: agentEvents,
    reports: createReports({ clock, telemetry, find: agents.find, events: agentEvents }),
    liveness,
    upkeep: { makePartitions: partitions.make, dropPartitions: partitions.drop, addUpSeries: series.addUp, purgeUsage },
    runtime: createRuntime({ orchestrator: deps.orchestrator, find: agents.find }),
    removeContents,
    statuses: createStatuses(deps),
    reconciler: createReconciler({
      ...deps,
      history,
      transitions,
      settlements,
      endDrained: endings.endDrained,
      suspendIdle: idleness.scan,
      platformUrl: deps.settings.platformUrl,
    }),
  };
}
