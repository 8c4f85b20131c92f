import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { profileBytesMax, profilesMax } from '../../src/users/input.ts';
import { readForAnswer } from '../answer-budget.ts';
import type { Context, Services } from '../context.ts';

type Lists = Services['users']['lists'];
type List = Parameters<Lists>[1];
type Input = Parameters<Lists>[3];
type Page = Awaited<ReturnType<Lists>>[number];

interface Loaders {
  readonly pages: DataLoader<string, Page>;
  readonly counts: DataLoader<string, number>;
}

/** The users of one list ask with the very same nodes, which are collected anew for each execution. */
const loaders = new WeakMap<Context, WeakMap<GraphQLResolveInfo['fieldNodes'], Loaders>>();

/** The pages and counts that all users of one list ask for, in as many statements as for one user. */
export function followLoaders(
  context: Context,
  info: GraphQLResolveInfo,
  list: List,
  input: Input,
  isWhole: boolean,
): Loaders {
  const ofContext = loaders.get(context) ?? new WeakMap();
  loaders.set(context, ofContext);
  const known = ofContext.get(info.fieldNodes);
  if (known) return known;
  const { caller, services } = context;
  const { users } = services;
  const made: Loaders = {
    pages: new DataLoader((owners) => {
      const read = () => users.lists(caller, list, owners, input, isWhole);
      if (!isWhole) return read();
      const rowsMax = owners.length * Math.min(Math.max(input.first ?? 20, 0), profilesMax);
      const bytesOf = (pages: readonly Page[]) =>
        pages.reduce((bytes, { edges }) => bytes + edges.length * profileBytesMax, 0);
      return readForAnswer(info, { bytesMax: rowsMax * profileBytesMax, bytesOf }, read);
    }),
    counts: new DataLoader((owners) => users.counts(caller, list, owners)),
  };
  ofContext.set(info.fieldNodes, made);
  return made;
}
