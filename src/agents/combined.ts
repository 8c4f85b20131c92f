import type { Database } from '../platform/database/database.ts';
import { ApiError, isApiError } from '../platform/errors.ts';

export interface Combined<Item, Result> {
  /**
   * Waits for the result of an item.
   *
   * @throws {ApiError} `UNAVAILABLE` when too many items wait.
   * @throws What the call threw in which the item was.
   */
  add(item: Item): Promise<Result>;
}

export interface CombinedOptions<Item, Result> {
  readonly database: Pick<Database, 'outsideUnit'>;
  /** Deals with items, all of them or none. @returns A result for each item, in the order of the items. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Items of one call. */
  readonly itemsMax: number;
  /** Items that wait in this process. */
  readonly waitingMax: number;
  /** Bytes of an item; 0 if left out. */
  bytesOf?(item: Item): number;
  /** Bytes of one call, and a tenth of the bytes that wait in this process. */
  readonly bytesMax?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines the concurrent calls of this process: one call is in flight, and items that arrive in the meantime go
 * together in the next one. Items of a unit of work go with the others, outside of that unit.
 *
 * A call that fails because of an item is divided until that item fails alone. A call that fails because the database
 * is unavailable fails all its items, although it may have been carried out.
 */
export function createCombined<Item, Result>(options: CombinedOptions<Item, Result>): Combined<Item, Result> {
  const { database, run, itemsMax, waitingMax, bytesOf = () => 0, bytesMax = Number.POSITIVE_INFINITY } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let waitingBytes = 0;
  let isRunning = false;

  async function settle(call: readonly Waiting<Item, Result>[]): Promise<void> {
    let results: readonly Result[];
    try {
      results = await run(call.map(({ item }) => item));
    } catch (error) {
      if (call.length === 1 || (isApiError(error) && error.code === 'UNAVAILABLE')) {
        for (const { reject } of call) reject(error);
        return;
      }
      const middle = call.length >> 1;
      await settle(call.slice(0, middle));
      await settle(call.slice(middle));
      return;
    }
    for (const [place, { resolve }] of call.entries()) resolve(results[place] as Result);
  }

  function nextCall(): Waiting<Item, Result>[] {
    let count = 0;
    let bytes = 0;
    for (const one of waiting) {
      if (count === itemsMax || (count > 0 && bytes + one.bytes > bytesMax)) break;
      count += 1;
      bytes += one.bytes;
    }
    waitingBytes -= bytes;
    return waiting.splice(0, count);
  }

  async function drain(): Promise<void> {
    isRunning = true;
    // The items of one turn of the event loop go together.
    await Promise.resolve();
    while (waiting.length > 0) await settle(nextCall());
    isRunning = false;
  }

  return {
    add(item) {
      const bytes = bytesOf(item);
      if (waiting.length >= waitingMax || (waiting.length > 0 && waitingBytes + bytes > 10 * bytesMax))
        return Promise.reject(new ApiError('UNAVAILABLE', 'Too many reports at once; try again', { retryAfter: 1 }));
      return new Promise((resolve, reject) => {
        waiting.push({ item, bytes, resolve, reject });
        waitingBytes += bytes;
        if (!isRunning) void database.outsideUnit(drain);
      });
    },
  };
}
