import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { status } from '../support/webhook-receiver.ts';
import {
  failsForGood,
  newWebhook,
  webhooksPath as path,
  registered,
  stagedWebhook,
  startWebhookServer,
} from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const withKey = (key: string) => ({ 'Idempotency-Key': key });

describe('D19: Idempotency-Key', () => {
  it(
    'makes one webhook and one secret of one key, also while both run; without it two',
    verifies('everywhere.idempotency'),
    async () => {
      const { call } = await tenantOf(server);
      const first = await call('POST', path, newWebhook(), withKey('a'));
      const second = await call('POST', path, newWebhook(), withKey('a'));
      expect([second.status, second.text]).toEqual([200, first.text]);
      expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([
        null,
        'true',
      ]);
      expect(first.body.secret).toMatch(/^whsec_/);
      const both = await Promise.all([1, 2].map(() => call('POST', path, newWebhook(), withKey('b'))));
      expect(both.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true);
      expect((await call('GET', path)).body.total).toBe(2);
      await call('POST', path, newWebhook());
      await call('POST', path, newWebhook());
      expect((await call('GET', path)).body.total).toBe(4);
    },
  );

  it(
    'is 422 for another webhook, and free again after a refusal',
    verifies('everywhere.idempotency.conflicts', 'everywhere.idempotency.atomic'),
    async () => {
      const { call } = await tenantOf(server);
      const refused = await call('POST', path, newWebhook({ url: 'http://127.0.0.1:22/' }), withKey('a'));
      expect(refused.status).toBe(400);
      expect((await call('POST', path, newWebhook(), withKey('a'))).status).toBe(200);
      const other = await call('POST', path, newWebhook({ active: false }), withKey('a'));
      expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect((await call('GET', path)).body.total).toBe(1);
    },
  );

  it('answers the secret of a rotation again, and rotates once', async () => {
    const { call, receiver, hook } = await stagedWebhook(server);
    const first = await call('POST', `${hook}/rotate-secret`, undefined, withKey('a'));
    const second = await call('POST', `${hook}/rotate-secret`, undefined, withKey('a'));
    expect([first.status, second.text]).toEqual([200, first.text]);
    await call('POST', `${hook}/test`);
    // The one before the rotation signs, too: a second rotation would have put the first in its place.
    expect(receiver.received[0]?.headers).toHaveProperty('x-service-signature-previous');
    const third = await call('POST', `${hook}/rotate-secret`, undefined, withKey('b'));
    expect(third.body.secret).not.toBe(first.body.secret);
  });

  it('of a rotation of one webhook does not stand for another', async () => {
    const { call, hook } = await stagedWebhook(server);
    const other = await registered(call);
    await call('POST', `${hook}/rotate-secret`, undefined, withKey('a'));
    expect((await call('POST', `${path}/${other.id}/rotate-secret`, undefined, withKey('a'))).status).toBe(422);
  });

  it(
    'calls a webhook once for a test, and answers the outcome again',
    verifies('webhooks.test', 'everywhere.idempotency'),
    async () => {
      const { call, receiver, hook } = await stagedWebhook(server);
      const first = await call('POST', `${hook}/test`, undefined, withKey('test'));
      const again = await call('POST', `${hook}/test`, undefined, withKey('test'));
      expect([first.status, first.body.status, again.text]).toEqual([200, 'succeeded', first.text]);
      expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
        null,
        'true',
      ]);
      expect(receiver.received).toHaveLength(1);
      expect((await call('GET', `${hook}/deliveries`)).body.deliveries).toEqual([first.body]);
      // A failure of the receiver is an outcome, too.
      receiver.answerWith(status(500, 'no'));
      const failed = await call('POST', `${hook}/test`, undefined, withKey('failed'));
      expect(failed.body).toMatchObject({ status: 'failed', response_status: 500 });
      expect((await call('POST', `${hook}/test`, undefined, withKey('failed'))).text).toBe(failed.text);
      expect(receiver.received).toHaveLength(2);
      const other = await call('POST', `${hook}/test`, { event: 'document.deleted' }, withKey('test'));
      expect([other.status, receiver.received.length]).toEqual([422, 2]);
    },
  );

  it('replays once, and what is replayed is sent', verifies('webhooks.replay', 'everywhere.idempotency'), async () => {
    const stage = await stagedWebhook(server);
    const { call, receiver, hook } = stage;
    const event = await failsForGood(server, stage);
    await call('PATCH', hook, { active: true });
    const [last] = (await call('GET', `${hook}/deliveries?status=failed`)).body.deliveries;
    const one = () => call('POST', `${hook}/deliveries/${last.id}/replay`, undefined, withKey('one'));
    const [first, again] = [await one(), await one()];
    expect([first.status, first.body.status, again.text]).toEqual([200, 'pending', first.text]);
    await server.services.webhooks.sendDue();
    expect(receiver.received.map(({ body }) => body.id)).toEqual([event]);
  });

  it('replays what failed once, and it is sent', async () => {
    const stage = await stagedWebhook(server);
    const { call, receiver, hook } = stage;
    const event = await failsForGood(server, stage);
    await call('PATCH', hook, { active: true });
    const all = () => call('POST', `${hook}/replay`, { since: '2026-01-01T00:00:00Z' }, withKey('all'));
    const [first, again] = [await all(), await all()];
    expect([first.body, again.text]).toEqual([{ success: true, replayed: 1 }, first.text]);
    await server.services.webhooks.sendDue();
    expect(receiver.received.map(({ body }) => body.id)).toEqual([event]);
  });

  it(
    'replays are sent at once by a worker that hears of them after the commit',
    verifies('webhooks.replay'),
    async () => {
      // Real time, and a worker in the process: nothing here asks for what is due.
      const working = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', WORKERS: 'web' }, undefined, {
        isRealTime: true,
      });
      const { call, receiver, hook } = await stagedWebhook(working);
      const { id } = (await call('POST', `${hook}/test`)).body;
      for (const headers of [withKey('one'), {}]) {
        receiver.received.length = 0;
        await call('POST', `${hook}/deliveries/${id}/replay`, undefined, headers as Record<string, string>);
        await eventually('the replay arrives', () => receiver.received.length === 1);
      }
      await eventually('both are written down', async () => {
        const { body } = await call('GET', `${hook}/deliveries?status=succeeded`);
        return body.total === 3;
      });
      await working.stop();
    },
  );
});

