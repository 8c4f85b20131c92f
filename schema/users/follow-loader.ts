import DataLoader from 'dataloader';
import { profileBytesMax, profilesMax } from '../../src/users/input.ts';
import type { Services } from '../context.ts';
import { perList } from '../loader.ts';
import { readForResponse } from '../response-budget.ts';

type Lists = Services['users']['lists'];
type Page = Awaited<ReturnType<Lists>>[number];

/** The pages and counts that all users of one list ask for. */
export const followLoaders = perList(
  (
    { caller, services: { users } },
    info,
    list: Parameters<Lists>[1],
    input: Parameters<Lists>[3],
    isWhole: boolean,
  ) => ({
    pages: new DataLoader((owners: readonly string[]) => {
      const read = () => users.lists(caller, list, owners, input, isWhole);
      if (!isWhole) return read();
      const rowsMax = owners.length * Math.min(Math.max(input.first ?? 20, 0), profilesMax);
      const bytesOf = (pages: readonly Page[]) =>
        pages.reduce((bytes, { edges }) => bytes + edges.length * profileBytesMax, 0);
      return readForResponse(info, { bytesMax: rowsMax * profileBytesMax, bytesOf }, read);
    }),
    counts: new DataLoader((owners: readonly string[]) => users.counts(caller, list, owners)),
  }),
);
