import { createRollUp, type RollUpDependencies } from './roll-up.ts';
import { createTrending } from './trending.ts';

export type Analytics = ReturnType<typeof createAnalytics>;

/** What comes of how servers are used. Source: docs/specification/analytics.md. */
export const createAnalytics = (deps: RollUpDependencies) => ({
  trending: { ...createTrending(deps), ...createRollUp(deps) },
});
