import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { status } from '../support/webhook-receiver.ts';
import {
  deadUrl,
  happens,
  webhooksPath as path,
  stagedWebhook,
  startWebhookServer,
  uuidPattern,
} from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const { clock } = server;
const sendDue = () => server.services.webhooks.sendDue();
const minute = 60_000;

const staged = () => stagedWebhook(server);

describe('POST /api/webhooks/{webhook_id}/test', () => {
  it("sends an agent's event with the agent beside its data, as documented", verifies('webhooks.test'), async () => {
    const { call, receiver, hook } = await staged();
    await call('POST', `${hook}/test`, { event: 'agent.activated' });
    const [got] = receiver.received;
    const members = ['id', 'event', 'agent_uuid', 'agent_name', 'timestamp', 'signature', 'data', 'retry_count'];
    expect(Object.keys(got?.body ?? {})).toEqual(members);
    expect(got?.body).toMatchObject({
      agent_uuid: expect.stringMatching(uuidPattern),
      agent_name: 'example-agent',
      data: { from_state: 'PROVISIONED', to_state: 'ACTIVE' },
    });
  });

  it('sends test.ping and answers the delivery', verifies('webhooks.test'), async () => {
    const { call, receiver, hook } = await staged();
    for (const input of [
      undefined,
      {},
      { event: null },
      { event: 'test.ping' },
      { event: 'test.ping', data: { x: 1 } },
    ]) {
      receiver.received.length = 0;
      const { status, body } = await call('POST', `${hook}/test`, input);
      const [got] = receiver.received;
      expect([status, got?.body.event, got?.body.retry_count]).toEqual([200, 'test.ping', 0]);
      expect(body).toEqual({
        id: expect.stringMatching(uuidPattern),
        event: 'test.ping',
        event_id: got?.body.id,
        status: 'succeeded',
        attempt: 1,
        response_status: 200,
        response_ms: expect.any(Number),
        response_body: 'ok',
        error: null,
        created_at: clock.now().toISOString(),
        next_retry_at: null,
      });
      expect(got?.body.data).not.toHaveProperty('x');
    }
  });

  it(
    'sends any event of the catalogue, with data that its schema describes',
    verifies('webhooks.test', 'webhooks.events'),
    async () => {
      const { call, receiver, hook } = await staged();
      const { events } = (await call('GET', `${path}/events`)).body;
      for (const [event, schema] of Object.entries<{ required: string[] }>(events)) {
        receiver.received.length = 0;
        expect((await call('POST', `${hook}/test`, { event })).body.event).toBe(event);
        expect(receiver.received[0]?.body.event).toBe(event);
        expect(Object.keys(receiver.received[0]?.body.data).sort(), event).toEqual([...schema.required].sort());
      }
    },
  );

  it('answers a failure as a delivery that is not tried again', verifies('webhooks.test'), async () => {
    const { call, receiver, hook, id } = await staged();
    receiver.answerWith(status(503, 'maintenance'));
    const refused = await call('POST', `${hook}/test`);
    expect(refused.status).toBe(200);
    expect(refused.body).toMatchObject({ status: 'failed', response_status: 503, response_body: 'maintenance' });
    expect(refused.body).toMatchObject({ error: expect.stringMatching(/503/), next_retry_at: null });
    await call('PATCH', `${path}/${id}`, { url: deadUrl });
    const dead = await call('POST', `${hook}/test`);
    expect([dead.status, dead.body.status, dead.body.response_status, dead.body.response_body]).toEqual([
      200,
      'failed',
      null,
      null,
    ]);
    expect(dead.body.error).toMatch(/\S/);
    clock.advance(24 * 60 * minute);
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    expect((await call('GET', hook)).body).toMatchObject({ active: true, status: 'active' });
  });

  it.each([
    ['server.exploded'],
    ['TEST.PING'],
    [''],
    ['constructor'],
    ['__proto__'],
    ['test.ping\u0000'],
    ['x'.repeat(1_000)],
    [7],
    [['test.ping']],
    [{}],
  ])('with the event %j is 400 naming event, and sends nothing', verifies('webhooks.fields'), async (event) => {
    const { call, receiver, hook } = await staged();
    const { status, body } = await call('POST', `${hook}/test`, { event });
    expect([status, Object.keys(body.error.details)]).toEqual([400, ['event']]);
    expect(receiver.received).toEqual([]);
    expect((await call('GET', `${hook}/deliveries`)).body.total).toBe(0);
  });
});

