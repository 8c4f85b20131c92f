import { expect, it } from 'vitest';
import { createSlots } from '../../../src/platform/limits/slots.ts';

const message = 'Try again';
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('gives slots to callers in turns, each caller in the order of its requests', async () => {
  const slots = createSlots({ slots: 1, perCaller: 1, waitMs: 60_000, message });
  const order: string[] = [];
  const first = await slots.take('a');
  const rest = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => {
    const leave = await slots.take(name.charAt(0));
    order.push(name);
    leave();
  });
  await turn();
  expect(order).toEqual([]);
  first();
  await Promise.all(rest);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('leaves slots free that their caller may not take', async () => {
  const slots = createSlots({ slots: 3, perCaller: 2, waitMs: 60_000, message });
  const [one] = [await slots.take('a'), await slots.take('a')];
  let isThird = false;
  const third = slots.take('a').then((leave) => {
    isThird = true;
    leave();
  });
  (await slots.take('b'))();
  await turn();
  expect(isThird).toBe(false);
  one();
  await third;
});

it('is UNAVAILABLE with a time to retry after the wait, and forgets callers that have left', async () => {
  const slots = createSlots({ slots: 1, perCaller: 1, waitMs: 1, message });
  const leave = await slots.take('a');
  await expect(slots.take('b')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 });
  leave();
  (await slots.take('c'))();
});
