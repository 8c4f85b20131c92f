/**
 * The time. It is injected everywhere, so that a test can set any instant.
 *
 * The database's own clock decides the expiry of stored data, because several machines must agree on it to the
 * millisecond. A test pins the time instead: `pinned()` is then the instant that the statements use.
 */
export interface Clock {
  /** The current instant of this process. */
  now(): Date;
  /** The instant that replaces the database's own clock; null for that clock. */
  pinned(): Date | null;
}

export const systemClock: Clock = {
  now: () => new Date(),
  pinned: () => null,
};
