import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context, Services } from '../context.ts';

type Places = Services['collections']['servers']['places'];
type Input = Parameters<Places>[2];
type Page = Awaited<ReturnType<Places>>[number];
type FindAll = Services['mcpServers']['configurations']['findAll'];
type Shape = NonNullable<Parameters<FindAll>[2]>;
type Server = Awaited<ReturnType<FindAll>>[number];

interface Loaders {
  readonly pages: DataLoader<string, Page>;
  readonly counts: DataLoader<string, number>;
  /** Null for one that has gone, or is not shown any more, since its place was read. */
  readonly servers: DataLoader<string, Server | null>;
}

/** The collections of one list ask with the very same nodes, which are collected anew for each execution. */
const loaders = new WeakMap<Context, WeakMap<GraphQLResolveInfo['fieldNodes'], Loaders>>();

/** The pages, counts and servers that all collections of one list ask for, in as many statements as for one collection. */
export function collectionServerLoaders(
  context: Context,
  info: GraphQLResolveInfo,
  input: Input,
  isWhole: boolean,
  query: Shape,
): Loaders {
  const ofContext = loaders.get(context) ?? new WeakMap();
  loaders.set(context, ofContext);
  const known = ofContext.get(info.fieldNodes);
  if (known) return known;
  const { caller, services } = context;
  const { servers } = services.collections;
  const made: Loaders = {
    pages: new DataLoader((uuids) => servers.places(caller, uuids, input, isWhole)),
    counts: new DataLoader((uuids) => servers.counts(caller, uuids)),
    servers: new DataLoader(async (uuids) => {
      const found = await services.mcpServers.configurations.findAll(caller, uuids, query);
      const byUuid = new Map(found.map((server) => [server.uuid, server]));
      return uuids.map((uuid) => byUuid.get(uuid) ?? null);
    }),
  };
  ofContext.set(info.fieldNodes, made);
  return made;
}
