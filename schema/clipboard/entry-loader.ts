import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { ClipboardEntry } from '../../src/clipboard/index.ts';
import type { Context } from '../context.ts';
import { perExecution } from '../loader.ts';
import { readForResponse } from '../response-budget.ts';

const entries = perExecution(
  ({ caller, services }, info) =>
    new DataLoader<string, ClipboardEntry | null>(
      (uuids) =>
        readForResponse(info, { bytesOf: bytesOfEntries }, (bytesMax) =>
          services.clipboard.find(caller, uuids, bytesMax),
        ),
      { cache: false, maxBatchSize: 100 },
    ),
);

/** Reads an entry by its uuid; all that a caller's operation asks for at once go in one statement. */
export const loadEntry = (context: Context, info: GraphQLResolveInfo, uuid: string): Promise<ClipboardEntry | null> =>
  entries(context, info).load(uuid);

/** Bytes of the values of entries, each counted once however often it stands there. */
const bytesOfEntries = (entries: readonly (ClipboardEntry | null)[]): number =>
  [...new Set(entries)].reduce((bytes, entry) => bytes + (entry?.sizeBytes ?? 0), 0);