describe('D21: the class `sensitive`', () => {
  it(
    'lets a user make ten test calls and rotations an hour, over both APIs and all keys; the 11th is 429 and sends nothing',
    verifies('webhooks.sensitive'),
    async () => {
      const limited = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMITS: '{}' });
      const { call, receiver, hook, tenant, id } = await stagedWebhook(limited);
      const rotated = 'mutation ($uuid: String!) { webhookSecretRotate(input: { uuid: $uuid }) { webhook { uuid } } }';
      const tested = 'mutation ($uuid: String!) { webhookTest(input: { uuid: $uuid }) { delivery { status } } }';
      const remaining: (string | null)[] = [];
      const spend = async (rest: string) => {
        const { status, headers } = await call('POST', `${hook}${rest}`);
        expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, '10']);
        remaining.push(headers.get('x-ratelimit-remaining'));
      };
      for (let calls = 0; calls < 4; calls++) await spend('/test');
      for (let calls = 0; calls < 3; calls++) await spend('/rotate-secret');
      for (const query of [tested, rotated]) expect((await tenant.graphql(query, { uuid: id })).errors).toBeUndefined();
      await spend('/test');
      expect(remaining).toEqual(['9', '8', '7', '6', '5', '4', '3', '0']);
      const sent = receiver.received.length;
      for (const rest of ['/test', '/rotate-secret']) {
        const { status, headers, body } = await call('POST', `${hook}${rest}`);
        expect([rest, status]).toEqual([rest, 429]);
        expect(body).toEqual({ error: { code: 'RATE_LIMITED', message: 'Rate limit exceeded' } });
        expect(headers.get('x-ratelimit-remaining')).toBe('0');
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000);
        expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(1_700_000_000);
      }
      for (const query of [tested, rotated])
        expect((await tenant.graphql(query, { uuid: id })).errors).toMatchObject([
          { extensions: { code: 'RATE_LIMITED' } },
        ]);
      expect(receiver.received).toHaveLength(sent);
      // The rest of the area has budgets of its own.
      expect((await call('GET', hook)).status).toBe(200);
      expect((await call('PATCH', hook, { active: false })).status).toBe(200);
    },
  );

  it(
    'counts changes of the secret, over REST and the graph, and no other change',
    verifies('webhooks.sensitive'),
    async () => {
      const limited = await startTestServer({
        EGRESS_ALLOW: '127.0.0.0/8',
        RATE_LIMITS: JSON.stringify({ '*': 'off', general: '40/1m', sensitive: '2/1h' }),
      });
      const { call, hook, tenant, id } = await stagedWebhook(limited);
      const limitOf = async (body: object) => {
        const answer = await call('PATCH', hook, body);
        return [answer.status, answer.headers.get('x-ratelimit-limit')];
      };
      for (const body of [{ active: false }, { active: true, secret: null }, { url: 'https://hooks.example.com/x' }])
        expect(await limitOf(body)).toEqual([200, '40']);
      expect(await limitOf({ secret: 7 })).toEqual([400, '2']);
      const changed = await call('PATCH', hook, { secret: 'a-secret-of-the-tests', active: false });
      expect([changed.body.active, changed.headers.get('x-ratelimit-limit')]).toEqual([false, '2']);
      expect(await limitOf({ secret: 'another-secret-of-the-tests' })).toEqual([429, '2']);
      const replace =
        'mutation ($uuid: String!) { webhookSecretReplace(input: { uuid: $uuid, secret: "a-third-secret-of-tests" }) { webhook { uuid } } }';
      expect((await tenant.graphql(replace, { uuid: id })).errors).toMatchObject([
        { extensions: { code: 'RATE_LIMITED' } },
      ]);
      expect(await limitOf({ active: true })).toEqual([200, '40']);
    },
  );

  it(
    'changes the secret while general is spent, and other things while sensitive is spent',
    verifies('webhooks.sensitive'),
    async () => {
      const limited = await startTestServer({
        EGRESS_ALLOW: '127.0.0.0/8',
        RATE_LIMITS: JSON.stringify({ '*': 'off', general: '3/1m', sensitive: '9/1h' }),
      });
      const { call, hook } = await stagedWebhook(limited);
      for (const status of [200, 200, 429]) expect((await call('PATCH', hook, { active: true })).status).toBe(status);
      expect((await call('PATCH', hook, { secret: 'a-secret-of-the-tests' })).status).toBe(200);
    },
  );

  it('counts aliases one by one, before the first of them runs', verifies('webhooks.sensitive'), async () => {
    const limited = await startTestServer({
      EGRESS_ALLOW: '127.0.0.0/8',
      RATE_LIMITS: JSON.stringify({ '*': 'off', sensitive: '10/1h' }),
    });
    const { receiver, tenant, id } = await stagedWebhook(limited);
    const calls = Array.from(
      { length: 11 },
      (_, index) => `a${index}: webhookTest(input: { uuid: "${id}" }) { delivery { status } }`,
    );
    const { errors } = await tenant.graphql(`mutation { ${calls.join(' ')} }`);
    expect(errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    expect(receiver.received).toEqual([]);
  });
});
