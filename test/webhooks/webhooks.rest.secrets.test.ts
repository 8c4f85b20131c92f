import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { hitsIn } from '../support/canaries.ts';
import { dumpAt } from '../support/dump.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { status } from '../support/webhook-receiver.ts';
import { happens, newWebhook, webhooksPath as path, registered, stagedWebhook } from '../support/webhook-stage.ts';

const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'trace' });
const canary = () => `canary-webhook-${randomBytes(12).toString('hex')}`;

describe('D13, I06: the secrets of a webhook', () => {
  it(
    'stand in no answer but the one that made them, in no log and in no table, whatever is asked and goes wrong',
    verifies('webhooks.secret.shown-once', 'platform.logs'),
    async () => {
      const secrets = new Map(['given', 'changed', 'refused', 'misplaced'].map((name) => [name, canary()]));
      const of = (name: string) => secrets.get(name) as string;
      const { tenant, call, receiver, id, hook } = await stagedWebhook(server, { secret: of('given') });
      const told: [place: string, text: string][] = [];
      const tell = async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) => {
        const answer = await call(method, url, body, headers);
        told.push([`${method} ${url} ${JSON.stringify(body)}`, [...answer.headers].join('\n') + answer.text]);
        return answer;
      };
      // Shown where they are made, under a key a second time, and nowhere else.
      for (const [name, url, body] of [
        ['made', path, newWebhook({ url: `${receiver.base}/made` })],
        ['rotated', `${hook}/rotate-secret`, undefined],
      ] as const) {
        const headers = { 'Idempotency-Key': `secret-${name}` };
        const answers = [await call('POST', url, body, headers), await call('POST', url, body, headers)];
        expect(answers[0]?.text).toBe(answers[1]?.text);
        secrets.set(name, answers[0]?.body.secret);
      }
      await tell('GET', path);
      await tell('GET', hook);
      await tell('PATCH', hook, { secret: of('changed') });
      await tell('PATCH', hook, { secret: [of('refused')] });
      await tell('PATCH', hook, { secret: `${of('refused')} ` });
      await tell('POST', path, newWebhook({ secret: of('refused').repeat(20) }));
      await tell('POST', path, newWebhook({ secret: of('refused'), url: 'file:///' }));
      await tell('POST', path, `{"secret": "${of('refused')}", "url": `);
      await tell('POST', path, newWebhook({ secret: of('refused'), events: [of('misplaced')] }));
      await tell('PATCH', hook, { url: of('misplaced') });
      await tell('POST', `${hook}/test`, { event: of('misplaced'), secret: of('misplaced') });
      await tell('POST', `${hook}/replay`, { since: of('misplaced') });
      await tell('GET', `${path}/${of('misplaced')}`);
      await tell('GET', `${hook}/deliveries?status=${of('misplaced')}`);
      for (const query of [
        '{ webhooks { nodes { uuid url events status previousSecretUntil deliveries { nodes { error responseBody } } } } }',
        `mutation { webhookSecretReplace(input: { uuid: "${id}", secret: "${of('refused')} x" }) { webhook { uuid } } }`,
        `mutation { webhookSecretReplace(input: { uuid: "${id}", secret: ["${of('refused')}"] }) { webhook { uuid } } }`,
        `mutation { webhookCreate(input: { url: "x", events: [], secret: "${of('refused')}" }) { secret`,
      ])
        await tell('POST', '/graphql', { query });
      // Deliveries that go well and badly, one after a rotation, with both secrets.
      await call('PATCH', hook, { secret: of('given') });
      secrets.set('again', (await call('POST', `${hook}/rotate-secret`)).body.secret);
      await tell('POST', `${hook}/test`);
      receiver.answerWith(status(500, 'no'));
      await happens(server, tenant);
      await server.services.webhooks.sendDue();
      await tell('POST', `${hook}/test`);
      await tell('GET', `${hook}/deliveries`);
      // What cannot be read: the delivery fails, and says so in words of the platform.
      await server.database.query({
        text: `UPDATE webhooks SET secret = 'no seal at all' WHERE uuid = $1`,
        values: [id],
      });
      expect((await tell('POST', `${hook}/test`)).body).toMatchObject({ status: 'failed', response_status: null });
      // And while the tables are away.
      await server.database.query({ text: 'ALTER TABLE webhooks RENAME TO webhooks_gone' });
      expect((await tell('POST', path, newWebhook({ secret: of('refused') }))).status).toBe(500);
      expect((await tell('PATCH', hook, { secret: of('refused') })).status).toBe(500);
      expect((await tell('POST', `${hook}/rotate-secret`)).status).toBe(500);
      await server.database.query({ text: 'ALTER TABLE webhooks_gone RENAME TO webhooks' });
      await tell('DELETE', hook);
      for (const url of ['/openapi.json', '/metrics', `${path}/events`]) {
        const { text } = await callerOf(server, null)('GET', url);
        told.push([url, text]);
      }

      expect(secrets.size).toBe(7);
      expect(hitsIn([...told, ['the log', server.logged.join('')], ...(await dumpAt(server.url))], secrets)).toEqual(
        [],
      );
      expect(server.logged.join('')).toContain('an operation failed');
      // The signatures that the receiver got are of them: they were there to be found.
      expect(receiver.received.length).toBeGreaterThan(2);
    },
  );

  it(
    'are sealed at rest, each for its webhook alone',
    verifies('webhooks.secret.shown-once', 'platform.secrets.sealed'),
    async () => {
      const { call, receiver } = await stagedWebhook(server);
      const secret = canary();
      const made = [
        await registered(call, { url: receiver.base, secret }),
        await registered(call, { url: receiver.base, secret }),
      ];
      const rows = await server.database.query<{ uuid: string; secret: string }>({
        text: 'SELECT uuid, secret FROM webhooks WHERE uuid = ANY ($1::uuid[])',
        values: [made.map(({ id }) => id)],
      });
      expect(new Set(rows.map((row) => row.secret)).size).toBe(2);
      // One webhook's sealed secret is nothing in another's row: it fails there, and nothing is sent.
      const [one, other] = rows;
      await server.database.query({
        text: 'UPDATE webhooks SET secret = $2 WHERE uuid = $1',
        values: [one?.uuid, other?.secret],
      });
      const { body } = await call('POST', `${path}/${one?.uuid}/test`);
      expect([body.status, body.error]).toEqual(['failed', expect.stringMatching(/secret cannot be read/)]);
      expect(receiver.received).toEqual([]);
    },
  );

  it('are in no OpenAPI answer but those of creation and rotation', async () => {
    const { paths } = (await callerOf(server, null)('GET', '/openapi.json')).body;
    const withSecret: string[] = [];
    for (const [url, methods] of Object.entries<Record<string, { responses: Record<string, unknown> }>>(paths))
      for (const [method, operation] of Object.entries(methods))
        if (url.startsWith(path) && JSON.stringify(operation.responses[200]).includes('"secret"'))
          withSecret.push(`${method} ${url}`);
    expect(withSecret.sort()).toEqual(['post /api/webhooks', 'post /api/webhooks/{webhook_id}/rotate-secret']);
  });

  it('and the url of a webhook, which often holds one, are not logged either', async () => {
    const tenant = await tenantOf(server);
    const inUrl = new Map([['in the url', canary()]]);
    const { id } = await registered(tenant.call, { url: `http://127.0.0.1:65531/services/${inUrl.get('in the url')}` });
    await tenant.call('POST', `${path}/${id}/test`);
    await happens(server, tenant);
    await server.services.webhooks.sendDue();
    await tenant.call('PATCH', `${path}/${id}`, { url: `http://10.0.0.1/${inUrl.get('in the url')}` });
    expect(hitsIn([['the log', server.logged.join('')]], inUrl)).toEqual([]);
  });
});
