import DataLoader from 'dataloader';
import type {
  AgentCost,
  AgentEventRecord,
  AgentLiveness,
  DeploymentStatus,
  HeartbeatRecord,
  MetricReportRecord,
} from '../../src/agents/index.ts';
import type { Context } from '../context.ts';

type Load<Value> = (uuids: readonly string[], first: number) => Promise<Value[]>;

/** Nothing of one context is ever given to another. */
const loaders = new WeakMap<Context, Map<string, DataLoader<string, unknown>>>();

/**
 * Loads a value of all agents of one execution in one statement, for each size of a list. Not cached: an execution may read, change
 * and read again, and each event of a subscription reads anew.
 */
function loaderOf<Value>(context: Context, name: string, first: number, load: Load<Value>): DataLoader<string, Value> {
  const ofContext = loaders.get(context) ?? new Map<string, DataLoader<string, unknown>>();
  loaders.set(context, ofContext);
  const key = `${name} ${first}`;
  const known =
    ofContext.get(key) ?? new DataLoader((uuids: readonly string[]) => load(uuids, first), { cache: false });
  ofContext.set(key, known);
  return known as DataLoader<string, Value>;
}

export const deploymentStatusLoader = (context: Context): DataLoader<string, DeploymentStatus | null> =>
  loaderOf(context, 'status', 1, (uuids) => context.services.agents.statuses.of(uuids));

export const livenessLoader = (context: Context): DataLoader<string, AgentLiveness> =>
  loaderOf(context, 'liveness', 1, (uuids) => context.services.agents.statuses.livenessOf(uuids));

export const costLoader = (context: Context): DataLoader<string, AgentCost> =>
  loaderOf(context, 'cost', 1, (uuids) => context.services.agents.usage.costOf(uuids));

export const eventLoader = (context: Context, first: number): DataLoader<string, AgentEventRecord[]> =>
  loaderOf(context, 'events', first, (uuids) => context.services.agents.events.latest(uuids, { first }));

export const heartbeatLoader = (context: Context, first: number): DataLoader<string, HeartbeatRecord[]> =>
  loaderOf(context, 'heartbeats', first, (uuids) => context.services.agents.reports.latestHeartbeats(uuids, { first }));

export const metricLoader = (context: Context, first: number): DataLoader<string, MetricReportRecord[]> =>
  loaderOf(context, 'metrics', first, (uuids) => context.services.agents.reports.latestMetrics(uuids, { first }));
