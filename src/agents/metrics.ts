import type { Counter, Histogram, Registry } from 'prom-client';
import { familiesIn } from '../platform/metric-families.ts';

export interface AgentMetrics {
  readonly heartbeats: Counter<'mode'>;
  readonly metricReports: Counter;
  readonly batchRows: Histogram<'kind'>;
  readonly unhealthy: Counter;
  readonly recovered: Counter;
}

/**
 * Metrics of agents. The agent is not a label, because the number of agents is unbounded.
 *
 * @param options.unhealthyAgents Number of unhealthy agents, read at each scrape.
 */
export function createAgentMetrics(options: { registry: Registry; unhealthyAgents(): Promise<number> }): AgentMetrics {
  const { counter, histogram, sharedGauge } = familiesIn(options.registry);
  sharedGauge('patchbay_agents_unhealthy', 'Agents that have missed their heartbeat, of the whole platform.', () =>
    options.unhealthyAgents(),
  );
  return {
    heartbeats: counter('patchbay_agent_heartbeats_total', 'Heartbeats that were recorded, by mode.', ['mode']),
    metricReports: counter('patchbay_agent_metric_reports_total', 'Metric reports that were recorded.'),
    batchRows: histogram(
      'patchbay_agent_telemetry_batch_rows',
      'Heartbeats or metric reports that one statement recorded.',
      [1, 10, 100, 1_000],
      ['kind'],
    ),
    unhealthy: counter('patchbay_agents_became_unhealthy_total', 'Agents that became unhealthy.'),
    recovered: counter('patchbay_agents_recovered_total', 'Unhealthy agents that sent a heartbeat again.'),
  };
}
