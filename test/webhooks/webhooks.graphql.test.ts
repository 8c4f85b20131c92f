import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../src/webhooks/verify-webhook.mjs';
import { verifies } from '../requirements.ts';
import { tenantOf } from '../support/server.ts';
import { documents, errorOf } from '../support/webhook-documents.ts';
import { status } from '../support/webhook-receiver.ts';
import {
  failsForGood,
  happens,
  webhooksPath as path,
  registered,
  stagedWebhook,
  startWebhookServer,
  uuidPattern,
} from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const { clock } = server;
const staged = () => stagedWebhook(server);

describe('mutations', () => {
  it(
    'create, change, rotate and delete as REST does',
    verifies('webhooks.graph', 'webhooks.create', 'webhooks.secret.shown-once'),
    async () => {
      const { graphql, call } = await tenantOf(server);
      const url = 'https://hooks.example.com/in';
      const events = ['document.deleted', 'agent.killed', 'document.deleted'];
      const made = (await graphql(documents.create, { input: { url, events } })).data.webhookCreate;
      expect(made.secret).toMatch(/^whsec_[A-Za-z0-9]{44}$/);
      const now = clock.now().toISOString();
      const expected = {
        url,
        events: ['document.deleted', 'agent.killed'],
        active: true,
        status: 'ACTIVE',
        failedAt: null,
      };
      expect(made.webhook).toEqual({
        uuid: expect.stringMatching(uuidPattern),
        ...expected,
        previousSecretUntil: null,
        createdAt: now,
        updatedAt: now,
      });
      const { uuid } = made.webhook;
      expect((await call('GET', `${path}/${uuid}`)).body).toMatchObject({ id: uuid, url, active: true });
      const given = (
        await graphql(documents.create, { input: { url, events, active: false, secret: 'a-secret-of-the-owner' } })
      ).data;
      expect(given.webhookCreate).toMatchObject({ secret: null, webhook: { active: false, status: 'INACTIVE' } });
      const changed = (await graphql(documents.update, { input: { uuid, active: false } })).data.webhookUpdate.webhook;
      expect(changed).toEqual({ ...made.webhook, active: false, status: 'INACTIVE' });
      const rotated = (await graphql(documents.rotate, { input: { uuid } })).data.webhookSecretRotate;
      expect(rotated.secret).not.toBe(made.secret);
      expect(Date.parse(rotated.webhook.previousSecretUntil) - clock.now().getTime()).toBe(24 * 3_600_000);
      expect((await graphql(documents.delete, { input: { uuid } })).data.webhookDelete).toEqual({ uuid });
      expect(errorOf(await graphql(documents.one, { uuid })).code).toBe('NOT_FOUND');
    },
  );

  it(
    'test, replay one and replay all that failed',
    verifies('webhooks.graph', 'webhooks.replay', 'webhooks.test'),
    async () => {
      const stage = await staged();
      const { tenant, receiver, id, call, hook } = stage;
      const { graphql } = tenant;
      const tested = (await graphql(documents.test, { input: { uuid: id } })).data.webhookTest.delivery;
      expect(tested).toMatchObject({ event: 'test.ping', isTest: true, status: 'SUCCEEDED', responseStatus: 200 });
      expect(tested.webhook.url).toBe(`${receiver.base}/in`);
      const again = (await graphql(documents.replay, { input: { webhookUuid: id, uuid: tested.uuid } })).data;
      expect(again.webhookDeliveryReplay.delivery).toMatchObject({ attempt: 1, status: 'PENDING' });
      expect(
        errorOf(
          await graphql(documents.replay, {
            input: { webhookUuid: id, uuid: again.webhookDeliveryReplay.delivery.uuid },
          }),
        ).code,
      ).toBe('CONFLICT');
      await server.services.webhooks.sendDue();
      const event = await failsForGood(server, stage);
      await call('PATCH', hook, { active: true });
      const input = { webhookUuid: id, since: '2026-01-01T00:00:00Z' };
      expect((await graphql(documents.replayFailed, { input })).data.webhookFailedReplay).toEqual({ count: 1 });
      expect((await graphql(documents.replayFailed, { input })).data.webhookFailedReplay).toEqual({ count: 0 });
      await server.services.webhooks.sendDue();
      expect(receiver.received.map(({ body }) => body.id)).toEqual([event]);
    },
  );

  it.each([
    ['create', { url: 'https://10.0.0.1/', events: ['document.deleted'] }, 'url'],
    ['create', { url: 'https://hooks.example.com/', events: [] }, 'events'],
    ['create', { url: 'https://hooks.example.com/', events: ['server.exploded'] }, 'events'],
    ['create', { url: 'https://hooks.example.com/', events: ['document.deleted'], secret: 'short' }, 'secret'],
    ['update', { url: 'http://localhost/' }, 'url'],
    ['update', { url: '' }, 'url'],
    ['update', { events: [] }, 'events'],
    ['replaceSecret', { secret: '' }, 'secret'],
    ['test', { event: 'server.exploded' }, 'event'],
  ] as const)(
    '%s with %j is VALIDATION_ERROR naming %s',
    verifies('webhooks.graph', 'webhooks.fields'),
    async (name, input, field) => {
      const { tenant, id } = await staged();
      const answer = await tenant.graphql(documents[name], {
        input: name === 'create' ? input : { uuid: id, ...input },
      });
      expect(errorOf(answer)).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { [field]: expect.stringMatching(new RegExp(`^${field} `)) },
      });
    },
  );

  it('a secret is no field of anything that can be read', verifies('webhooks.secret.shown-once'), async () => {
    const { tenant } = await staged();
    for (const field of ['secret', 'previousSecret']) {
      const answer = await tenant.graphql(`{ webhooks { nodes { ${field} } } }`);
      expect(answer.errors[0].message).toContain(`"${field}"`);
    }
  });
});

