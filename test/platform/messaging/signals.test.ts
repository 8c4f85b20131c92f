import { expect, it } from 'vitest';
import { createLocalEvents } from '../../../src/platform/messaging/events.ts';
import { subscribeToSignals } from '../../../src/platform/messaging/signals.ts';
import { eventually } from '../../support/deadline.ts';

function stage() {
  const events = createLocalEvents();
  const warned: string[] = [];
  const heard: number[] = [];
  const report = (_error: unknown, message: string) => void warned.push(message);
  const start = () =>
    subscribeToSignals<number>({ events, report }, { channel: 'c', of: 'tests' }, (signal) => heard.push(signal));
  return { events, warned, heard, start };
}

it('acts on signals, until it is stopped', async () => {
  const { events, heard, warned, start } = stage();
  const stop = await start();
  events.publish('c', 1);
  await eventually('it is heard', () => heard.length === 1);
  await stop();
  events.publish('c', 2);
  await new Promise(setImmediate);
  expect([heard, warned]).toEqual([[1], []]);
});

it('goes on after more came at once than may wait, and says so', async () => {
  const { events, heard, warned, start } = stage();
  const stop = await start();
  for (let signal = 0; signal < 1_500; signal++) events.publish('c', signal);
  await eventually('it is told', () => warned.length === 1);
  await eventually('it listens again', () => {
    events.publish('c', -1);
    return heard.includes(-1);
  });
  await stop();
  expect(warned).toEqual(['signals of tests were missed']);
});
