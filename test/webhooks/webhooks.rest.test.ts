import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/event-catalogue/index.ts';
import { verifyWebhook } from '../../src/webhooks/verify-webhook.mjs';
import { verifies } from '../requirements.ts';
import { callerOf, tenantOf } from '../support/server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import {
  happens,
  newWebhook,
  webhooksPath as path,
  registered,
  startWebhookServer,
  uuidPattern,
} from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const { clock } = server;
const sendDue = () => server.services.webhooks.sendDue();
const given = 'a-secret-of-the-owner';

/** The ten events, and those of agents. Source: docs/specification/webhooks.md#events. */
const documented = [
  'server.installed',
  'server.uninstalled',
  'server.updated',
  'document.created',
  'document.deleted',
  'collection.shared',
  'collection.updated',
  'user.followed',
  'user.unfollowed',
  'notification.created',
];
const announced = ['created', 'provisioned', 'activated', 'draining', 'terminated', 'killed', 'unhealthy'].map(
  (state) => `agent.${state}`,
);
/** Events of our own. */
const added = [
  'document.failed',
  'document.updated',
  'chat.citation_stale',
  'agent.recovered',
  'agent.resumed',
  'agent.suspended',
  'oauth.refresh_failed',
  'oauth.refresh_recovered',
  'server.authorization_report_changed',
];

describe('POST /api/webhooks', () => {
  it(
    'answers id, url, events, active and created_at, and no more when the secret was given',
    verifies('webhooks.create'),
    async () => {
      const { call } = await tenantOf(server);
      const { status, body } = await call('POST', path, newWebhook({ active: false, secret: given }));
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(uuidPattern),
        url: 'https://hooks.example.com/in',
        events: ['document.deleted'],
        active: false,
        created_at: clock.now().toISOString(),
      });
    },
  );

  it(
    'makes a secret when none is given, shows it this once, and signs with it; active by default',
    verifies('webhooks.create', 'webhooks.secret.shown-once'),
    async () => {
      const tenant = await tenantOf(server);
      const receiver = await startReceiver();
      for (const over of [{}, { secret: null }]) {
        const body = await registered(tenant.call, { url: `${receiver.base}/in`, ...over });
        expect(Object.keys(body)).toEqual(['id', 'url', 'events', 'active', 'created_at', 'secret']);
        expect(body.active).toBe(true);
        expect(body.secret).toMatch(/^whsec_[A-Za-z0-9]{44}$/);
        receiver.received.length = 0;
        await tenant.call('POST', `${path}/${body.id}/test`);
        const [got] = receiver.received;
        expect(verifyWebhook(body.secret, got?.raw ?? '', got?.headers['x-service-signature'])).toBe(true);
      }
    },
  );

  it('signs with the secret that was given, byte for byte', async () => {
    const { call } = await tenantOf(server);
    const receiver = await startReceiver();
    const secret = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
    const { id } = await registered(call, { url: receiver.base, secret });
    await call('POST', `${path}/${id}/test`);
    const [got] = receiver.received;
    expect(verifyWebhook(secret, got?.raw ?? '', got?.headers['x-service-signature'])).toBe(true);
  });

  it(
    'lets subscribe to each documented event and to the announced ones of agents',
    verifies('webhooks.events'),
    async () => {
      const { call } = await tenantOf(server);
      expect((await registered(call, { events: documented })).events).toEqual(documented);
      expect((await registered(call, { events: announced })).events).toEqual(announced);
      for (const event of [...documented, ...announced])
        expect((await registered(call, { events: [event] })).events).toEqual([event]);
    },
  );

  it('D17: takes an event that is named twice once, in the order given', async () => {
    const { call } = await tenantOf(server);
    const events = ['user.followed', 'document.deleted', 'user.followed', 'user.followed'];
    expect((await registered(call, { events })).events).toEqual(['user.followed', 'document.deleted']);
  });

  it('ignores what the client must not say', async () => {
    const { call } = await tenantOf(server);
    const other = await tenantOf(server);
    const profileUuid = other.caller.principal?.profileUuid;
    const forged = { id: nil, uuid: nil, profileUuid, profile_uuid: profileUuid, created_at: '2000-01-01T00:00:00Z' };
    const body = await registered(call, { ...forged, status: 'failed', failed_at: '2000-01-01T00:00:00Z' });
    expect(body.id).not.toBe(nil);
    expect(body.created_at).toBe(clock.now().toISOString());
    expect((await other.call('GET', path)).body).toEqual({ webhooks: [], total: 0 });
    expect((await call('GET', `${path}/${body.id}`)).body).toMatchObject({ status: 'active', failed_at: null });
  });

  it('takes 50 in a profile, refuses the 51st with 409 however many come at once, and another once one is gone', async () => {
    const { call } = await tenantOf(server);
    for (let made = 0; made < 46; made++) await registered(call);
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', path, newWebhook())));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
    const { body } = await call('GET', path);
    expect([body.total, body.webhooks.length]).toEqual([50, 50]);
    expect((await call('POST', path, newWebhook())).body.error.code).toBe('CONFLICT');
    await call('DELETE', `${path}/${body.webhooks[0].id}`);
    expect((await call('POST', path, newWebhook())).status).toBe(200);
  });
});

