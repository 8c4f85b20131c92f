import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import { eventually } from '../support/deadline.ts';
import { createWebhookStage } from '../support/delivery-stage.ts';

it('D15: webhooks are deleted while they are told much, by a receiver that fails half of it, and neither side is in the other’s way', async () => {
  const stage = await createWebhookStage();
  const { infrastructure, profileUuid, caller } = stage;
  const warnings: string[] = [];
  const warn = ({ error }: { error: Error }, message: string) => warnings.push(`${message}: ${error.message}`);
  let requests = 0;
  const request = async () => {
    requests += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return { status: requests % 2 ? 200 : 500, headers: {}, body: Buffer.from('') } as never;
  };
  const { webhooks } = createServices({
    ...infrastructure,
    log: Object.assign(Object.create(infrastructure.log), { warn }),
    egress: { ...infrastructure.egress, request },
  });
  const stop = await webhooks.start();
  onTestFinished(stop);
  const occurredAt = stage.clock.now();
  const type = 'document.deleted';
  for (let round = 0; round < 12; round++) {
    const uuids = await Promise.all([1, 2, 3].map((n) => stage.register(`http://127.0.0.1:18080/${n}`)));
    const before = requests;
    const telling = Promise.all(
      Array.from({ length: 4 }, async () => {
        const told = Array.from({ length: 150 }, () => ({ id: randomUUID(), profileUuid, type, data: {}, occurredAt }));
        const after = await stage.database.transaction((tx) => webhooks.fanOut(tx, told));
        after();
      }),
    );
    await eventually('they are told', () => requests > before + round * 50, { everyMs: 1 });
    for (const uuid of uuids) expect(await webhooks.registrations.remove(caller, uuid)).toBe(uuid);
    await telling;
  }
  expect(await stage.attempts()).toEqual([]);
  expect(warnings).toEqual([]);
});

it('what waits for a webhook that was switched off goes after 30 days; what an active one waits for stays', async () => {
  const stage = await createWebhookStage();
  const { clock, profileUuid, caller } = stage;
  const { webhooks } = stage.services;
  const eventOf = (type: string) => ({
    id: randomUUID(),
    profileUuid,
    type,
    data: {},
    occurredAt: clock.now(),
  });
  const off = await stage.register('http://127.0.0.1:18080/off', ['document.deleted']);
  await stage.register('http://127.0.0.1:18080/on', ['document.created']);
  const told = [eventOf('document.deleted'), eventOf('document.created')];
  await stage.database.transaction((tx) => webhooks.fanOut(tx, told));
  await webhooks.registrations.update(caller, off, { active: false });
  clock.advance(29 * 86_400_000);
  expect(await webhooks.purge()).toBe(0);
  clock.advance(2 * 86_400_000);
  expect(await webhooks.purge()).toBe(1);
  expect(await stage.attempts()).toEqual([[1, 'pending']]);
  expect(await stage.database.query({ text: 'SELECT event FROM webhook_deliveries' })).toEqual([
    { event: 'document.created' },
  ]);
});
