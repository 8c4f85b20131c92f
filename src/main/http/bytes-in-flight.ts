import type { Caller } from '../../platform/caller.ts';
import { ApiError } from '../../platform/errors.ts';
import { spenderOf } from '../../platform/limits/rate-limits.ts';

/** Bytes of requests that may be in memory at a time. Why these figures: docs/decisions/0029-what-a-request-may-hold.md. */
export interface BytesInFlightLimits {
  /** Of one caller (a key, else a user, else an address). */
  readonly caller: number;
  /** Of the process. */
  readonly process: number;
}

/** Four values of 2 MB in which every character is escaped, side by side. */
const bytesInFlightLimits: BytesInFlightLimits = { caller: 4 * 13_500_000, process: 256_000_000 };

/** The bytes of one request or socket. */
export interface Hold {
  /**
   * Counts bytes before they are kept.
   *
   * @throws {ApiError} `RATE_LIMITED` when the caller holds too many; `UNAVAILABLE` when the process does. Nothing was counted.
   */
  take(bytes: number): void;
  /** Gives bytes back; all of them where no number is given. */
  give(bytes?: number): void;
}

export type BytesInFlight = ReturnType<typeof createBytesInFlight>;

/** Counts the bytes of bodies and frames from their arrival to the end of their responses. */
export function createBytesInFlight(limits: BytesInFlightLimits = bytesInFlightLimits) {
  const held = new Map<string, number>();
  let total = 0;

  function change(who: string, bytes: number): void {
    total += bytes;
    const sum = (held.get(who) ?? 0) + bytes;
    if (sum > 0) held.set(who, sum);
    else held.delete(who);
  }

  function hold(caller: Caller): Hold {
    const who = spenderOf('general', caller);
    let own = 0;
    return {
      take(bytes) {
        const sum = (held.get(who) ?? 0) + bytes;
        if (sum > limits.caller)
          throw new ApiError('RATE_LIMITED', 'Too many bytes of your requests are in flight', { retryAfter: 1 });
        // Half of the free bytes, so that there is always room for the next caller, however many hold their maximum.
        if (sum > (limits.process - total) / 2) throw new ApiError('UNAVAILABLE', 'Try again later', { retryAfter: 1 });
        own += bytes;
        change(who, bytes);
      },
      give(bytes = own) {
        own -= bytes;
        change(who, -bytes);
      },
    };
  }

  return { hold, total: () => total };
}
