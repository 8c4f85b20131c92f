import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as replays from '../../src/webhooks/replay-statements.ts';
import { claimSeconds } from '../../src/webhooks/schedule.ts';
import * as statements from '../../src/webhooks/statements.ts';
import { eventually } from '../support/deadline.ts';
import { createWebhookStage } from '../support/delivery-stage.ts';

const stage = await createWebhookStage();
const { database, clock } = stage;
let webhookUuid: string;

beforeEach(async () => {
  await database.query({ text: 'DELETE FROM webhooks' });
  webhookUuid = await stage.register('https://receiver.example/hook');
});

/** Writes one due delivery. */
async function happens(): Promise<void> {
  const { profileUuid } = stage;
  const event = { id: randomUUID(), profileUuid, type: 'document.deleted', data: {}, occurredAt: clock.now() };
  await database.transaction((tx) => stage.services.webhooks.fanOut(tx, [event]));
}

/** A worker that takes what is due, and holds it. */
async function worker() {
  const claim = randomUUID();
  const [row] = await database.query<statements.ClaimedRow>(
    statements.claim(clock.pinned(), claim, [[webhookUuid, 10]]),
  );
  return {
    taken: row?.uuid,
    wasLost: row?.was_lost,
    records: async (outcome: Partial<statements.Outcome>) =>
      database.query<statements.RecordedRow>(
        statements.record(clock.pinned(), [
          {
            uuid: String(row?.uuid),
            claim,
            status: 'succeeded',
            responseStatus: 200,
            responseMs: 1,
            responseBody: null,
            error: null,
            retrySeconds: null,
            ...outcome,
          },
        ]),
      ),
  };
}

const stored = () =>
  database.query({ text: 'SELECT uuid, attempt, status, claim, claimed_until, due_at FROM webhook_deliveries' });

describe('D02: a worker whose claim has passed to another worker', () => {
  it.each<[string, Partial<statements.Outcome>]>([
    ['a success', { status: 'succeeded' }],
    ['a failure with a retry', { status: 'failed', responseStatus: 500, error: 'no', retrySeconds: 60 }],
    ['a last failure', { status: 'failed', responseStatus: 500, error: 'no', retrySeconds: null }],
    ['a postponed attempt', { status: 'postponed', retrySeconds: 5 }],
  ])('changes nothing by recording %s, and the other worker records its own outcome', async (_what, outcome) => {
    await happens();
    const late = await worker();
    expect([late.taken, late.wasLost]).toEqual([expect.any(String), false]);
    clock.advance(claimSeconds * 1_000);
    const other = await worker();
    expect([other.taken, other.wasLost]).toEqual([late.taken, true]);
    const before = await stored();

    expect(await late.records(outcome)).toEqual([]);
    expect(await stored()).toEqual(before);

    expect(await other.records({ status: 'failed', error: 'lost', retrySeconds: null })).toMatchObject([
      { uuid: other.taken, status: 'failed', error: 'lost' },
    ]);
  });

  it('changes nothing by recording the same postponed attempt twice, after another worker took it in between', async () => {
    await happens();
    const first = await worker();
    const postponed = { status: 'postponed', retrySeconds: 5 } as const;
    await first.records(postponed);
    clock.advance(5_000);
    const second = await worker();
    expect([second.taken, second.wasLost]).toEqual([first.taken, false]);
    const before = await stored();
    await first.records(postponed);
    expect(await stored()).toEqual(before);
  });
});

it('D03: a claimed delivery is not taken again while the claim lasts', async () => {
  await happens();
  expect((await worker()).taken).toEqual(expect.any(String));
  clock.advance(claimSeconds * 1_000 - 1);
  expect((await worker()).taken).toBeUndefined();
  clock.advance(1);
  expect((await worker()).taken).toEqual(expect.any(String));
});

it('D15: a webhook that is switched off is not looked at, whatever waits for it', async () => {
  await happens();
  const due = async () =>
    (await database.query<{ uuid: string }>(statements.due(clock.pinned()))).map(({ uuid }) => uuid);
  expect(await due()).toEqual([webhookUuid]);
  await stage.services.webhooks.registrations.update(stage.caller, webhookUuid, { active: false });
  expect(await due()).toEqual([]);
  expect((await worker()).taken).toBeUndefined();
});

it('a test call belongs to its caller from the start: no worker takes it', async () => {
  await database.query(
    replays.insertTest(clock.pinned(), {
      webhookUuid,
      deliveryUuid: randomUUID(),
      claim: randomUUID(),
      eventUuid: randomUUID(),
      event: 'test.ping',
      dataText: '{}',
    }),
  );
  expect((await worker()).taken).toBeUndefined();
});

it('D19: a replay waits for another one of the same webhook, and sends nothing of what that one sends', async () => {
  await happens();
  await (await worker()).records({ status: 'failed', error: 'no', retrySeconds: null });
  const since = new Date(clock.now().getTime() - 1_000);
  let replaying: Promise<number> = Promise.resolve(-1);
  await database.transaction(async (tx) => {
    await tx.query(replays.holdWebhook(webhookUuid));
    replaying = stage.services.webhooks.deliveries.replayFailed(stage.caller, webhookUuid, { since });
    await eventually('it waits', async () => {
      const [waiting] = await database.query({
        text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      });
      return waiting !== undefined;
    });
    const [row] = await tx.query(replays.replayFailed(clock.pinned(), webhookUuid, since, 10));
    expect(row).toEqual({ count: 1 });
  });
  expect(await replaying).toBe(0);
});

it('a webhook is marked as failed once, so that its owner is notified once', async () => {
  const failed = () => database.query<statements.FailedWebhookRow>(statements.fail(clock.pinned(), [webhookUuid]));
  expect((await failed()).map(({ uuid }) => uuid)).toEqual([webhookUuid]);
  expect(await failed()).toEqual([]);
});
