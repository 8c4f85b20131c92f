import DataLoader from 'dataloader';
import type { ClipboardEntry } from '../../src/clipboard/index.ts';
import type { Context } from '../context.ts';

const loaders = new WeakMap<Context, DataLoader<string, ClipboardEntry | null>>();

/**
 * Reads an entry by its uuid; all that one operation asks for at once go in one statement. Nothing is kept: a subscription
 * keeps its context for hours, and each event must show the entry as it then stands.
 */
export function loadEntry(context: Context, uuid: string): Promise<ClipboardEntry | null> {
  let loader = loaders.get(context);
  if (!loader) {
    const { caller, services } = context;
    loader = new DataLoader((uuids) => services.clipboard.find(caller, uuids), { cache: false, maxBatchSize: 100 });
    loaders.set(context, loader);
  }
  return loader.load(uuid);
}
