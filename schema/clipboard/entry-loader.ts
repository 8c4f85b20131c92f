import DataLoader from 'dataloader';
import type { ClipboardEntry } from '../../src/clipboard/index.ts';
import type { Caller } from '../../src/platform/caller.ts';
import type { Context } from '../context.ts';

const loaders = new WeakMap<Caller, DataLoader<string, ClipboardEntry | null>>();

/**
 * Reads an entry by its uuid; all that a caller's operation asks for at once go in one statement. Nothing is kept: a subscription
 * keeps its context for hours, and each event must show the entry as it then stands.
 */
export function loadEntry(context: Context, uuid: string): Promise<ClipboardEntry | null> {
  const { caller, services } = context;
  let loader = loaders.get(caller);
  if (!loader) {
    loader = new DataLoader((uuids) => services.clipboard.find(caller, uuids), { cache: false, maxBatchSize: 100 });
    loaders.set(caller, loader);
  }
  return loader.load(uuid);
}
