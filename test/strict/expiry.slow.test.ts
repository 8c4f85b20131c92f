import { afterAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import type { Operation, Recorder } from './history.ts';
import { advise } from './journal.ts';
import { randomOf } from './random.ts';
import { createTwoServices } from './two-services.ts';
import { expectLinearizable } from './verdicts.ts';
import { historyOf, type Load, reportSeed, seed } from './workload.ts';

const clients = 16;
const roundsOfCalls = 6;
const two = await createTwoServices();
const figures = { histories: 0, operations: 0, expired: 0, stepsMax: 0 };
afterAll(() =>
  reportSeed(
    'histories with expiry over two services',
    `${figures.histories} histories, ${figures.operations} operations, ${figures.expired} entries expired, at most ${figures.stepsMax} steps of search`,
  ),
);

/** Moves the clock, and writes down which entries that expires: those whose `expiresAt` is now or was passed over. */
function moveClock({ operations, expired }: Recorder, milliseconds: number): void {
  const before = two.clock.now().getTime();
  two.clock.advance(milliseconds);
  const now = two.clock.now().getTime();
  const values = operations.flatMap((operation: Operation) => {
    if ((operation.kind !== 'push' && operation.kind !== 'set') || !operation.result) return [];
    const { expiresAt } = operation.result;
    return expiresAt > before && expiresAt <= now ? [operation.value] : [];
  });
  expired(values);
}

const loads: Record<string, Load> = {
  'a stack': { mix: { push: 6, pop: 3, get: 4, delete: 1, list: 1 }, callsEach: 2 },
  'a stack, names and clears': {
    mix: { push: 4, pop: 2, get: 2, set: 4, read: 3, unset: 1, clear: 0.3, list: 1 },
    names: ['n', 'm'],
    callsEach: 2,
  },
};

describe('16 clients over two services while entries expire', () => {
  it.each(Object.entries(loads))(
    '%s: whatever the clock does between the calls, what has expired is gone for all and the rest is strict (A03, A04, A09, A10, A12)',
    verifies('clipboard.expiry.exact', 'clipboard.expiry.reset', 'clipboard.index.live'),
    async (title, load) => {
      for (let round = 0; round < 6; round++) {
        const { profileUuid, performs } = await two.crowd(clients);
        const random = randomOf(seed, round);
        const mortal: Load = { ...load, ttlSeconds: (dice) => [1, 2, 3, undefined][Math.floor(dice() * 4)] };
        const history = await historyOf(performs, mortal, random, {
          rounds: roundsOfCalls,
          // To the very instant of an expiry, a millisecond before it, and over several at once.
          between: (recorder) =>
            moveClock(recorder, [1, 499, 500, 999, 1_000, 2_000][Math.floor(random() * 6)] as number),
        });
        await advise(two.database, profileUuid, history);
        const { steps } = expectLinearizable(history, `${title}, history ${round}`);
        figures.histories += 1;
        figures.operations += history.length;
        figures.expired += history.filter(({ kind }) => kind === 'expire').length;
        figures.stepsMax = Math.max(figures.stepsMax, steps);
      }
      expect(figures.expired).toBeGreaterThan(50);
    },
  );
});
