import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { createWebhookStage } from '../support/delivery-stage.ts';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.ts';

const stage = await createWebhookStage();
const { database, clock, caller } = stage;
const { webhooks } = stage.services;

let receiver: Receiver;

beforeEach(async () => {
  await database.query({ text: 'DELETE FROM webhooks' });
  receiver = await startReceiver();
});

async function happens(data: object = { document_id: 'd' }): Promise<string> {
  const id = randomUUID();
  const event = { id, profileUuid: stage.profileUuid, type: 'document.deleted', data, occurredAt: clock.now() };
  await database.transaction((tx) => webhooks.fanOut(tx, [event]));
  return id;
}

const storedEvents = async () =>
  (await database.query<{ uuid: string }>({ text: 'SELECT uuid FROM webhook_events' })).map(({ uuid }) => uuid);

const deliveriesOf = async (uuid: string) => (await webhooks.deliveries.page(caller, uuid, { limit: 100 })).deliveries;

it('J08: the data of an event is stored once, whatever the number of webhooks, retries and replays, and sent whole to each', async () => {
  const uuids = await Promise.all([1, 2, 3, 4, 5].map((n) => stage.register(`${receiver.base}/${n}`)));
  const text = 'ü'.repeat(50_000);
  receiver.answerWith(status(500));
  const id = await happens({ text });
  await webhooks.sendDue();
  clock.advance(60_000);
  receiver.answerWith(status(200));
  await webhooks.sendDue();
  const [delivery] = await deliveriesOf(String(uuids[0]));
  await webhooks.deliveries.replay(caller, String(uuids[0]), String(delivery?.uuid));
  await webhooks.sendDue();
  expect(await storedEvents()).toEqual([id]);
  expect(receiver.received).toHaveLength(11);
  expect(receiver.received.filter(({ body }) => body.id !== id || body.data.text !== text)).toEqual([]);
});

it('an event to which no webhook subscribed is not stored, and is not delivered', async () => {
  const uuid = await stage.register(receiver.base, ['document.created']);
  await happens();
  expect(await storedEvents()).toEqual([]);
  expect(await deliveriesOf(uuid)).toEqual([]);
});

it('an event goes to the webhooks that subscribed to it, and to no other of the profile', async () => {
  const [one, other] = [
    await stage.register(`${receiver.base}/1`),
    await stage.register(`${receiver.base}/2`, ['document.created']),
  ];
  await happens();
  await webhooks.sendDue();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/1']);
  expect([(await deliveriesOf(one)).length, (await deliveriesOf(other)).length]).toEqual([1, 0]);
});

it('the event of a test call goes with the call', async () => {
  const uuid = await stage.register(receiver.base);
  await webhooks.deliveries.test(caller, uuid, {});
  expect(await storedEvents()).toHaveLength(1);
  await webhooks.registrations.remove(caller, uuid);
  expect(await storedEvents()).toEqual([]);
});

it('an event goes with its last delivery, when webhooks are deleted', async () => {
  const [first, second] = [await stage.register(`${receiver.base}/1`), await stage.register(`${receiver.base}/2`)];
  const id = await happens();
  await webhooks.registrations.remove(caller, first);
  expect(await storedEvents()).toEqual([id]);
  await webhooks.sendDue();
  expect(receiver.received.map(({ body }) => body.data)).toEqual([{ document_id: 'd' }]);
  await webhooks.registrations.remove(caller, second);
  expect(await storedEvents()).toEqual([]);
});

it('an event goes with its last delivery, when the deliveries are purged; a replay keeps it', async () => {
  const uuid = await stage.register(receiver.base);
  const [kept, gone] = [await happens(), await happens()];
  await webhooks.sendDue();
  clock.advance(29 * 86_400_000);
  const delivery = (await deliveriesOf(uuid)).find(({ eventUuid }) => eventUuid === kept);
  await webhooks.deliveries.replay(caller, uuid, String(delivery?.uuid));
  clock.advance(2 * 86_400_000);
  await webhooks.purge();
  expect(await storedEvents()).toEqual([kept]);
  expect(gone).not.toBe(kept);
  await webhooks.sendDue();
  expect(receiver.received.map(({ body }) => body.id).at(-1)).toBe(kept);
  clock.advance(31 * 86_400_000);
  await webhooks.purge();
  expect(await storedEvents()).toEqual([]);
});

it('an event that lost its last two deliveries at the same moment is found by the purge after 30 days', async () => {
  await database.query({
    text: `INSERT INTO webhook_events (uuid, data, event_at, created_at) VALUES (gen_random_uuid(), '{}', $1, $1)`,
    values: [clock.now()],
  });
  await webhooks.purge();
  expect(await storedEvents()).toHaveLength(1);
  clock.advance(31 * 86_400_000);
  await webhooks.purge();
  expect(await storedEvents()).toEqual([]);
});

it('a failed attempt shows when it is made again, until it was', async () => {
  const uuid = await stage.register(receiver.base);
  receiver.answerWith(status(500));
  await happens();
  await webhooks.sendDue();
  const shown = async () =>
    (await deliveriesOf(uuid))
      .toReversed()
      .map((each) => [each.attempt, each.status, webhooks.deliveries.nextRetryAt(each)?.getTime() ?? null]);
  const begun = clock.now().getTime();
  const next = Number((await shown())[0]?.[2]);
  expect(next - begun).toBeGreaterThan(59_000);
  expect(await shown()).toEqual([
    [1, 'failed', next],
    [2, 'pending', next],
  ]);
  clock.advance(60_000);
  await webhooks.sendDue();
  expect(await shown()).toEqual([
    [1, 'failed', null],
    [2, 'failed', expect.any(Number)],
    [3, 'pending', expect.any(Number)],
  ]);
});
