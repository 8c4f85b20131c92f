import { expect, it } from 'vitest';
import { generatorOf } from '../../../src/platform/messaging/events.ts';
import { resumed } from '../../../src/platform/messaging/watches.ts';

/** What is stored, and what comes live; each read takes a turn of the event loop. */
async function resumedAfter(from: number, stored: readonly number[]) {
  const live: { push(place: unknown): void } = { push: () => {} };
  const news = generatorOf<number>((push) => {
    live.push = push;
    return () => {};
  });
  const source = {
    rows: 2,
    placeOf: (place: number) => place,
    lastPlace: async () => 0,
    after: async (place: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      return stored.filter((each) => each > place).slice(0, 2);
    },
  };
  return { live, events: await resumed(news, from, source) };
}

it('missed rows come in order, then new ones, also when several are requested at once', async () => {
  const { live, events } = await resumedAfter(1, [1, 2, 3, 4, 5]);
  const asked = [1, 2, 3, 4, 5].map(() => events.next());
  live.push(5);
  live.push(6);
  expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([2, 3, 4, 5, 6]);
});

it('returning ends those that wait', async () => {
  const { events } = await resumedAfter(1, [1]);
  const waiting = [events.next(), events.next()];
  await events.return();
  expect(await Promise.all(waiting)).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
  ]);
});
