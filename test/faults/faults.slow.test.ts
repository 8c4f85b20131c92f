import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { faultKinds, runFaults } from './fault-run.ts';
import { balanceOf, createLedger } from './ledger.ts';

it(
  `a dozen faults of every kind under the load of 16 clients lose no acknowledged write, and no entry is popped twice (I01, I02; \`npm run faults\` has 200)`,
  verifies('platform.kill.process', 'platform.kill.database'),
  async () => {
    const { recoveries, acknowledged, milliseconds: _, ...troubles } = await runFaults({ faults: 12, writes: 3_000 });
    expect(troubles).toEqual({ lost: [], twice: [], foreign: [], strange: [] });
    expect(acknowledged).toBeGreaterThanOrEqual(3_000);
    expect(recoveries.map(({ kind }) => kind)).toEqual([...faultKinds, ...faultKinds, ...faultKinds]);
  },
);

it('the count sees a lost write, an entry that comes twice, and one that no client wrote', () => {
  const ledger = createLedger();
  for (const value of ['a', 'b', 'c', 'd', 'e']) ledger.pushed.add(value);
  ledger.set.set('n', 'x');
  ledger.popped.set('a', 2);
  ledger.popped.set('b', 1);
  const stored = { names: new Map(), stack: ['b', 'c', 'z'], taken: ['a', 'e'] };
  expect(balanceOf(ledger, stored)).toEqual({
    acknowledged: 0,
    lost: ['set n', 'push d', 'pop b'],
    twice: ['popped twice: a'],
    foreign: ['not ours: z', 'taken in silence: e'],
  });
  expect(balanceOf(ledger, { ...stored, stack: ['c', 'e', 'c'] }).twice).toContain('there twice: e');
  expect(balanceOf({ ...ledger, maybePopped: 1 }, stored).foreign).toEqual(['not ours: z']);
});
