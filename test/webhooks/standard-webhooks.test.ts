import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startTestServer } from '../support/server.ts';
import { status } from '../support/webhook-receiver.ts';
import { happens, stagedWebhook } from '../support/webhook-stage.ts';

// Real time: the library compares timestamps with its own clock.
const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8' }, undefined, { isRealTime: true });

type Received = Awaited<ReturnType<typeof stagedWebhook>>['receiver']['received'][number];
const verified = (webhook: Webhook, { raw, headers }: Received) =>
  webhook.verify(raw, headers as Record<string, string>);
const verifiesIt = (webhook: Webhook, received: Received) => {
  try {
    return verified(webhook, received) !== undefined;
  } catch {
    return false;
  }
};

describe('the library standardwebhooks', () => {
  it(
    'verifies a delivery with the secret that was made, and none that was changed',
    verifies('webhooks.signature.standard'),
    async () => {
      const { tenant, call, receiver, hook } = await stagedWebhook(server);
      const { secret } = (await call('POST', `${hook}/rotate-secret`)).body;
      receiver.answerWith(status(500, 'no'));
      const id = await happens(server, tenant);
      await server.services.webhooks.sendDue();
      const [got] = receiver.received;
      if (!got) throw new Error('nothing was received');
      const webhook = new Webhook(secret);
      expect(verified(webhook, got)).toMatchObject({ id, event: 'document.deleted', retry_count: 0 });
      expect(got.headers['webhook-id']).toBe(id);
      const at = Number(got.headers['webhook-timestamp']);
      const forged = [
        { ...got, raw: `${got.raw} ` },
        { ...got, headers: { ...got.headers, 'webhook-id': tenant.uuid } },
        { ...got, headers: { ...got.headers, 'webhook-timestamp': String(at - 60) } },
      ];
      for (const each of forged) expect(verifiesIt(webhook, each)).toBe(false);
      expect(verifiesIt(new Webhook(`${secret.slice(0, -4)}AAAA`), got)).toBe(false);
    },
  );

  it.each([
    ['whsec_ and base64', `whsec_${Buffer.from('a key of twenty-five bytes').toString('base64')}`, undefined],
    ['any other text, as raw bytes', 'a-secret-of-the-tests,-long', { format: 'raw' }],
    ['whsec_ and what is no base64, as raw bytes', 'whsec_not-base64-but-long_enough', { format: 'raw' }],
  ] as const)(
    'verifies a delivery with a given secret: %s',
    verifies('webhooks.signature.standard'),
    async (_what, secret, options) => {
      const { call, receiver, hook } = await stagedWebhook(server, { secret });
      await call('POST', `${hook}/test`);
      expect(verified(new Webhook(secret, options), receiver.received[0] as Received)).toMatchObject({
        event: 'test.ping',
      });
    },
  );

  it(
    'verifies with the new and the old secret after a rotation, and with none but the new after a replacement',
    verifies('webhooks.signature.standard'),
    async () => {
      const { call, receiver, hook } = await stagedWebhook(server);
      const [old, now] = [
        (await call('POST', `${hook}/rotate-secret`)).body.secret,
        (await call('POST', `${hook}/rotate-secret`)).body.secret,
      ];
      await call('POST', `${hook}/test`);
      for (const secret of [old, now])
        expect(verifiesIt(new Webhook(secret), receiver.received[0] as Received)).toBe(true);
      const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
      await call('PATCH', hook, { secret: given });
      await call('POST', `${hook}/test`);
      const last = receiver.received[1] as Received;
      expect([given, now, old].map((secret) => verifiesIt(new Webhook(secret), last))).toEqual([true, false, false]);
    },
  );
});
