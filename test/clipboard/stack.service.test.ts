import { expect, it } from 'vitest';
import { createStacks } from '../../src/clipboard/stack.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database, Statement } from '../../src/platform/database/database.ts';
import { newEntry } from '../support/new-clipboard-entry.ts';

/** Stacks over a database that answers nothing until it is let, and notes what each call carries. */
function heldStacks() {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const pops: number[] = [];
  const query = async ({ values = [] }: Statement) => {
    pops.push(Number(values[2]));
    await held;
    return [];
  };
  const stacks = createStacks({ database: { query } as unknown as Database, clock: systemClock });
  return { stacks, pops, letGo };
}

it('of one profile lets at most a thousand operations wait; one more is UNAVAILABLE, and another profile is not affected', async () => {
  const { stacks, letGo } = heldStacks();
  const waiting = Array.from({ length: 1_001 }, () => stacks.pop('busy'));
  await expect(stacks.pop('busy')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 });
  await expect(stacks.push('busy', newEntry())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const other = stacks.pop('quiet');
  letGo();
  expect(await other).toBeNull();
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => null));
});

it('carries at most 100 operations in one statement, so that the lock is held for milliseconds', async () => {
  const { stacks, pops, letGo } = heldStacks();
  const waiting = Array.from({ length: 251 }, () => stacks.pop('busy'));
  letGo();
  await Promise.all(waiting);
  expect(pops).toEqual([1, 100, 100, 50]);
});
