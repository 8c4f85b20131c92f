import { expect, it } from 'vitest';
import { createInFlight, type WebhookRef } from '../../src/webhooks/in-flight.ts';
import type { ClaimedRow, Outcome } from '../../src/webhooks/statements.ts';

const webhooksOf = (profileUuid: string, count: number): WebhookRef[] =>
  Array.from({ length: count }, (_, n) => ({ uuid: `${profileUuid}-${n}`, profileUuid }));

const readyOf = (...webhooks: readonly WebhookRef[]) => new Map(webhooks.map((each) => [each.uuid, each]));

/** Begins all that there is room for, again and again. @returns What ends each. */
function fill(inFlight: ReturnType<typeof createInFlight>, webhooks: readonly WebhookRef[]) {
  const ends: ((outcome: Outcome) => void)[] = [];
  const profileOf = new Map(webhooks.map(({ uuid, profileUuid }) => [uuid, profileUuid]));
  for (;;) {
    const rooms = inFlight.rooms(readyOf(...webhooks), 1_024);
    if (rooms.length === 0) return ends;
    for (const [uuid, room] of rooms)
      for (let n = 0; n < room; n++)
        ends.push(inFlight.begin({ webhook_uuid: uuid, profile_uuid: profileOf.get(uuid) } as ClaimedRow));
  }
}

const succeeded = { status: 'succeeded' } as Outcome;
const failed = { status: 'failed' } as Outcome;

it('J08: 50 webhooks of one profile that answer slowly leave half of all attempts to the other profiles', () => {
  const inFlight = createInFlight();
  const slow = webhooksOf('slow', 50);
  // Each has answered often, so that its window is as wide as it gets.
  for (let round = 0; round < 40; round++) for (const end of fill(inFlight, slow)) end(succeeded);
  fill(inFlight, slow);
  expect(inFlight.count()).toBe(256);
  expect(inFlight.rooms(readyOf(...slow, ...webhooksOf('other', 1)), 1_024)).toEqual([['other-0', 8]]);
});

it('J08: two busy profiles leave a quarter at least, and a third profile finds room', () => {
  const inFlight = createInFlight();
  const busy = [...webhooksOf('a', 50), ...webhooksOf('b', 50)];
  for (let round = 0; round < 40; round++) for (const end of fill(inFlight, busy)) end(succeeded);
  fill(inFlight, busy);
  expect(inFlight.count()).toBeGreaterThan(256);
  expect(inFlight.count()).toBeLessThanOrEqual(384);
  expect(inFlight.rooms(readyOf(...busy, ...webhooksOf('other', 1)), 1_024)).toContainEqual(['other-0', 8]);
});

it('profiles take turns: the webhook of a second profile comes before the second webhook of the first', () => {
  const ready = readyOf(...webhooksOf('a', 3), ...webhooksOf('b', 2));
  const rooms = createInFlight().rooms(ready, 1_024);
  expect(rooms.map(([uuid]) => uuid)).toEqual(['a-0', 'b-0', 'a-1', 'b-1', 'a-2']);
});

it('J08: failing webhooks of one profile leave room for a failing webhook of another profile', () => {
  const inFlight = createInFlight();
  const [failing, other] = [webhooksOf('a', 100), webhooksOf('b', 1)];
  for (let round = 0; round < 40; round++) for (const end of fill(inFlight, [...failing, ...other])) end(failed);
  fill(inFlight, failing);
  // A quarter of 512 is for receivers that fail, and half of it for one profile.
  expect(inFlight.count()).toBe(64);
  expect(inFlight.rooms(readyOf(...failing, ...other), 1_024)).toEqual([['b-0', 2]]);
});
