import { expect, it } from 'vitest';
import { anonymous } from '../../src/platform/caller.ts';
import { createSearchCounter } from '../../src/search/counter.ts';
import { createTestServices } from '../support/services.ts';

const { infrastructure, clock } = await createTestServices();
const caller = (n: number) => anonymous(`192.0.${n >> 8}.${n & 255}`);

it('remembers the last searches of two thousand askers, and for half an hour', async () => {
  const counter = createSearchCounter(infrastructure);
  const ask = (n: number) => counter.searched(caller(n), 'weather', ['server'], false);
  const remembers = (n: number) => counter.hasShown(caller(n), 'weather', 'server');
  for (let n = 0; n < 2_001; n++) ask(n);
  expect([remembers(0), remembers(1), remembers(2_000)]).toEqual([false, true, true]);
  clock.advance(31 * 60_000);
  ask(3_000);
  expect([remembers(1), remembers(2_000), remembers(3_000)]).toEqual([false, false, true]);
});
