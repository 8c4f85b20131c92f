import { createRollUp, type RollUpDependencies } from './roll-up.ts';
import { createTrending } from './trending.ts';

export type Analytics = ReturnType<typeof createAnalytics>;

/** Figures about the use of servers. Source: docs/specification/analytics.md. */
export const createAnalytics = (deps: RollUpDependencies) => ({
  trending: { ...createTrending(deps), ...createRollUp(deps) },
});
