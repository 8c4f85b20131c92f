import { describe, expect, it, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { openEventStream } from '../support/event-stream.ts';
import { connectedSocket } from '../support/graphql-socket.ts';
import { secondProfileOf } from '../support/people.ts';
import { callerOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';
import { status } from '../support/webhook-receiver.ts';
import {
  happens,
  nowhere,
  webhooksPath as path,
  registered,
  stagedWebhook,
  startWebhookServer,
} from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const { clock } = server;
const staged = () => stagedWebhook(server);
const query = `subscription ($webhook: String) { webhookDelivered(webhookUuid: $webhook) {
  uuid webhookUuid eventUuid event attempt status responseStatus responseMs responseBody error createdAt nextRetryAt } }`;

interface News {
  webhookUuid: string;
  event: string;
  attempt: number;
  status: string;
}

/** A subscription, whatever it runs over. */
interface Listener {
  readonly heard: News[];
  /** Codes of what it was refused with. */
  readonly refused: string[];
  isOver(): boolean;
  /** The code with which the connection was closed; 0 where it has none. */
  closedWith(): Promise<number>;
}

async function overSocket(secret: string, variables: object): Promise<Listener> {
  const connection = await connectedSocket(server.base, secret);
  onTestFinished(() => connection.socket.terminate());
  const [heard, refused]: [News[], string[]] = [[], []];
  let isOver = false;
  connection.send({ type: 'subscribe', id: '1', payload: { query, variables } });
  void (async () => {
    for (;;) {
      const { type, payload } = await connection.next();
      if (type === 'next' && payload.data) heard.push(payload.data.webhookDelivered);
      const errors = type === 'error' ? payload : (payload?.errors ?? []);
      for (const error of errors) refused.push(error.extensions.code);
      if (type === 'error' || type === 'complete') isOver = true;
    }
  })().catch(() => {
    isOver = true;
  });
  return { heard, refused, isOver: () => isOver, closedWith: async () => (await connection.closed).code };
}

async function overSse(secret: string, variables: object): Promise<Listener> {
  const headers = { Authorization: `Bearer ${secret}` };
  const stream = await openEventStream(server.base, query, headers, variables as Record<string, unknown>);
  onTestFinished(() => stream.close());
  const [heard, refused]: [News[], string[]] = [[], []];
  let isOver = false;
  const ended = (async () => {
    for (let event = await stream.next(); event !== null; event = await stream.next()) {
      if (event.data?.data?.webhookDelivered) heard.push(event.data.data.webhookDelivered);
      for (const error of event.data?.errors ?? []) refused.push(error.extensions.code);
      if (event.event === 'complete') break;
    }
  })()
    .catch(() => undefined)
    .then(() => {
      isOver = true;
    });
  return { heard, refused, isOver: () => isOver, closedWith: () => ended.then(() => 0) };
}

/** Calls a webhook until the listener hears of it, then forgets what it heard. */
async function whenListening(listener: Listener, call: () => Promise<unknown>): Promise<void> {
  await eventually('the subscription hears', async () => {
    await call();
    return listener.heard.length > 0;
  });
  // Whatever was probed for has been heard, too: news of one channel come in order.
  const probed = listener.heard.length;
  await call();
  await eventually('the last probe', () => listener.heard.length > probed);
  listener.heard.length = 0;
}

describe.each([
  ['graphql-ws', overSocket],
  ['SSE', overSse],
])('webhookDelivered over %s', (transport, listen) => {
  it(
    "tells every attempt of one's own webhooks, with its outcome, in order",
    verifies('webhooks.delivered'),
    async () => {
      const { tenant, receiver, id, hook, call } = await staged();
      const listener = await listen(tenant.secret, {});
      await whenListening(listener, () => call('POST', `${hook}/test`));
      const begun = clock.now().getTime();
      receiver.answerWith(status(500, 'no'));
      const event = await happens(server, tenant);
      await server.services.webhooks.sendDue();
      const { next_retry_at: nextRetryAt } = (await call('GET', `${hook}/deliveries`)).body.deliveries[0];
      clock.advance(60_000);
      receiver.answerWith(status(200, 'at last'));
      await server.services.webhooks.sendDue();
      await eventually('both attempts', () => listener.heard.length === 2);
      const { deliveries } = (await call('GET', `${hook}/deliveries`)).body;
      const [second, first] = deliveries.filter((each: { event_id: string }) => each.event_id === event);
      const common = { webhookUuid: id, eventUuid: event, event: 'document.deleted', responseMs: expect.any(Number) };
      expect(listener.heard).toEqual([
        {
          ...common,
          uuid: first.id,
          attempt: 1,
          status: 'FAILED',
          responseStatus: 500,
          responseBody: 'no',
          error: first.error,
          createdAt: new Date(begun).toISOString(),
          nextRetryAt,
        },
        {
          ...common,
          uuid: second.id,
          attempt: 2,
          status: 'SUCCEEDED',
          responseStatus: 200,
          responseBody: 'at last',
          error: null,
          createdAt: second.created_at,
          nextRetryAt: null,
        },
      ]);
      expect(listener.refused).toEqual([]);
    },
  );

  it('of one webhook tells of that one alone', verifies('webhooks.delivered'), async () => {
    const { tenant, receiver, id, hook, call } = await staged();
    const other = await registered(call, { url: `${receiver.base}/other` });
    const listener = await listen(tenant.secret, { webhook: id.toUpperCase() });
    await whenListening(listener, () => call('POST', `${hook}/test`));
    await call('POST', `${path}/${other.id}/test`);
    await call('POST', `${hook}/test`, { event: 'user.followed' });
    await eventually('its own', () => listener.heard.length > 0);
    expect(listener.heard.map(({ webhookUuid, event }) => [webhookUuid, event])).toEqual([[id, 'user.followed']]);
  });

  it(
    'F07: tells nothing of another tenant, nor of another profile of the project',
    verifies('webhooks.delivered', 'webhooks.tenants'),
    async () => {
      const [own, otherTenant] = [await staged(), await staged()];
      const sibling = await secondProfileOf(server, own.tenant.user, 'same project');
      const { id } = await registered(sibling.call, { url: otherTenant.receiver.base });
      const listener = await listen(own.tenant.secret, {});
      await whenListening(listener, () => own.call('POST', `${own.hook}/test`));
      await otherTenant.call('POST', `${otherTenant.hook}/test`);
      await sibling.call('POST', `${path}/${id}/test`);
      await happens(server, otherTenant.tenant);
      await server.services.webhooks.sendDue();
      await own.call('POST', `${own.hook}/test`);
      await eventually('its own', () => listener.heard.length > 0);
      expect(listener.heard.map(({ webhookUuid }) => webhookUuid)).toEqual([own.id]);
    },
  );

  it(
    "F07: of another tenant's webhook is refused as NOT_FOUND, like an unknown and a malformed one",
    verifies('webhooks.delivered', 'everywhere.foreign-ids'),
    async () => {
      const [own, otherTenant] = [await staged(), await staged()];
      for (const webhook of [otherTenant.id, nowhere, 'x', '']) {
        const listener = await listen(own.tenant.secret, { webhook });
        await eventually('the refusal', () => listener.isOver());
        expect([webhook, listener.refused, listener.heard]).toEqual([webhook, ['NOT_FOUND'], []]);
      }
      await otherTenant.call('POST', `${otherTenant.hook}/test`);
    },
  );

  it('a key that may only write is refused', verifies('identity.key.scopes'), async () => {
    const { tenant } = await staged();
    const { secret } = await keyOf(server.services, tenant.user, { scopes: ['write'] });
    const listener = await listen(secret, {});
    await eventually('the refusal', () => listener.isOver());
    expect(listener.refused).toEqual(['FORBIDDEN']);
  });

  it('B05: ends when the key is revoked, and tells no more', verifies('graph.socket.credentials'), async () => {
    const { tenant, hook, call } = await staged();
    const other = callerOf(server, (await keyOf(server.services, tenant.user)).secret);
    const listener = await listen(tenant.secret, {});
    await whenListening(listener, () => call('POST', `${hook}/test`));
    await server.services.auth.apiKeys.revoke(tenant.user, { uuid: tenant.uuid });
    await eventually('the end', () => listener.isOver());
    await other('POST', `${hook}/test`);
    expect(listener.heard).toEqual([]);
    expect([0, 4401, 4403]).toContain(await listener.closedWith());
    expect(transport === 'SSE' || (await listener.closedWith()) !== 0).toBe(true);
  });
});

describe('webhookDelivered', () => {
  it('leaves no listener behind when its client goes, with a filter either', async () => {
    const { tenant, id, hook, call } = await staged();
    for (const variables of [{}, { webhook: id }]) {
      const connection = await connectedSocket(server.base, tenant.secret);
      connection.send({ type: 'subscribe', id: '1', payload: { query, variables } });
      await eventually('it hears', async () => {
        await call('POST', `${hook}/test`);
        return connection.waiting.length > 0;
      });
      connection.send({ type: 'complete', id: '1' });
      connection.send({ type: 'ping' });
      await eventually('the pong', () => connection.waiting.some(({ type }) => type === 'pong'));
      const before = connection.waiting.length;
      await call('POST', `${hook}/test`);
      connection.send({ type: 'ping' });
      await eventually('another pong', () => connection.waiting.length > before);
      expect(connection.waiting.slice(before).map(({ type }) => type)).toEqual(['pong']);
      connection.socket.close();
    }
  });
});
