import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { createRollUp } from './roll-up.ts';
import { createTrending } from './trending.ts';

export interface AnalyticsDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

export type Analytics = ReturnType<typeof createAnalytics>;

/** What comes of how servers are used. Source: spec.md, Analytics. */
export const createAnalytics = (deps: AnalyticsDependencies) => ({
  trending: { ...createTrending(deps), ...createRollUp(deps) },
});