const nil = '00000000-0000-4000-8000-000000000000';

/** What is shown of a webhook everywhere but at its creation. */
const shown = (body: { id: string; url: string; events: string[]; created_at: string }, over: object = {}) => ({
  id: body.id,
  url: body.url,
  events: body.events,
  active: true,
  status: 'active',
  failed_at: null,
  created_at: body.created_at,
  updated_at: body.created_at,
  ...over,
});

describe('GET /api/webhooks and GET /api/webhooks/{webhook_id}', () => {
  it(
    'answer {webhooks, total}, the newest first, and one',
    verifies('webhooks.list', 'webhooks.secret.shown-once'),
    async () => {
      const { call } = await tenantOf(server);
      expect((await call('GET', path)).body).toEqual({ webhooks: [], total: 0 });
      const made = [];
      for (const name of ['a', 'b', 'c']) {
        made.unshift(await registered(call, { url: `https://hooks.example.com/${name}`, secret: given }));
        clock.advance(1_000);
      }
      const { status, body } = await call('GET', path);
      expect(status).toBe(200);
      expect(body).toEqual({ webhooks: made.map((each) => shown(each)), total: 3 });
      for (const each of made) expect((await call('GET', `${path}/${each.id}`)).body).toEqual(shown(each));
      expect((await call('GET', `${path}/${made[0].id.toUpperCase()}`)).body).toEqual(shown(made[0]));
    },
  );

  it('page by limit and offset', async () => {
    const { call } = await tenantOf(server);
    for (let made = 0; made < 5; made++) await registered(call);
    const all = (await call('GET', path)).body.webhooks;
    const page = (await call('GET', `${path}?limit=2&offset=1`)).body;
    expect(page).toEqual({ webhooks: all.slice(1, 3), total: 5 });
    expect((await call('GET', `${path}?offset=5`)).body).toEqual({ webhooks: [], total: 5 });
  });
});

describe('PATCH /api/webhooks/{webhook_id}', () => {
  it('changes url, events and active, each alone, and leaves the rest', verifies('webhooks.update'), async () => {
    const { call } = await tenantOf(server);
    const made = await registered(call);
    const changes: [change: object, expected: object][] = [
      [{ url: 'https://other.example.com/' }, { url: 'https://other.example.com/' }],
      [{ events: ['user.followed', 'agent.killed', 'user.followed'] }, { events: ['user.followed', 'agent.killed'] }],
      [{ active: false }, { active: false, status: 'inactive' }],
      [{ active: true }, { active: true, status: 'active' }],
      [{ url: null, events: null, active: null, secret: null }, {}],
      [{}, {}],
      [{ id: nil, created_at: '2000-01-01T00:00:00Z', status: 'failed', name: 'x' }, {}],
    ];
    let now = shown(made);
    for (const [change, expected] of changes) {
      clock.advance(1_000);
      const { status, body } = await call('PATCH', `${path}/${made.id}`, change);
      now = { ...now, ...expected, updated_at: clock.now().toISOString() };
      expect([status, body]).toEqual([200, now]);
      expect((await call('GET', `${path}/${made.id}`)).body).toEqual(now);
    }
  });

  it('takes a new secret, which counts at once and alone, and does not show it', async () => {
    const { call } = await tenantOf(server);
    const receiver = await startReceiver();
    const made = await registered(call, { url: receiver.base });
    const { status, text } = await call('PATCH', `${path}/${made.id}`, { secret: given });
    expect(status).toBe(200);
    expect(text).not.toContain('secret');
    await call('POST', `${path}/${made.id}/test`);
    const [got] = receiver.received;
    expect(verifyWebhook(given, got?.raw ?? '', got?.headers['x-service-signature'])).toBe(true);
    expect(got?.headers).not.toHaveProperty('x-service-signature-previous');
  });

  it(
    'tells of what happens from then on to the new url and of the new events alone',
    verifies('webhooks.update'),
    async () => {
      const tenant = await tenantOf(server);
      const [before, after] = [await startReceiver(), await startReceiver()];
      const { id } = await registered(tenant.call, { url: before.base });
      await tenant.call('PATCH', `${path}/${id}`, { url: after.base, events: ['document.created'] });
      await happens(server, tenant, 'document.deleted');
      const event = await happens(server, tenant, 'document.created');
      await sendDue();
      expect([before.received.length, after.received.map(({ body }) => body.id)]).toEqual([0, [event]]);
    },
  );
});