describe('webhooks', () => {
  it('pages by cursor, the newest first, and counts', verifies('webhooks.graph', 'graph.connections'), async () => {
    const { graphql, call } = await tenantOf(server);
    const uuids: string[] = [];
    for (let made = 0; made < 7; made++) {
      uuids.unshift((await registered(call)).id);
      clock.advance(1);
    }
    for (const first of [1, 3, 7, 50, 100]) {
      const seen: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        // biome-ignore lint/suspicious/noExplicitAny: as it comes
        const { webhooks }: { webhooks: any } = (await graphql(documents.list, { first, after })).data;
        expect(webhooks.totalCount).toBe(7);
        const page = webhooks.edges.map(({ node }: { node: { uuid: string } }) => node.uuid);
        expect(webhooks.nodes.map(({ uuid }: { uuid: string }) => uuid)).toEqual(page);
        seen.push(...page);
        more = webhooks.pageInfo.hasNextPage;
        expect(more).toBe(seen.length < 7);
        after = webhooks.pageInfo.endCursor;
        expect(after).toBe(webhooks.edges.at(-1).cursor);
      }
      expect(seen).toEqual(uuids);
    }
  });

  it.each([
    [{ first: 101 }, 'first'],
    [{ first: -1 }, 'first'],
    [{ after: 'x' }, 'after'],
    [{ after: '' }, 'after'],
  ])('with %j is VALIDATION_ERROR, of deliveries too', verifies('graph.connections'), async (input, field) => {
    const { tenant, id } = await staged();
    for (const answer of [
      await tenant.graphql(documents.list, input),
      await tenant.graphql(documents.deliveries, { uuid: id, ...input }),
    ])
      expect(errorOf(answer)).toMatchObject({ code: 'VALIDATION_ERROR', details: { [field]: expect.any(String) } });
  });

  it(
    'their deliveries page by cursor, of one status too, each list its own',
    verifies('webhooks.graph', 'webhooks.deliveries'),
    async () => {
      const { tenant, id, hook, call, receiver } = await staged();
      clock.advance(1_000);
      const other = await registered(call, { url: `${receiver.base}/other`, events: ['user.followed'] });
      for (let sent = 0; sent < 4; sent++) {
        await call('POST', `${hook}/test`);
        await call('POST', `${path}/${other.id}/test`);
        if (sent % 2) clock.advance(1_000);
      }
      receiver.answerWith(status(500, 'no'));
      await happens(server, tenant);
      await server.services.webhooks.sendDue();
      const all = (await call('GET', `${hook}/deliveries`)).body.deliveries as { id: string; status: string }[];
      const seen: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const variables: Record<string, unknown> = { uuid: id, first: 2, after };
        const { deliveries } = (await tenant.graphql(documents.deliveries, variables)).data.webhook;
        expect(deliveries.totalCount).toBe(6);
        seen.push(...deliveries.nodes.map(({ uuid }: { uuid: string }) => uuid));
        ({ hasNextPage: more, endCursor: after } = deliveries.pageInfo);
      }
      expect(seen).toEqual(all.map((each) => each.id));
      const failed = (await tenant.graphql(documents.deliveries, { uuid: id, status: 'FAILED' })).data.webhook
        .deliveries;
      expect([failed.totalCount, failed.nodes.length]).toEqual([1, 1]);
      expect(failed.nodes[0]).toMatchObject({
        webhookUuid: id,
        attempt: 1,
        isTest: false,
        responseStatus: 500,
        responseBody: 'no',
        nextRetryAt: expect.any(String),
      });
      const aliased =
        '{ a: deliveries(first: 1) { totalCount nodes { webhookUuid } } b: deliveries(status: PENDING) { totalCount } }';
      const { nodes } = (await tenant.graphql(`{ webhooks { nodes ${aliased} } }`)).data.webhooks;
      expect(nodes).toEqual([
        { a: { totalCount: 4, nodes: [{ webhookUuid: other.id }] }, b: { totalCount: 0 } },
        { a: { totalCount: 6, nodes: [{ webhookUuid: id }] }, b: { totalCount: 1 } },
      ]);
    },
  );

  it('webhookEvents shows the catalogue as REST does', async () => {
    const { graphql, call } = await tenantOf(server);
    const { webhookEvents } = (await graphql('{ webhookEvents { name schema } }')).data;
    const { events } = (await call('GET', `${path}/events`)).body;
    expect(
      Object.fromEntries(webhookEvents.map((each: { name: string; schema: object }) => [each.name, each.schema])),
    ).toEqual(events);
  });
});

describe('what is sent after a change over the graph', () => {
  it('is signed with the secret that a rotation answered', async () => {
    const { tenant, receiver, id } = await staged();
    const { secret } = (await tenant.graphql(documents.rotate, { input: { uuid: id } })).data.webhookSecretRotate;
    await tenant.graphql(documents.test, { input: { uuid: id } });
    const [got] = receiver.received;
    expect(verifyWebhook(secret, got?.raw ?? '', got?.headers['x-service-signature'])).toBe(true);
  });
});
