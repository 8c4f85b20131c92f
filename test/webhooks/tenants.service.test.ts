import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as removal from '../../src/webhooks/removal-statements.ts';
import { createWebhookStage } from '../support/delivery-stage.ts';
import { keyOf, signUp } from '../support/services.ts';

const stage = await createWebhookStage();
const { database, clock, services, caller } = stage;
const { registrations, deliveries } = services.webhooks;
const { caller: other } = await keyOf(services, await signUp(services));
const otherProfile = String(other.principal?.profileUuid);
const events = ['document.deleted'] as const;
let foreign: string;

/** The other tenant has one webhook, with a delivery. */
beforeEach(async () => {
  await database.query({ text: 'DELETE FROM webhooks' });
  const input = { url: 'https://receiver.example/other', events: [...events], secret: 'the-secret-of-the-other' };
  foreign = (await registrations.create(other, input)).webhook.uuid;
  await happens(otherProfile);
});

const eventOf = (profileUuid: string) => ({
  id: randomUUID(),
  profileUuid,
  type: events[0],
  data: {},
  occurredAt: clock.now(),
});

async function happens(...profiles: string[]): Promise<void> {
  await database.transaction((tx) => services.webhooks.fanOut(tx, profiles.map(eventOf)));
}

const webhooks = () => database.query({ text: 'SELECT uuid, active, secret, previous_secret FROM webhooks' });

describe('D14: the webhooks of another tenant', () => {
  it('are told of no event of a batch but those of their own profile', async () => {
    const own = await stage.register('https://receiver.example/own');
    await database.query({ text: 'DELETE FROM webhook_deliveries' });
    await happens(stage.profileUuid, otherProfile, stage.profileUuid);
    const rows = await database.query<{ webhook_uuid: string; count: number }>({
      text: 'SELECT webhook_uuid, count(*)::int FROM webhook_deliveries GROUP BY 1 ORDER BY 2',
    });
    expect(rows).toEqual([
      { webhook_uuid: foreign, count: 1 },
      { webhook_uuid: own, count: 2 },
    ]);
  });

  it('have empty lists of deliveries, and none to count', async () => {
    const pages = await deliveries.connections(caller, [foreign], {});
    expect(pages).toEqual([{ edges: [], hasNextPage: false }]);
    expect(await deliveries.counts(caller, [foreign])).toEqual([0]);
    expect(await deliveries.counts(other, [foreign])).toEqual([1]);
  });

  it('are neither rotated nor deleted nor switched off', async () => {
    const before = await webhooks();
    await expect(registrations.rotateSecret(caller, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(registrations.remove(caller, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(registrations.update(caller, foreign, { active: false })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await database.query(removal.endWebhook(foreign, stage.profileUuid))).toEqual([]);
    expect(await webhooks()).toEqual(before);
  });
});

describe('D13: the records of webhooks', () => {
  it('hold no secret, not even sealed', async () => {
    const { webhook } = await registrations.rotateSecret(other, foreign);
    const page = await registrations.page(other);
    const records = [webhook, await registrations.find(other, foreign), ...page.webhooks];
    for (const record of records) expect(Object.keys(record).filter((name) => /secret$/i.test(name))).toEqual([]);
  });
});
