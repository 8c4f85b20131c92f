import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { ask } from './process-messages.ts';

/**
 * What `/metrics` shows: the figures of all web processes together, from any of them. Counters are summed; a process that was
 * replaced takes its own with it.
 *
 * @param processes How many web processes there are.
 * @returns A function that gives the text.
 */
export async function metricsOfAll(registry: Registry, processes: number): Promise<() => Promise<string>> {
  if (!cluster.isWorker || processes === 1) return () => registry.metrics();
  const { AggregatorRegistry } = await import('prom-client');
  // It responds to the first process that asks.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries(registry as never);
  return async () => (await ask('metrics')) || registry.metrics();
}

/** In the supervisor: the figures of all web processes. */
export async function gatheredMetrics(): Promise<string> {
  // Loaded with the first question only: the supervisor stays small.
  const { AggregatorRegistry } = await import('prom-client');
  return new AggregatorRegistry().clusterMetrics().catch(() => '');
}
