import { expect, it } from 'vitest';
import { createLocalEvents, filtered } from '../../../src/platform/messaging/events.ts';

it('news of which some are left out end with their source when the choice fails', async () => {
  const events = createLocalEvents();
  const source = await events.subscribe<number>('numbers');
  const even = filtered(source, async (each) => {
    if (each > 3) throw new Error('no database');
    return each % 2 === 0;
  });
  for (const each of [1, 2, 3, 4]) events.publish('numbers', each);
  expect(await even.next()).toEqual({ done: false, value: 2 });
  await expect(even.next()).rejects.toThrow('no database');
  expect((await source.next()).done).toBe(true);
});
