import { type CounterDependencies, createSearchCounter } from './counter.ts';
import { createFound } from './found.ts';
import { createStatistics } from './statistics.ts';
import { createUpkeep } from './upkeep.ts';

export type SearchDependencies = CounterDependencies;

export type Search = ReturnType<typeof createSearch>;

/** Search for public servers, and its statistics. Source: docs/specification/search.md. */
export function createSearch(deps: SearchDependencies) {
  const counter = createSearchCounter(deps);
  return {
    found: createFound({ ...deps, onSearch: counter.searched }),
    statistics: createStatistics({ ...deps, counter }),
    upkeep: createUpkeep(deps),
  };
}
