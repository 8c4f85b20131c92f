import type { Clock } from '../../src/platform/clock.ts';

/** A clock that a test moves by hand; the database goes by it too. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
  set(instant: Date): void;
}

export function createManualClock(start = new Date('2026-03-01T12:00:00.000Z')): ManualClock {
  let milliseconds = start.getTime();
  return {
    now: () => new Date(milliseconds),
    pinned: () => new Date(milliseconds),
    advance(by) {
      milliseconds += by;
    },
    set(instant) {
      milliseconds = instant.getTime();
    },
  };
}
