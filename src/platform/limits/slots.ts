import { ApiError } from '../errors.ts';

/** A bounded number of places, given to callers in turns. */
export interface Slots {
  /**
   * Waits for a slot. Callers take turns, so a caller with many requests delays only its own.
   *
   * @param caller At most `perCaller` slots are held for each.
   * @returns Gives the slot back; to be called once.
   * @throws {ApiError} `UNAVAILABLE` with the message after `waitMs` milliseconds.
   */
  take(caller: string): Promise<() => void>;
}

interface Waiting {
  start(): void;
}

export function createSlots(options: { slots: number; perCaller: number; waitMs: number; message: string }): Slots {
  const { slots, perCaller, waitMs, message } = options;
  let free = slots;
  const heldByCaller = new Map<string, number>();
  /** In the order of their turns. */
  const waitingByCaller = new Map<string, Set<Waiting>>();

  const mayStart = (caller: string) => free > 0 && (heldByCaller.get(caller) ?? 0) < perCaller;

  function started(caller: string): () => void {
    free -= 1;
    heldByCaller.set(caller, (heldByCaller.get(caller) ?? 0) + 1);
    return () => {
      free += 1;
      const held = (heldByCaller.get(caller) ?? 0) - 1;
      if (held > 0) heldByCaller.set(caller, held);
      else heldByCaller.delete(caller);
      startNext();
    };
  }

  function startNext(): void {
    for (const [caller, waiting] of waitingByCaller) {
      if (free === 0) return;
      const [first] = waiting;
      if (!first || !mayStart(caller)) continue;
      leave(caller, first);
      // Its next turn comes after everyone else's.
      if (waitingByCaller.delete(caller)) waitingByCaller.set(caller, waiting);
      first.start();
    }
  }

  function leave(caller: string, one: Waiting): void {
    const waiting = waitingByCaller.get(caller);
    waiting?.delete(one);
    if (waiting?.size === 0) waitingByCaller.delete(caller);
  }

  return {
    async take(caller) {
      if (mayStart(caller)) return started(caller);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          leave(caller, one);
          reject(new ApiError('UNAVAILABLE', message, { retryAfter: 1 }));
        }, waitMs);
        const one: Waiting = {
          start() {
            clearTimeout(timer);
            resolve(started(caller));
          },
        };
        const waiting = waitingByCaller.get(caller);
        if (waiting) waiting.add(one);
        else waitingByCaller.set(caller, new Set([one]));
      });
    },
  };
}
