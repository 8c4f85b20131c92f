import { type Clock, systemClock } from '../../src/platform/clock.ts';

/**
 * Time that passes `factor` times as fast as the machine's since an instant: the retries of a day are made in minutes, by
 * the product's own schedule. Every process of a run is given the same instant. Whatever the product measures by the
 * database goes by it, claims too: 20 seconds of them must stay longer than a real attempt takes.
 */
export function createFastClock(since: Date, factor: number): Clock {
  const now = () => new Date(since.getTime() + (systemClock.now().getTime() - since.getTime()) * factor);
  return { now, pinned: now };
}