describe('DELETE /api/webhooks/{webhook_id}', () => {
  it('answers success and a message; then it and its deliveries are gone', verifies('webhooks.delete'), async () => {
    const tenant = await tenantOf(server);
    const { call } = tenant;
    const receiver = await startReceiver();
    const { id } = await registered(call, { url: receiver.base });
    const { id: delivery } = (await call('POST', `${path}/${id}/test`)).body;
    await happens(server, tenant);
    const { status, body } = await call('DELETE', `${path}/${id}`);
    expect([status, body]).toEqual([200, { success: true, message: expect.stringMatching(/\S/) }]);
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    for (const [method, rest, input] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', '', {}],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
      ['POST', `/deliveries/${delivery}/replay`],
    ] as const)
      expect([rest, (await call(method, `${path}/${id}${rest}`, input)).status]).toEqual([rest, 404]);
    expect((await call('GET', path)).body.total).toBe(0);
  });

  it('deletes one with more deliveries than one statement takes along', verifies('webhooks.delete'), async () => {
    const { call } = await tenantOf(server);
    const { id } = await registered(call, { url: 'https://example.com/hook' });
    await server.database.query({
      text: `INSERT INTO webhook_deliveries (uuid, webhook_uuid, event_uuid, event, attempt, status, due_at, created_at,
          updated_at)
        SELECT gen_random_uuid(), $1, gen_random_uuid(), 'document.deleted', 1, 'succeeded', $2, $2, $2
        FROM generate_series(1, 41000)`,
      values: [id, clock.now()],
      query_timeout: 9_000,
    });
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(200);
    const left = await server.database.query({
      text: 'SELECT 1 FROM webhook_deliveries WHERE webhook_uuid = $1',
      values: [id],
    });
    expect([left.length, (await call('GET', `${path}/${id}`)).status]).toEqual([0, 404]);
  });
});

describe('POST /api/webhooks/{webhook_id}/rotate-secret', () => {
  it(
    'answers the webhook with its new secret; the old one signs beside it for 24 hours',
    verifies('webhooks.rotate', 'webhooks.secret.shown-once'),
    async () => {
      const { call } = await tenantOf(server);
      const receiver = await startReceiver();
      const made = await registered(call, { url: receiver.base });
      clock.advance(1_000);
      const { status, body } = await call('POST', `${path}/${made.id}/rotate-secret`);
      const { secret, ...rest } = body;
      expect([status, rest]).toEqual([200, shown(made, { updated_at: clock.now().toISOString() })]);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9]{44}$/);
      expect(secret).not.toBe(made.secret);
      const signed = async () => {
        receiver.received.length = 0;
        await call('POST', `${path}/${made.id}/test`);
        const { raw = '', headers } = receiver.received[0] ?? {};
        const [current, previous] = [headers?.['x-service-signature'], headers?.['x-service-signature-previous']];
        return [verifyWebhook(secret, raw, current), verifyWebhook(made.secret, raw, previous)];
      };
      expect(await signed()).toEqual([true, true]);
      clock.advance(24 * 3_600_000 - 1);
      expect(await signed()).toEqual([true, true]);
      clock.advance(1);
      expect(await signed()).toEqual([true, false]);
    },
  );
});

describe('GET /api/webhooks/events', () => {
  it('publishes the catalogue: every event with the JSON Schema of its data', verifies('webhooks.events'), async () => {
    const { status, body } = await callerOf(server, null)('GET', `${path}/events`);
    expect([status, Object.keys(body)]).toEqual([200, ['events']]);
    expect(Object.keys(body.events).sort()).toEqual([...documented, ...announced, ...added].sort());
    expect([...eventTypes].sort()).toEqual([...documented, ...announced, ...added].sort());
    for (const [name, schema] of Object.entries<{ type: string; properties: object; description: string }>(
      body.events,
    )) {
      expect(schema.type, name).toBe('object');
      expect(Object.keys(schema.properties).length, name).toBeGreaterThan(0);
      expect(schema.description, name).toMatch(/\S/);
    }
  });

  it("the schemas hold the content that the specification's table names", verifies('webhooks.events'), async () => {
    const { events } = (await callerOf(server, null)('GET', `${path}/events`)).body;
    const content: Record<string, string[]> = {
      'server.installed': ['server_uuid', 'user_id', 'profile_uuid', 'metadata'],
      'server.uninstalled': ['server_uuid', 'user_id'],
      'server.updated': ['server_uuid', 'changes'],
      'document.created': ['document_id', 'profile_uuid'],
      'document.deleted': ['document_id'],
      'collection.shared': ['collection_uuid'],
      'collection.updated': ['collection_uuid', 'changes'],
      'user.followed': ['follower_id', 'followed_id'],
      'user.unfollowed': ['follower_id', 'followed_id'],
      'notification.created': ['notification_id', 'type'],
      ...Object.fromEntries(announced.map((name) => [name, ['from_state', 'to_state']])),
    };
    for (const [name, fields] of Object.entries(content))
      expect(events[name].required, name).toEqual(expect.arrayContaining(fields));
    expect(events['server.installed'].properties.metadata.required.sort()).toEqual(['source', 'version']);
  });
});
