import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { createAttempts } from '../../src/webhooks/attempt.ts';
import * as statements from '../../src/webhooks/statements.ts';
import { createWebhookStage } from '../support/delivery-stage.ts';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.ts';

const stage = await createWebhookStage();
const { database, clock, caller } = stage;
const { webhooks } = stage.services;
const second = 1_000;
const unknown = 'Outcome unknown: the worker stopped before recording the response';

let receiver: Receiver;
let uuid: string;

beforeEach(async () => {
  await database.query({ text: 'DELETE FROM webhooks' });
  receiver = await startReceiver();
  uuid = await stage.register(receiver.base);
});

async function happens(count = 1): Promise<void> {
  const { profileUuid } = stage;
  const told = Array.from({ length: count }, () => ({
    id: randomUUID(),
    profileUuid,
    type: 'document.deleted',
    data: {},
    occurredAt: clock.now(),
  }));
  await database.transaction((tx) => webhooks.fanOut(tx, told));
}

/** A worker that takes all that is due, and stops before it records anything. @returns What it took. */
async function workerDies(): Promise<statements.ClaimedRow[]> {
  const together = statements.claim(clock.pinned(), randomUUID(), [[uuid, 100]]);
  const rows = await database.query<statements.ClaimedRow>(together);
  rows.push(...(await database.query<statements.ClaimedRow>(statements.claimApart(clock.pinned(), randomUUID()))));
  // Until the claims have ended.
  clock.advance(20 * second);
  return rows.filter(({ was_lost }) => !was_lost);
}

/** What the next worker records of the claims that ended, without sending what is then due. */
async function recordLosses(): Promise<number[]> {
  const claim = randomUUID();
  const rows = await database.query<statements.ClaimedRow>(statements.claim(clock.pinned(), claim, [[uuid, 100]]));
  rows.push(...(await database.query<statements.ClaimedRow>(statements.claimApart(clock.pinned(), claim))));
  const attempt = createAttempts(stage.infrastructure);
  const lost = rows.filter(({ was_lost }) => was_lost);
  const outcomes = await Promise.all(lost.map((row) => attempt(row, claim)));
  await database.query(statements.record(clock.pinned(), outcomes));
  return outcomes.map(({ retrySeconds }) => retrySeconds as number);
}

/** A worker that records what was lost, and sends what is due. */
const nextWorker = () => webhooks.sendDue();

const stored = async () => (await webhooks.deliveries.page(caller, uuid, { limit: 100 })).deliveries.toReversed();

it('J09: a delivery during which our process is killed six times is sent as the first attempt, and its webhook stays active', async () => {
  await happens();
  for (let kill = 0; kill < 6; kill++) {
    const taken = await workerDies();
    expect(taken.map(({ attempt, losses }) => [attempt, losses])).toEqual([[1, kill]]);
    await recordLosses();
    clock.advance(3_600 * second);
  }
  await nextWorker();
  expect(receiver.received.map(({ body }) => body.retry_count)).toEqual([0]);
  expect((await stored()).map(({ attempt, status, error }) => [attempt, status, error])).toEqual([
    ...Array(6).fill([1, 'failed', unknown]),
    [1, 'succeeded', null],
  ]);
  const [webhook] = (await webhooks.registrations.page(caller)).webhooks;
  expect(webhook && webhooks.registrations.status(webhook)).toBe('active');
});

it('J09: the pause after a loss grows from nothing to an hour, and no further', async () => {
  await happens();
  const pauses: number[] = [];
  for (let kill = 0; kill < 13; kill++) {
    await workerDies();
    pauses.push(...(await recordLosses()));
    clock.advance(3_600 * second);
  }
  expect(pauses).toEqual([0, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600]);
});

it('J09: deliveries that were lost three times are sent one at a time, and the others without them', async () => {
  await happens(5);
  for (let kill = 0; kill < 3; kill++) {
    expect(await workerDies()).toHaveLength(5);
    await recordLosses();
    clock.advance(3_600 * second);
  }
  await happens(4);
  const together = statements.claim(clock.pinned(), randomUUID(), [[uuid, 100]]);
  expect((await database.query<statements.ClaimedRow>(together)).map(({ losses }) => losses)).toEqual([0, 0, 0, 0]);
  const apart = () => database.query(statements.claimApart(clock.pinned(), randomUUID()));
  expect(await apart()).toHaveLength(1);
  clock.advance(20 * second);
  await recordLosses();
  let [underWay, most] = [0, 0];
  receiver.answerWith((call, res) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setImmediate(() => {
      underWay -= 1;
      status(200)(call, res);
    });
  });
  await database.query({ text: 'DELETE FROM webhook_deliveries WHERE losses < 3' });
  clock.advance(3_600 * second);
  await nextWorker();
  expect(receiver.received).toHaveLength(5);
  expect(most).toBe(1);
});

it('J09: only responses and failures of the receiver use up attempts, also when a worker is killed between them', async () => {
  await happens();
  receiver.answerWith(status(500, 'no'));
  await nextWorker();
  clock.advance(60 * second);
  await workerDies();
  await nextWorker();
  expect(receiver.received.map(({ body }) => body.retry_count)).toEqual([0, 1]);
  expect((await stored()).map(({ attempt, losses, error }) => [attempt, losses, error])).toEqual([
    [1, 0, 'The receiver answered 500'],
    [2, 0, unknown],
    [2, 1, 'The receiver answered 500'],
    [3, 0, null],
  ]);
});