describe('GET /api/webhooks/{webhook_id}/deliveries', () => {
  it('answers an empty page, then each attempt, the newest first', verifies('webhooks.deliveries'), async () => {
    const stage = await staged();
    const { call, receiver, hook, tenant } = stage;
    expect((await call('GET', `${hook}/deliveries`)).body).toEqual({ deliveries: [], total: 0, limit: 20, offset: 0 });
    receiver.answerWith(status(500, 'no'));
    const begun = clock.now();
    const event = await happens(server, tenant);
    await sendDue();
    const retryAt = new Date(begun.getTime() + minute);
    const { deliveries, ...page } = (await call('GET', `${hook}/deliveries`)).body;
    expect(page).toEqual({ total: 2, limit: 20, offset: 0 });
    const shared = { id: expect.stringMatching(uuidPattern), event: 'document.deleted', event_id: event };
    const nothing = { response_status: null, response_ms: null, response_body: null, error: null };
    expect(deliveries).toEqual([
      {
        ...shared,
        status: 'pending',
        attempt: 2,
        ...nothing,
        created_at: expect.any(String),
        next_retry_at: expect.any(String),
      },
      {
        ...shared,
        status: 'failed',
        attempt: 1,
        response_status: 500,
        response_ms: expect.any(Number),
        response_body: 'no',
        error: expect.stringMatching(/500/),
        created_at: begun.toISOString(),
        next_retry_at: expect.any(String),
      },
    ]);
    // A minute from the beginning of the attempt: its own duration is part of it.
    for (const { next_retry_at: at } of deliveries)
      expect(Math.abs(Date.parse(at) - retryAt.getTime())).toBeLessThan(2_000);
    expect(deliveries[0].next_retry_at).toBe(deliveries[1].next_retry_at);
    receiver.answerWith(status(204));
    clock.advance(minute);
    await sendDue();
    const after = (await call('GET', `${hook}/deliveries`)).body.deliveries;
    expect(after[0]).toMatchObject({
      attempt: 2,
      status: 'succeeded',
      response_status: 204,
      response_body: '',
      next_retry_at: null,
    });
    // It was made again: there is no next attempt of it.
    expect(after[1]).toEqual({ ...deliveries[1], next_retry_at: null });
  });

  it('D11: shows the first kilobyte of an answer, whatever it is made of', async () => {
    const { call, receiver, hook } = await staged();
    for (const [sent, shown] of [
      ['x'.repeat(5_000), 'x'.repeat(1_024)],
      ['é'.repeat(600), 'é'.repeat(512)],
      ['a\u0000b', 'a\ufffdb'],
      [Buffer.from([0xff, 0xfe, 0x41]), '\ufffd\ufffdA'],
      ['', ''],
    ] as const) {
      receiver.answerWith((_call, res) => res.end(sent));
      expect((await call('POST', `${hook}/test`)).body.response_body).toBe(shown);
    }
  });

  it('selects by status and pages by limit and offset', verifies('webhooks.deliveries'), async () => {
    const stage = await staged();
    const { call, receiver, hook, tenant } = stage;
    for (let sent = 0; sent < 3; sent++) {
      await call('POST', `${hook}/test`);
      clock.advance(1_000);
    }
    receiver.answerWith(status(500));
    await happens(server, tenant);
    await sendDue();
    const of = async (query: string) => (await call('GET', `${hook}/deliveries?${query}`)).body;
    const all = (await of('')).deliveries;
    expect(all).toHaveLength(5);
    for (const [state, total] of [
      ['pending', 1],
      ['failed', 1],
      ['succeeded', 3],
    ] as const) {
      const page = await of(`status=${state}`);
      expect(page.total).toBe(total);
      expect(page.deliveries).toEqual(all.filter((each: { status: string }) => each.status === state));
    }
    expect(await of('limit=2&offset=1')).toEqual({ deliveries: all.slice(1, 3), total: 5, limit: 2, offset: 1 });
    expect(await of('status=succeeded&limit=1&offset=2')).toMatchObject({
      deliveries: [all[4]],
      total: 3,
      limit: 1,
      offset: 2,
    });
    expect(await of('offset=99')).toEqual({ deliveries: [], total: 5, limit: 20, offset: 99 });
    expect((await of('limit=100')).deliveries).toEqual(all);
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'x'],
    ['limit', ''],
    ['limit', '1e1'],
    ['limit', '2147483648'],
    ['offset', '-1'],
    ['offset', 'x'],
    ['offset', '2147483648'],
    ['status', 'PENDING'],
    ['status', 'done'],
    ['status', ''],
    ['status', 'pending,failed'],
  ])('with %s=%s is 400 naming it', verifies('everywhere.pages'), async (name, value) => {
    const { call, hook } = await staged();
    const { status, body } = await call('GET', `${hook}/deliveries?${name}=${value}`);
    expect([status, Object.keys(body.error.details)]).toEqual([400, [name]]);
    if (name === 'status') return;
    const list = await call('GET', `${path}?${name}=${value}`);
    expect([list.status, Object.keys(list.body.error.details)]).toEqual([400, [name]]);
  });
});
