import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { advise } from './journal.ts';
import { randomOf } from './random.ts';
import { createTwoServices } from './two-services.ts';
import { expectLinearizable, verdictOf } from './verdicts.ts';
import { historyOf, reportSeed, seed } from './workload.ts';
import { clientOf, makeScratchTable, wrongStacks } from './wrong-stacks.ts';

const clients = 16;
const ours = await createTwoServices();
const historiesMin = 6;
/** Some hundred times what was ever needed: the load convicts half of the histories and more. */
const historiesMax = 300;
// Lists, because they see the most: a late push that shows below what was seen, and two orders of the same.
const load = { mix: { push: 3, pop: 4, get: 2, list: 2 }, callsEach: 4, idxMax: 2, pushedFirst: 12 };

// Deadlocks are a part of it, and a second is long to wait for each.
const pool = new Pool({
  connectionString: await createTestDatabase(),
  max: clients,
  options: '-c deadlock_timeout=20ms',
});
beforeAll(() => makeScratchTable(pool));
afterAll(() => pool.end());

it('ours withstands the load that convicts the wrong ones (A01, A02, A03, A04)', async () => {
  for (let round = 0; round < historiesMin; round++) {
    const { profileUuid, performs } = await ours.crowd(clients);
    const history = await historyOf(performs, load, randomOf(seed, round));
    await advise(ours.database, profileUuid, history);
    expectLinearizable(history, `ours, history ${round}`);
  }
});

it.each(Object.entries(wrongStacks))(
  'a stack by %s is convicted under the load that ours withstands (A01, A02, A03, A04)',
  async (title, stack) => {
    const perform = clientOf(pool, stack);
    const performs = Array.from({ length: clients }, () => perform);
    const count = { convicted: 0, undecided: 0, failed: 0 };
    let histories = 0;
    let firstAt = 0;
    while (histories < historiesMin || (count.convicted === 0 && histories < historiesMax)) {
      await pool.query('TRUNCATE wrong RESTART IDENTITY');
      const history = await historyOf(performs, load, randomOf(seed, histories));
      histories += 1;
      const { outcome } = verdictOf(history, 20_000);
      if (outcome === 'not linearizable') count.convicted += 1;
      if (outcome === 'undecided') count.undecided += 1;
      if (outcome === 'not linearizable' && firstAt === 0) firstAt = histories;
      count.failed += history.filter(({ result }) => result === undefined).length;
    }
    reportSeed(
      title,
      `${count.convicted} of ${histories} histories convicted, the first was number ${firstAt}; ${count.undecided} undecided; ${count.failed} calls failed`,
    );
    expect(count.convicted).toBeGreaterThan(0);
  },
);
