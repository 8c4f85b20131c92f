import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface AgentMetrics {
  readonly heartbeats: Counter<'mode'>;
  readonly metricReports: Counter;
  readonly batchRows: Histogram<'kind'>;
  readonly unhealthy: Counter;
  readonly recovered: Counter;
}

/**
 * What an operator sees of agents. Which agent it is, is no label: there is no end of them.
 *
 * @param options.unhealthyAgents How many agents are unhealthy, asked at each scrape.
 */
export function createAgentMetrics(options: { registry: Registry; unhealthyAgents(): Promise<number> }): AgentMetrics {
  const registers = [options.registry];
  new Gauge({
    name: 'patchbay_agents_unhealthy',
    help: 'Agents that have missed their heartbeat, of the whole platform.',
    registers,
    aggregator: 'max',
    async collect() {
      // Without a database there are other signs.
      this.set(await options.unhealthyAgents().catch(() => Number.NaN));
    },
  });
  return {
    heartbeats: new Counter({
      name: 'patchbay_agent_heartbeats_total',
      help: 'Heartbeats that were recorded, by mode.',
      labelNames: ['mode'],
      registers,
    }),
    metricReports: new Counter({
      name: 'patchbay_agent_metric_reports_total',
      help: 'Metric reports that were recorded.',
      registers,
    }),
    batchRows: new Histogram({
      name: 'patchbay_agent_telemetry_batch_rows',
      help: 'Heartbeats or metric reports that one statement recorded.',
      labelNames: ['kind'],
      buckets: [1, 10, 100, 1_000],
      registers,
    }),
    unhealthy: new Counter({
      name: 'patchbay_agents_became_unhealthy_total',
      help: 'Agents that became unhealthy.',
      registers,
    }),
    recovered: new Counter({
      name: 'patchbay_agents_recovered_total',
      help: 'Unhealthy agents that sent a heartbeat again.',
      registers,
    }),
  };
}
