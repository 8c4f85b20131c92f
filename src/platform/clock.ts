/**
 * The time. It is injected everywhere, so that a test can stand at any instant.
 *
 * Expiry of stored data is judged by the database's own clock, because several processes on several machines must agree on
 * it to the millisecond. A test pins the time instead: `pinned()` is then the instant that the statements use.
 */
export interface Clock {
  /** The current instant of this process. */
  now(): Date;
  /** The instant that the database must use in place of its own clock; null for the database's own. */
  pinned(): Date | null;
}

export const systemClock: Clock = {
  now: () => new Date(),
  pinned: () => null,
};
