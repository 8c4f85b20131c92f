import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { ClipboardEntry } from '../../src/clipboard/index.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { readForAnswer } from '../answer-budget.ts';
import type { Context } from '../context.ts';

type EntryLoader = DataLoader<string, ClipboardEntry | null>;

/** By execution, whose variables are its own, and by caller: a sign-in changes the caller in the middle of an operation. */
const loaders = new WeakMap<object, WeakMap<Caller, EntryLoader>>();

/**
 * Reads an entry by its uuid; all that a caller's operation asks for at once go in one statement. Nothing is kept: a mutation
 * may change the entry before the same operation asks for it again.
 */
export function loadEntry(context: Context, info: GraphQLResolveInfo, uuid: string): Promise<ClipboardEntry | null> {
  const { caller, services } = context;
  const ofExecution = loaders.get(info.variableValues) ?? new WeakMap<Caller, EntryLoader>();
  loaders.set(info.variableValues, ofExecution);
  let loader = ofExecution.get(caller);
  if (!loader) {
    loader = new DataLoader(
      (uuids) =>
        readForAnswer(info, { bytesOf: bytesOfEntries }, (bytesMax) =>
          services.clipboard.find(caller, uuids, bytesMax),
        ),
      { cache: false, maxBatchSize: 100 },
    );
    ofExecution.set(caller, loader);
  }
  return loader.load(uuid);
}

/** Bytes of the values of entries, each counted once however often it stands there. */
const bytesOfEntries = (entries: readonly (ClipboardEntry | null)[]): number =>
  [...new Set(entries)].reduce((bytes, entry) => bytes + (entry?.sizeBytes ?? 0), 0);
