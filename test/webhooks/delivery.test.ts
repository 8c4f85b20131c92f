import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventType } from '../../src/event-catalogue/index.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { verifyWebhook } from '../../src/webhooks/verify-webhook.mjs';
import { createTestServices, keyOf, signUp, type TestServices } from '../support/services.ts';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.ts';

const secret = 'a secret of the tests, long'.replaceAll(' ', '-');
const minute = 60_000;

let stage: TestServices;
let receiver: Receiver;
let caller: Caller;

beforeAll(async () => {
  stage = await createTestServices();
});

beforeEach(async () => {
  receiver = await startReceiver();
  caller = (await keyOf(stage.services, await signUp(stage.services))).caller;
});

const webhooks = () => stage.services.webhooks;
const profileUuid = () => String(caller.principal?.profileUuid);

async function register(events: EventType[] = ['document.deleted'], url = `${receiver.base}/hook`): Promise<string> {
  const { webhook } = await webhooks().registrations.create(caller, { url, events, secret });
  return webhook.uuid;
}

/** What the outbox hands over. @returns The event's id. */
async function happens(type: EventType = 'document.deleted', profile = profileUuid()): Promise<string> {
  const id = randomUUID();
  const data = { document_id: randomUUID() };
  await stage.database.transaction((tx) =>
    webhooks().fanOut(tx, [{ id, profileUuid: profile, type, data, occurredAt: stage.clock.now() }]),
  );
  return id;
}

const deliveriesOf = async (uuid: string) =>
  (await webhooks().deliveries.page(caller, uuid, { limit: 100 })).deliveries.toReversed();

