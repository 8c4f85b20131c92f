import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, keyOf, signUp, type TestServices } from '../support/services.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { deadUrl } from '../support/webhook-stage.ts';

let stage: TestServices;
let caller: Caller;

beforeAll(async () => {
  stage = await createTestServices();
});

async function register(url: string): Promise<string> {
  const input = { url, events: ['document.deleted'] };
  return (await stage.services.webhooks.registrations.create(caller, input)).webhook.uuid;
}

async function newCaller(): Promise<void> {
  caller = (await keyOf(stage.services, await signUp(stage.services))).caller;
}

/** Hands over a burst, in batches as the outbox does. @returns The events' ids. */
async function happen(count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => ({
    id: randomUUID(),
    profileUuid: String(caller.principal?.profileUuid),
    type: 'document.deleted',
    data: { document_id: randomUUID() },
    occurredAt: stage.clock.now().toISOString(),
  }));
  for (let from = 0; from < count; from += 200) await stage.services.webhooks.fanOut(events.slice(from, from + 200));
  return events.map(({ id }) => id);
}

describe('several workers', () => {
  it(`D03, D18: share a burst: each event is sent once, none is lost, and few are under way at a time ${verifies('webhooks.deliveries')}`, async () => {
    await newCaller();
    const receiver = await startReceiver();
    let underWay = 0;
    let most = 0;
    receiver.answerWith((_call, res) => {
      most = Math.max(most, ++underWay);
      setTimeout(() => {
        underWay -= 1;
        res.end('ok');
      }, 2);
    });
    const uuid = await register(receiver.base);
    const ids = await happen(1_000);
    const workers = [1, 2, 3].map(() => createServices(stage.platform));
    await Promise.all(workers.map(({ webhooks }) => webhooks.sendDue()));
    expect(receiver.received.map(({ body }) => body.id).sort()).toEqual([...ids].sort());
    // A window of 128 in each of the three; sockets are bounded by the platform's egress, which they share here.
    expect(most).toBeLessThanOrEqual(3 * 128);
    const { total } = await stage.services.webhooks.deliveries.page(caller, uuid, { status: 'succeeded' });
    expect(total).toBe(1_000);
  });

  it('D16: serve healthy receivers at once beside one that is dead and has much to get', async () => {
    await newCaller();
    const silent = await startReceiver();
    // It takes every call, and never answers: each attempt there takes its five seconds.
    silent.answerWith(() => undefined);
    await register(silent.base);
    await register(deadUrl);
    const healthy = await startReceiver();
    await happen(400);
    await register(healthy.base);
    const ids = await happen(20);
    const begun = performance.now();
    const sent = stage.services.webhooks.sendDue();
    const deadline = begun + 4_000;
    while (healthy.received.length < ids.length && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(healthy.received.length).toBe(ids.length);
    expect(performance.now() - begun).toBeLessThan(4_000);
    // What is left of the silent one would take minutes: whoever switches it off ends that.
    await stage.database.query({ text: 'UPDATE webhooks SET active = false WHERE url = $1', values: [silent.base] });
    silent.answerWith((_call, res) => res.end());
    await silent.close();
    await sent;
    expect(silent.received.length).toBeLessThan(200);
  });
});
