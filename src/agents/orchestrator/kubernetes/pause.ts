import { setTimeout as delay } from 'node:timers/promises';

/** Waits; ends early, without an error, when the signal is aborted. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);