describe('a delivery', () => {
  it('carries the documented body and a signature of exactly its bytes', async () => {
    await register();
    const id = await happens();
    await webhooks().sendDue();
    const [call] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(call?.path).toBe('/hook');
    expect(Object.keys(call?.body).sort()).toEqual(['data', 'event', 'id', 'retry_count', 'signature', 'timestamp']);
    expect(call?.body).toMatchObject({
      id,
      event: 'document.deleted',
      retry_count: 0,
      timestamp: stage.clock.now().toISOString(),
    });
    expect(call?.headers['content-type']).toBe('application/json');
    expect(verifyWebhook(secret, call?.raw ?? '', call?.headers['x-service-signature'])).toBe(true);
    expect(verifyWebhook('another-secret-altogether', call?.raw ?? '', call?.headers['x-service-signature'])).toBe(
      false,
    );
  });

  it('D04: to a receiver that always answers 500 is tried at 0, +1, +5, +30 min, +2 h, +12 h, and never again', async () => {
    const uuid = await register();
    receiver.answerWith(status(500, 'no'));
    const begun = stage.clock.now().getTime();
    const times: number[] = [];
    await happens();
    // A day in steps of a second would take long: the time goes to a second before each due one, and to it.
    const due = [0, 1, 6, 36, 156, 876];
    for (const [attempt, at] of due.entries()) {
      stage.clock.set(new Date(begun + at * minute - 1_000));
      await webhooks().sendDue();
      expect(receiver.received).toHaveLength(attempt);
      stage.clock.set(new Date(begun + at * minute));
      await webhooks().sendDue();
      expect(receiver.received).toHaveLength(attempt + 1);
      times.push(at);
    }
    stage.clock.advance(100 * 24 * 60 * minute);
    await webhooks().sendDue();
    expect(receiver.received.map(({ body }) => body.retry_count)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(1);
    const deliveries = await deliveriesOf(uuid);
    expect(deliveries.map(({ attempt, status: how }) => [attempt, how])).toEqual(
      due.map((_, index) => [index + 1, 'failed']),
    );
    expect(deliveries.at(-1)?.nextRetryAt).toBeNull();
    const { webhooks: listed } = await webhooks().registrations.page(caller);
    expect(listed[0] && webhooks().registrations.status(listed[0])).toBe('failed');
  });

  it.each([1, 2, 3, 4, 5, 6])('D05: that succeeds at attempt %i stops there', async (last) => {
    const uuid = await register();
    receiver.answerWith((call, res) => status(call.body.retry_count + 1 === last ? 204 : 503)(call, res));
    await happens();
    for (let day = 0; day < 7; day++) {
      await webhooks().sendDue();
      stage.clock.advance(12 * 60 * minute);
    }
    expect(receiver.received).toHaveLength(last);
    expect((await deliveriesOf(uuid)).map((each) => each.status)).toEqual([
      ...Array(last - 1).fill('failed'),
      'succeeded',
    ]);
    const [webhook] = (await webhooks().registrations.page(caller)).webhooks;
    expect(webhook?.active).toBe(true);
  });

  it('D07: that is answered with a redirect has failed, and is not followed', async () => {
    const uuid = await register();
    const elsewhere = await startReceiver();
    for (const code of [301, 302, 303, 307, 308]) {
      receiver.answerWith((_call, res) => res.writeHead(code, { Location: `${elsewhere.base}/` }).end());
      await happens();
      await webhooks().sendDue();
    }
    expect(elsewhere.received).toEqual([]);
    const answered = (await deliveriesOf(uuid)).filter(({ responseStatus }) => responseStatus !== null);
    expect(answered.map(({ responseStatus }) => responseStatus).sort()).toEqual([301, 302, 303, 307, 308]);
    expect(answered.map(({ status: how }) => how)).toEqual(Array(5).fill('failed'));
  });

  it('D15: is not tried again after its webhook was switched off, and is after it was switched on', async () => {
    const uuid = await register();
    receiver.answerWith(status(500));
    await happens();
    await webhooks().sendDue();
    await webhooks().registrations.update(caller, uuid, { active: false });
    stage.clock.advance(60 * minute);
    await webhooks().sendDue();
    expect(receiver.received).toHaveLength(1);
    receiver.answerWith(status(200));
    await webhooks().registrations.update(caller, uuid, { active: true });
    await webhooks().sendDue();
    expect(receiver.received.map(({ body }) => body.retry_count)).toEqual([0, 1]);
    await happens();
    await webhooks().registrations.remove(caller, uuid);
    await webhooks().sendDue();
    expect(receiver.received).toHaveLength(2);
  });

  it('D15: is signed with the secret of the moment; after a rotation with both for 24 hours', async () => {
    const uuid = await register();
    receiver.answerWith(status(500));
    await happens();
    await webhooks().sendDue();
    const { secret: rotated } = await webhooks().registrations.rotateSecret(caller, uuid);
    stage.clock.advance(minute);
    await webhooks().sendDue();
    stage.clock.advance(24 * 60 * minute);
    await webhooks().sendDue();
    const signed = receiver.received.map(({ raw, headers }) => [
      verifyWebhook(secret, raw, headers['x-service-signature']),
      verifyWebhook(rotated, raw, headers['x-service-signature']),
      verifyWebhook(secret, raw, headers['x-service-signature-previous']),
    ]);
    expect(signed).toEqual([
      [true, false, false],
      [false, true, true],
      [false, true, false],
    ]);
    await webhooks().registrations.update(caller, uuid, { secret: 'set-at-once-and-alone' });
    stage.clock.advance(30 * minute);
    await webhooks().sendDue();
    const last = receiver.received.at(-1);
    expect(verifyWebhook('set-at-once-and-alone', last?.raw ?? '', last?.headers['x-service-signature'])).toBe(true);
    expect(last?.headers['x-service-signature-previous']).toBeUndefined();
  });

  it('D20: neither comes early nor is lost when the clock jumps', async () => {
    await register();
    receiver.answerWith(status(500));
    await happens();
    await webhooks().sendDue();
    stage.clock.advance(-60 * minute);
    await webhooks().sendDue();
    expect(receiver.received).toHaveLength(1);
    stage.clock.advance(24 * 60 * minute);
    await webhooks().sendDue();
    // Six at once would be a storm: the next is due a while after the last.
    expect(receiver.received).toHaveLength(2);
  });

  it('D14: goes to the webhooks of the profile alone that asked for the event', async () => {
    await register();
    const [other] = [(await keyOf(stage.services, await signUp(stage.services))).caller];
    await happens('document.deleted', String(other?.principal?.profileUuid));
    await happens('collection.shared');
    await webhooks().sendDue();
    expect(receiver.received).toEqual([]);
  });

  it('D02: whose worker stopped before it recorded the outcome is sent again with the same id, under the same number', async () => {
    const uuid = await register();
    const id = await happens();
    await stage.database.query({
      text: `UPDATE webhook_deliveries SET claim = gen_random_uuid(), claimed_until = due_at + interval '20 s' WHERE event_uuid = $1`,
      values: [id],
    });
    await webhooks().sendDue();
    expect(receiver.received).toHaveLength(0);
    stage.clock.advance(21_000);
    await webhooks().sendDue();
    expect(receiver.received.map(({ body }) => [body.id, body.retry_count])).toEqual([[id, 0]]);
    expect((await deliveriesOf(uuid)).map((each) => [each.attempt, each.status, each.error])).toEqual([
      [1, 'failed', 'Outcome unknown: the worker stopped before recording the response'],
      [1, 'succeeded', null],
    ]);
  });
});

describe('after a webhook has failed', () => {
  it('what happens is written down and can be replayed, all of it or one event', async () => {
    const uuid = await register();
    receiver.answerWith(status(500));
    const first = await happens();
    for (let attempt = 0; attempt < 6; attempt++) {
      await webhooks().sendDue();
      stage.clock.advance(12 * 60 * minute);
    }
    const begun = stage.clock.now();
    const second = await happens();
    await webhooks().sendDue();
    expect(receiver.received).toHaveLength(6);
    receiver.received.length = 0;
    receiver.answerWith(status(200));
    await webhooks().registrations.update(caller, uuid, { active: true });
    await webhooks().sendDue();
    expect(receiver.received).toHaveLength(0);
    expect(await webhooks().deliveries.replayFailed(caller, uuid, { since: begun })).toBe(1);
    expect(await webhooks().deliveries.replayFailed(caller, uuid, { since: begun })).toBe(0);
    await webhooks().sendDue();
    expect(receiver.received.map(({ body }) => body.id)).toEqual([second]);
    const failed = (await deliveriesOf(uuid)).find((each) => each.eventUuid === first);
    await webhooks().deliveries.replay(caller, uuid, String(failed?.uuid));
    await webhooks().sendDue();
    expect(receiver.received.map(({ body }) => [body.id, body.retry_count])).toEqual([
      [second, 0],
      [first, 0],
    ]);
  });
});

describe('a test call', () => {
  it('is sent at once, once, active or not, and answers how it went', async () => {
    const uuid = await register();
    await webhooks().registrations.update(caller, uuid, { active: false });
    const good = await webhooks().deliveries.test(caller, uuid, {});
    expect([good.status, good.responseStatus, good.responseBody]).toEqual(['succeeded', 200, 'ok']);
    expect(receiver.received[0]?.body.event).toBe('test.ping');
    receiver.answerWith(status(418, 'x'.repeat(5_000)));
    const bad = await webhooks().deliveries.test(caller, uuid, { event: 'server.installed' });
    expect([bad.status, bad.responseStatus, bad.responseBody?.length, bad.nextRetryAt]).toEqual([
      'failed',
      418,
      1_024,
      null,
    ]);
    await webhooks().registrations.update(caller, uuid, { active: true });
    stage.clock.advance(24 * 60 * minute);
    await webhooks().sendDue();
    expect(receiver.received).toHaveLength(2);
  });
});
