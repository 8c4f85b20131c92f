import { expect } from 'vitest';
import { clipboardModel } from './clipboard-model.ts';
import { type History, type Operation, shown } from './history.ts';
import { decide, type Verdict } from './linearizability.ts';
import { seed } from './workload.ts';

export const verdictOf = (history: History, stepsMax?: number): Verdict<Operation> =>
  decide(history, clipboardModel(history), stepsMax === undefined ? {} : { stepsMax });

/** Fails with the history, and the seed that makes its calls again, where no order of its operations explains it. */
export function expectLinearizable(history: History, of: string): Verdict<Operation> {
  const verdict = verdictOf(history);
  if (verdict.outcome === 'linearizable') return verdict;
  expect.fail(`${of} (STRICT_SEED=${seed}): ${verdict.outcome} after ${verdict.steps} steps.

Milliseconds from and to, who, and what:
${shown(history)}

The longest order that explains a part of it:
${shown(verdict.order.map((operation, place) => ({ ...operation, began: place, ended: place })) as Operation[])}

What then has no place:
${shown(verdict.stuck)}`);
}
