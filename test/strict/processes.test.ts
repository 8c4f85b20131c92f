import { afterAll, beforeAll, describe, it } from 'vitest';
import { verifies } from '../requirements.ts';
import type { Operation, Perform } from './history.ts';
import { advise, keepJournal } from './journal.ts';
import { httpClientOf } from './product-clients.ts';
import { randomOf } from './random.ts';
import { createStage } from './stage.ts';
import { expectLinearizable } from './verdicts.ts';
import { historyOf, type Load, type Mix, seed, tellSeed } from './workload.ts';

const clients = 16;
const stage = await createStage();

/** 16 clients of a new profile, half of them at either process. */
async function crowd(): Promise<{ profileUuid: string; performs: Perform[] }> {
  const { secret, profileUuid } = await stage.newProfile();
  const performs = Array.from({ length: clients }, (_, c) => httpClientOf(stage.products[c % 2 ? 1 : 0], secret));
  return { profileUuid, performs };
}

const everything: Mix = { push: 8, pop: 3, get: 4, delete: 2, clear: 0.4, list: 0.5 };

// A first call is slow, and what overlaps with everything proves little.
beforeAll(async () => {
  await keepJournal(stage.database);
  const { performs } = await crowd();
  await historyOf(performs, { mix: { ...everything, set: 2, read: 2, unset: 2 }, callsEach: 30 }, randomOf(seed));
});

const figures = { histories: 0, operations: 0, steps: 0, stepsMax: 0 };
afterAll(() =>
  tellSeed(
    'histories over two processes',
    `${figures.histories} histories, ${figures.operations} operations, ${figures.steps} steps of search, at most ${figures.stepsMax}`,
  ),
);

async function expectStrict(profileUuid: string, history: Operation[], of: string): Promise<void> {
  await advise(stage.database, profileUuid, history);
  const { steps } = expectLinearizable(history, of);
  figures.histories += 1;
  figures.operations += history.length;
  figures.steps += steps;
  figures.stepsMax = Math.max(figures.stepsMax, steps);
}

const loads: Record<string, Load> = {
  'pushes and pops': { mix: { push: 5, pop: 5 }, callsEach: 6 },
  'pops of a stack that runs empty': { mix: { push: 2, pop: 5, get: 2 }, callsEach: 5, pushedFirst: 12 },
  'reads between writes': { mix: { push: 4, pop: 2, get: 6, list: 1 }, callsEach: 6, pushedFirst: 2 },
  'everything that a stack can do': { mix: everything, callsEach: 6, pushedFirst: 3 },
};

describe('16 clients over two server processes', () => {
  it.each(Object.entries(loads))(
    `%s: every history is that of a strict stack (A01, A02, A03, A04, A06) ${verifies('clipboard.concurrency')}`,
    async (title, load) => {
      for (let round = 0; round < 8; round++) {
        const { profileUuid, performs } = await crowd();
        const history = await historyOf(performs, load, randomOf(seed, round));
        await expectStrict(profileUuid, history, `${title}, history ${round}`);
      }
    },
  );
});
