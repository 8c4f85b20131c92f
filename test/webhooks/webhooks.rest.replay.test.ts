import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { status } from '../support/webhook-receiver.ts';
import {
  failsForGood,
  happens,
  nowhere,
  webhooksPath as path,
  registered,
  stagedWebhook,
  startWebhookServer,
} from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const { clock } = server;
const sendDue = () => server.services.webhooks.sendDue();
const staged = () => stagedWebhook(server);

describe('POST /api/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', () => {
  it('answers a new delivery of the same event, and it is sent', verifies('webhooks.replay'), async () => {
    const stage = await staged();
    const { call, receiver, hook, tenant } = stage;
    const event = await happens(server, tenant);
    await sendDue();
    const [first] = (await call('GET', `${hook}/deliveries`)).body.deliveries;
    clock.advance(1_000);
    const { status, body } = await call('POST', `${hook}/deliveries/${first.id}/replay`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      event: 'document.deleted',
      event_id: event,
      status: 'pending',
      attempt: 1,
      error: null,
    });
    expect(body.created_at).toBe(clock.now().toISOString());
    expect(body.id).not.toBe(first.id);
    const pending = await call('POST', `${hook}/deliveries/${body.id}/replay`);
    expect([pending.status, pending.body.error.code]).toEqual([409, 'CONFLICT']);
    await sendDue();
    expect(receiver.received.map(({ body: got }) => [got.id, got.retry_count])).toEqual([
      [event, 0],
      [event, 0],
    ]);
    const [told, again] = receiver.received.map(({ body: got }) => got);
    expect({ ...again, signature: '' }).toEqual({ ...told, signature: '' });
    expect((await call('GET', `${hook}/deliveries`)).body.total).toBe(2);
  });

  it('waits while the webhook is inactive', async () => {
    const { call, receiver, hook } = await staged();
    const { id } = (await call('POST', `${hook}/test`)).body;
    await call('PATCH', hook, { active: false });
    expect((await call('POST', `${hook}/deliveries/${id}/replay`)).body.status).toBe('pending');
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    await call('PATCH', hook, { active: true });
    await sendDue();
    expect(receiver.received).toHaveLength(2);
  });

  it('a test call that is replayed stays one: it is not tried again, and does not fail the webhook', async () => {
    const stage = await staged();
    const { call, hook } = stage;
    const { id } = (await call('POST', `${hook}/test`)).body;
    const replayed = (await call('POST', `${hook}/deliveries/${id}/replay`)).body;
    stage.receiver.answerWith(status(500));
    await sendDue();
    const { deliveries } = (await call('GET', `${hook}/deliveries`)).body;
    const again = deliveries.filter(({ id: each }: { id: string }) => each !== id);
    expect(again).toMatchObject([{ id: replayed.id, status: 'failed', attempt: 1, next_retry_at: null }]);
    expect((await call('GET', hook)).body.status).toBe('active');
  });

  it("is 404 for a delivery of another of one's own webhooks, an unknown and a malformed one", async () => {
    const one = await staged();
    const other = await registered(one.call, { url: `${one.receiver.base}/other` });
    const delivery = (await one.call('POST', `${path}/${other.id}/test`)).body.id;
    const texts = new Set<string>();
    for (const id of [delivery, nowhere, 'x', '1']) {
      const { status, text } = await one.call('POST', `${one.hook}/deliveries/${id}/replay`);
      expect([id, status]).toEqual([id, 404]);
      texts.add(text);
    }
    expect(texts.size).toBe(1);
  });
});

describe('POST /api/webhooks/{webhook_id}/replay', () => {
  it('tells again what failed for good since a time, the oldest first, once', verifies('webhooks.replay'), async () => {
    const stage = await staged();
    const { call, receiver, hook } = stage;
    const early = await failsForGood(server, stage);
    await call('PATCH', hook, { active: true });
    const since = clock.now().toISOString();
    const late = await failsForGood(server, stage);
    expect((await call('GET', hook)).body).toMatchObject({
      active: false,
      status: 'failed',
      failed_at: expect.any(String),
    });
    const replay = (body: object) => call('POST', `${hook}/replay`, body);
    expect((await replay({ since })).body).toEqual({ success: true, replayed: 1 });
    expect((await replay({ since })).body).toEqual({ success: true, replayed: 0 });
    await call('PATCH', hook, { active: true });
    expect((await call('GET', hook)).body).toMatchObject({ active: true, status: 'active', failed_at: null });
    await sendDue();
    expect(receiver.received.map(({ body }) => [body.id, body.retry_count])).toEqual([[late, 0]]);
    expect((await replay({ since: '2026-01-01T00:00:00+02:00' })).body).toEqual({ success: true, replayed: 1 });
    await sendDue();
    expect(receiver.received.map(({ body }) => body.id)).toEqual([late, early]);
    expect((await replay({ since: '2026-01-01T00:00:00.000Z' })).body.replayed).toBe(0);
  });

  it('tells it once, though it is asked twice at once', verifies('webhooks.replay'), async () => {
    const stage = await staged();
    await failsForGood(server, stage);
    const since = '2026-01-01T00:00:00.000Z';
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => stage.call('POST', `${stage.hook}/replay`, { since })),
    );
    expect(answers.reduce((sum, { body }) => sum + body.replayed, 0)).toBe(1);
  });

  it('passes over test calls and what is still to be tried', async () => {
    const { call, receiver, hook, tenant } = await staged();
    receiver.answerWith(status(500));
    await call('POST', `${hook}/test`);
    await happens(server, tenant);
    await sendDue();
    expect((await call('POST', `${hook}/replay`, { since: '2026-01-01T00:00:00Z' })).body.replayed).toBe(0);
  });

  it.each([
    [undefined],
    [{}],
    [{ since: null }],
    [{ since: '' }],
    [{ since: 'yesterday' }],
    [{ since: '2026-01-01' }],
    [{ since: '2026-01-01T00:00:00' }],
    [{ since: '2026-13-01T00:00:00Z' }],
    [{ since: '2026-02-30T00:00:00Z' }],
    [{ since: 0 }],
    [{ since: 1_767_225_600_000 }],
    [{ since: ['2026-01-01T00:00:00Z'] }],
    [{ since: {} }],
    [{ since: true }],
  ])('with %j is 400 naming since', verifies('webhooks.fields'), async (input) => {
    const { call, hook } = await staged();
    const { status, body } = await call('POST', `${hook}/replay`, input);
    expect([status, body.error && Object.keys(body.error.details)]).toEqual([400, ['since']]);
  });
});
