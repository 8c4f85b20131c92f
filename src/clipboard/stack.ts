import { ApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { ClipboardEntry } from './entry.ts';
import type { NewEntry, WrittenRow } from './statements.ts';
import * as statements from './statements.ts';

/** The pushes and pops of every profile: strictly last in first out, also between processes. */
export interface Stacks {
  push(profileUuid: string, entry: NewEntry): Promise<WrittenRow>;
  /** The entry that was at index 0; null when the stack is empty. */
  pop(profileUuid: string): Promise<ClipboardEntry | null>;
}

/** Operations of one profile waiting in this process; more are refused, so that one hot profile cannot eat the memory. */
const waitingMax = 1_000;
/** What one call carries: enough to be fast, little enough to hold the lock for milliseconds only. */
const callOperationsMax = 100;
/** A value of more bytes goes alone. */
const sharedBytesMax = 65_536;

interface Operation {
  /** Null for a pop. */
  readonly entry: NewEntry | null;
  readonly resolve: (row: WrittenRow | ClipboardEntry | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Each profile has one call in flight; operations that arrive in the meantime go together in the next one. Operations
 * of a call are concurrent, so any order among them is valid: pops first, newest first, then the pushes in the order of
 * their arrival. A failed call fails all its operations. They are not repeated: their outcome may be unknown.
 */
export function createStacks({ database, clock }: Pick<Platform, 'database' | 'clock'>): Stacks {
  const waitingByProfile = new Map<string, Operation[]>();

  async function run(profileUuid: string, operations: readonly Operation[]): Promise<void> {
    const pops = operations.filter((operation) => operation.entry === null);
    const pushes = operations.filter((operation) => operation.entry !== null);
    try {
      const entries = pushes.map((push) => push.entry as NewEntry);
      const [only] = entries;
      const statement =
        only === undefined
          ? statements.pop(profileUuid, clock.pinned(), pops.length)
          : pops.length === 0 && entries.length === 1
            ? statements.pushOne(profileUuid, clock.pinned(), only)
            : statements.changeStack(profileUuid, clock.pinned(), pops.length, entries);
      const rows = await database.query<ClipboardEntry>(statement);
      const popped = rows.slice(0, rows.length - pushes.length);
      const written = new Map(rows.slice(popped.length).map((row) => [row.uuid, row]));
      for (const [place, pop] of pops.entries()) pop.resolve(popped[place] ?? null);
      for (const push of pushes) push.resolve(written.get((push.entry as NewEntry).uuid) ?? null);
    } catch (error) {
      for (const operation of operations) operation.reject(error);
    }
  }

  async function drain(profileUuid: string, waiting: Operation[]): Promise<void> {
    while (waiting.length > 0) await run(profileUuid, waiting.splice(0, countOfNextCall(waiting)));
    waitingByProfile.delete(profileUuid);
  }

  function enqueue(profileUuid: string, entry: NewEntry | null): Promise<WrittenRow | ClipboardEntry | null> {
    return new Promise((resolve, reject) => {
      const operation: Operation = { entry, resolve, reject };
      // What belongs to a transaction shares no statement with the operations of others.
      if (database.unit) return void run(profileUuid, [operation]);
      const waiting = waitingByProfile.get(profileUuid);
      if (waiting === undefined) {
        const started = [operation];
        waitingByProfile.set(profileUuid, started);
        void drain(profileUuid, started);
      } else if (waiting.length >= waitingMax) {
        reject(new ApiError('UNAVAILABLE', 'Too many operations on this stack at once; try again', { retryAfter: 1 }));
      } else {
        waiting.push(operation);
      }
    });
  }

  return {
    push: (profileUuid, entry) => enqueue(profileUuid, entry) as Promise<WrittenRow>,
    pop: (profileUuid) => enqueue(profileUuid, null) as Promise<ClipboardEntry | null>,
  };
}

function countOfNextCall(waiting: readonly Operation[]): number {
  const large = waiting.findIndex(({ entry }) => entry !== null && entry.sizeBytes > sharedBytesMax);
  if (large === 0) return 1;
  return Math.min(large === -1 ? waiting.length : large, callOperationsMax);
}
