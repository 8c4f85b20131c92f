import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { newWebhook, webhooksPath as path, registered } from '../support/webhook-stage.ts';

// Nothing is let out here but what is public.
const server = await startTestServer();
const { call, graphql } = await tenantOf(server);
const { id } = await registered(call);

/** Hosts that lead to this machine, its network, its cloud or its cluster, in whatever spelling (D08). */
const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7F.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '0x7f.1',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '10.0.0.1',
  '10.255.255.255',
  '012.0.0.1',
  '0xa.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.65535',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '169.254.43518',
  '[::ffff:169.254.169.254]',
  '[fd00:ec2::254]',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'loc%61lhost',
  'ｌocalhost',
  'a.localhost',
  'localhost.localdomain',
  'db',
  'postgres',
  'printer.local',
  'wiki.corp',
  'router.home.arpa',
  'metadata.google.internal',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'web.default.svc.',
  'hooks.example.com.',
];

describe('D08: a url that leads inside', () => {
  it.each(hosts)('at %s is refused at creation and at change, naming url', verifies('webhooks.url'), async (host) => {
    for (const url of [`https://${host}/`, `http://${host}:8080/hook?x=1`])
      for (const answer of [
        await call('POST', path, newWebhook({ url })),
        await call('PATCH', `${path}/${id}`, { url }),
      ]) {
        expect([url, answer.status]).toEqual([url, 400]);
        expect([url, answer.body.error.code, Object.keys(answer.body.error.details)]).toEqual([
          url,
          'VALIDATION_ERROR',
          ['url'],
        ]);
      }
  });

  it('is refused over the graph alike', verifies('webhooks.url', 'webhooks.graph'), async () => {
    for (const host of hosts) {
      const input = { url: `https://${host}/`, events: ['document.deleted'] };
      const created = await graphql(
        'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { webhook { uuid } } }',
        { input },
      );
      const updated = await graphql(
        'mutation ($input: WebhookUpdateInput!) { webhookUpdate(input: $input) { webhook { uuid } } }',
        { input: { uuid: id, url: input.url } },
      );
      for (const { errors } of [created, updated])
        expect(errors?.[0]?.extensions, host).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { url: expect.any(String) },
        });
    }
  });

  it('has one message for all of them, so that it does not reveal what is there', async () => {
    const words = new Set<string>();
    for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'localhost', 'db', 'web.default.svc'])
      words.add((await call('POST', path, newWebhook({ url: `https://${host}/` }))).text);
    expect([...words]).toHaveLength(1);
  });

  it('leaves the webhook as it was', async () => {
    expect((await call('GET', path)).body).toMatchObject({
      total: 1,
      webhooks: [{ id, url: 'https://hooks.example.com/in' }],
    });
  });
});
