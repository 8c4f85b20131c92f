import DataLoader from 'dataloader';
import type { AgentEventRecord, AgentLiveness, DeploymentStatus } from '../../src/agents/index.ts';
import type { Context } from '../context.ts';

interface Loaders {
  readonly statuses: DataLoader<string, DeploymentStatus | null>;
  readonly liveness: DataLoader<string, AgentLiveness>;
  readonly events: Map<number, DataLoader<string, AgentEventRecord[]>>;
}

/** Nothing of one context is ever given to another. */
const loaders = new WeakMap<Context, Loaders>();

function loadersOf(context: Context): Loaders {
  const known = loaders.get(context);
  if (known) return known;
  const { agents } = context.services;
  // Not cached: an execution may read, change and read again, and each event of a subscription reads anew.
  const options = { cache: false };
  const made: Loaders = {
    statuses: new DataLoader((uuids) => agents.statuses.of(uuids), options),
    liveness: new DataLoader((uuids) => agents.statuses.livenessOf(uuids), options),
    events: new Map(),
  };
  loaders.set(context, made);
  return made;
}

/** The statuses of all agents of one execution, in one statement. */
export const deploymentStatusLoader = (context: Context) => loadersOf(context).statuses;

/** The liveness of all agents of one execution, in one statement. */
export const livenessLoader = (context: Context) => loadersOf(context).liveness;

/** The latest events of all agents of one execution, in one statement for each size of a list. */
export function eventLoader(context: Context, first: number): DataLoader<string, AgentEventRecord[]> {
  const { events } = loadersOf(context);
  const known = events.get(first);
  if (known) return known;
  const made = new DataLoader<string, AgentEventRecord[]>(
    (uuids) => context.services.agents.events.latest(uuids, { first }),
    { cache: false },
  );
  events.set(first, made);
  return made;
}
