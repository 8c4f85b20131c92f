import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { tenantOf } from '../support/server.ts';
import { documents, errorOf } from '../support/webhook-documents.ts';
import {
  nowhere,
  webhooksPath as path,
  registered,
  stagedWebhook,
  startWebhookServer,
} from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const staged = () => stagedWebhook(server);

describe('F11: the number of statements', () => {
  it(
    'does not grow with the webhooks nor with their deliveries, whose rest is not read',
    verifies('webhooks.graph'),
    async () => {
      const { call, graphql } = await tenantOf(server);
      const queries = [
        '{ webhooks(first: 50) { totalCount nodes { url status deliveries(first: 2) { totalCount nodes { event status nextRetryAt webhook { url } } } } } }',
        '{ webhooks(first: 50) { edges { node { deliveries(first: 1, status: FAILED) { edges { node { error event } } pageInfo { hasNextPage } } } } } }',
        '{ webhookPage { total webhooks { url deliveries(first: 3) { totalCount nodes { event } } } } }',
      ];
      const count = async () => {
        const counts: number[] = [];
        for (const query of queries) {
          server.statements.length = 0;
          expect((await graphql(query)).errors).toBeUndefined();
          counts.push(server.statements.length);
          // A relation without a limit would read 30 days of deliveries to show two.
          for (const text of server.statements.filter((each) => /FROM "public"."webhook_deliveries"/.test(each)))
            expect(text).toMatch(/"webhook_deliveries"."uuid" (IN|=)/);
        }
        return counts;
      };
      const grow = async (webhooks: number) => {
        for (let made = 0; made < webhooks; made++) {
          const { id } = await registered(call, { url: 'http://127.0.0.1:65531/hook' });
          for (let sent = 0; sent < 4; sent++) await call('POST', `${path}/${id}/test`);
        }
      };
      await grow(2);
      const few = await count();
      await grow(18);
      expect(await count()).toEqual(few);
      expect(Math.max(...few)).toBeLessThanOrEqual(8);
    },
  );
});

describe('ids that lead nowhere', () => {
  it(
    'of another tenant, unknown and malformed ones, get one and the same error or null',
    verifies('webhooks.tenants', 'graph.node'),
    async () => {
      const [own, otherTenant] = [await staged(), await staged()];
      const { id: theirs } = (await otherTenant.call('POST', `${otherTenant.hook}/test`)).body;
      const { id: mine } = (await own.call('POST', `${own.hook}/test`)).body;
      const asked: [document: string, variables: (id: string) => object][] = [
        [documents.one, (uuid) => ({ uuid })],
        [documents.deliveries, (uuid) => ({ uuid })],
        ['query ($id: String!) { webhookDeliveryPage(webhookUuid: $id) { total } }', (id) => ({ id })],
        [documents.update, (uuid) => ({ input: { uuid, active: false } })],
        [documents.delete, (uuid) => ({ input: { uuid } })],
        [documents.rotate, (uuid) => ({ input: { uuid } })],
        [documents.test, (uuid) => ({ input: { uuid } })],
        [documents.replay, (webhookUuid) => ({ input: { webhookUuid, uuid: mine } })],
        [
          documents.replay,
          (uuid) => ({ input: { webhookUuid: own.id, uuid: uuid === otherTenant.id ? theirs : uuid } }),
        ],
        [documents.replayFailed, (webhookUuid) => ({ input: { webhookUuid, since: '2026-01-01T00:00:00Z' } })],
      ];
      for (const [query, variables] of asked) {
        const texts = [];
        for (const id of [nowhere, otherTenant.id, 'x', '', '\u0000', `${own.id}'`])
          texts.push(JSON.stringify(await own.tenant.graphql(query, variables(id) as Record<string, unknown>)));
        expect(new Set(texts).size, texts.join('\n')).toBe(1);
        expect(errorOf(JSON.parse(String(texts[0]))).code).toBe('NOT_FOUND');
      }
      const globalId = (type: string, uuid: string) => Buffer.from(`${type}:${uuid}`).toString('base64');
      const node = 'query ($id: ID!) { node(id: $id) { id ... on Webhook { url } ... on WebhookDelivery { event } } }';
      for (const id of [
        globalId('Webhook', otherTenant.id),
        globalId('WebhookDelivery', theirs),
        globalId('Webhook', nowhere),
        globalId('Webhook', mine),
      ])
        expect((await own.tenant.graphql(node, { id })).data).toEqual({ node: null });
      expect((await own.tenant.graphql(node, { id: globalId('WebhookDelivery', mine) })).data.node.event).toBe(
        'test.ping',
      );
      expect((await own.tenant.graphql(node, { id: globalId('Webhook', own.id) })).data.node.url).toBe(
        `${own.receiver.base}/in`,
      );
    },
  );

  it('a key with only read cannot write, with only write cannot read', verifies('identity.key.scopes'), async () => {
    for (const [scopes, isAllowed] of [
      [['read'], (query: string) => query.startsWith('query')],
      [['write'], (query: string) => query.startsWith('mutation')],
    ] as const) {
      const { graphql } = await tenantOf(server, { scopes: [...scopes] });
      const inputs: Record<string, object> = {
        create: { url: 'https://hooks.example.com/', events: ['document.deleted'] },
        replaceSecret: { uuid: nowhere, secret: 'a-secret-of-the-tests' },
        replay: { webhookUuid: nowhere, uuid: nowhere },
        replayFailed: { webhookUuid: nowhere, since: '2026-01-01T00:00:00Z' },
      };
      for (const [name, query] of Object.entries(documents)) {
        const { errors } = await graphql(query, { uuid: nowhere, input: inputs[name] ?? { uuid: nowhere } });
        const codes = (errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
        expect([name, codes.includes('FORBIDDEN')]).toEqual([name, !isAllowed(query)]);
      }
    }
  });
});
