import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context, Services } from '../context.ts';

type Deliveries = Services['webhooks']['deliveries'];
type Input = Parameters<Deliveries['connections']>[2];
type Shape = NonNullable<Parameters<Deliveries['connections']>[3]>;
type Page = Awaited<ReturnType<Deliveries['connections']>>[number];

interface Loaders {
  readonly pages: DataLoader<string, Page>;
  readonly counts: DataLoader<string, number>;
}

/**
 * The webhooks of one list ask with the very same nodes, which are collected anew for each execution; nothing of one context
 * is ever given to another.
 */
const loaders = new WeakMap<Context, WeakMap<GraphQLResolveInfo['fieldNodes'], Loaders>>();

/** The pages and counts of deliveries that all webhooks of one list ask for, in as many statements as for one webhook. */
export function deliveryLoaders(context: Context, info: GraphQLResolveInfo, input: Input, query: Shape): Loaders {
  const ofContext = loaders.get(context) ?? new WeakMap();
  loaders.set(context, ofContext);
  const known = ofContext.get(info.fieldNodes);
  if (known) return known;
  const { caller, services } = context;
  const { deliveries } = services.webhooks;
  const made: Loaders = {
    pages: new DataLoader((uuids) => deliveries.connections(caller, uuids, input, query)),
    counts: new DataLoader((uuids) => deliveries.counts(caller, uuids, input)),
  };
  ofContext.set(info.fieldNodes, made);
  return made;
}
