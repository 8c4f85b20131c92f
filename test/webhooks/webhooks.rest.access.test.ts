import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { secondProfileOf, sessionOf } from '../support/people.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type Call, callerOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';
import {
  happens,
  newWebhook,
  nowhere,
  webhooksPath as path,
  registered,
  stagedWebhook,
  startWebhookServer,
} from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const since = '2026-01-01T00:00:00Z';

type Stage = Awaited<ReturnType<typeof stagedWebhook>>;
let own: Stage;
let otherTenant: Stage;
/** Deliveries of the two. */
let mine: string;
let theirs: string;

beforeAll(async () => {
  [own, otherTenant] = [await stagedWebhook(server), await stagedWebhook(server)];
  [mine, theirs] = (await Promise.all(
    [own, otherTenant].map(async ({ call, hook }) => (await call('POST', `${hook}/test`)).body.id as string),
  )) as [string, string];
});

/** Every request about one webhook. */
const requestsOf = (id: string, delivery: string): [method: string, path: string, body?: unknown][] => [
  ['GET', `${path}/${id}`],
  ['PATCH', `${path}/${id}`, { active: false }],
  ['PATCH', `${path}/${id}`, {}],
  ['PATCH', `${path}/${id}`, { url: 'https://taken.example.com/', secret: 'taken-over-by-another' }],
  ['DELETE', `${path}/${id}`],
  ['POST', `${path}/${id}/rotate-secret`],
  ['POST', `${path}/${id}/test`],
  ['POST', `${path}/${id}/test`, { event: 'server.exploded' }],
  ['GET', `${path}/${id}/deliveries`],
  ['GET', `${path}/${id}/deliveries?status=failed&limit=5`],
  ['POST', `${path}/${id}/deliveries/${delivery}/replay`],
  ['POST', `${path}/${id}/replay`, { since }],
];

describe('D14: a webhook of another tenant', () => {
  it(
    'is answered on every path byte for byte like one that does not exist, and like a malformed id',
    verifies('webhooks.tenants', 'everywhere.foreign-ids', 'everywhere.malformed-uuid'),
    async () => {
      const before = (await otherTenant.call('GET', otherTenant.hook)).text;
      const sent = otherTenant.receiver.received.length;
      const ids = [
        otherTenant.id,
        otherTenant.id.toUpperCase(),
        nowhere,
        '00000000-0000-0000-0000-000000000000',
        'x',
        '1',
        `${own.id}x`,
        own.id.slice(0, -1),
        own.id.replaceAll('-', ''),
        `{${own.id}}`,
        "' OR 1=1 --",
        '../webhooks',
        '%00',
        'x'.repeat(2_000),
      ].map(encodeURIComponent);
      const unknown = requestsOf(nowhere, nowhere);
      for (const [index, [method, url, body]] of unknown.entries()) {
        const { text } = await own.call(method, url, body);
        expect(JSON.parse(text), `${method} ${url}`).toEqual({
          error: { code: 'NOT_FOUND', message: 'Webhook not found' },
        });
        for (const id of ids)
          for (const delivery of [theirs, mine]) {
            const [, tried] = requestsOf(id, delivery)[index] as [string, string];
            const answer = await own.call(method, tried, body);
            expect([tried, answer.status, answer.text]).toEqual([tried, 404, text]);
          }
      }
      expect((await otherTenant.call('GET', otherTenant.hook)).text).toBe(before);
      expect(otherTenant.receiver.received).toHaveLength(sent);
    },
  );

  it("does not lend its deliveries to one's own", verifies('webhooks.tenants'), async () => {
    const ask = (delivery: string) => own.call('POST', `${own.hook}/deliveries/${delivery}/replay`);
    const [foreign, unknown, malformed] = [await ask(theirs), await ask(nowhere), await ask('x')];
    expect([foreign.status, unknown.status, malformed.status]).toEqual([404, 404, 404]);
    expect(new Set([foreign.text, unknown.text, malformed.text]).size).toBe(1);
  });

  it(
    "is told nothing of one's own events, nor of those of another profile of the project",
    verifies('webhooks.tenants'),
    async () => {
      const sibling = await secondProfileOf(server, own.tenant.user, 'same project');
      const { id } = await registered(sibling.call, { url: `${otherTenant.receiver.base}/sibling` });
      const sent = otherTenant.receiver.received.length;
      const event = await happens(server, own.tenant);
      await server.services.webhooks.sendDue();
      expect(otherTenant.receiver.received).toHaveLength(sent);
      expect(own.receiver.received.at(-1)?.body.id).toBe(event);
      expect((await sibling.call('GET', `${path}/${id}/deliveries`)).body.total).toBe(0);
      expect((await own.call('GET', `${path}/${id}`)).status).toBe(404);
    },
  );
});

describe('scopes', () => {
  const reads: [string, string][] = [['GET', path]];
  const keyWith = async (scopes: ('read' | 'write')[]): Promise<Call> =>
    callerOf(server, (await keyOf(server.services, own.tenant.user, { scopes })).secret);
  const isRead = (method: string) => method === 'GET';

  it('a key with only read reads, and 403 for every write', verifies('identity.key.scopes'), async () => {
    const call = await keyWith(['read']);
    const before = (await own.call('GET', own.hook)).text;
    for (const [method, url, body] of [...reads, ...requestsOf(own.id, mine), ['POST', path, newWebhook()] as const]) {
      const answer = await call(method, url, body);
      expect([method, url, answer.status]).toEqual([method, url, isRead(method) ? 200 : 403]);
      if (!isRead(method)) expect(answer.body.error.code).toBe('FORBIDDEN');
    }
    expect((await own.call('GET', own.hook)).text).toBe(before);
  });

  it('a key with only write writes, and 403 for every read', verifies('identity.key.scopes'), async () => {
    const call = await keyWith(['write']);
    for (const [method, url] of [...reads, ...requestsOf(own.id, mine)].filter(([method]) => isRead(method)))
      expect([url, (await call(method, url)).status]).toEqual([url, 403]);
    const made = await call('POST', path, newWebhook());
    expect(made.status).toBe(200);
    expect((await call('PATCH', `${path}/${made.body.id}`, { active: false })).status).toBe(200);
    expect((await call('POST', `${path}/${made.body.id}/rotate-secret`)).status).toBe(200);
    expect((await call('DELETE', `${path}/${made.body.id}`)).status).toBe(200);
  });

  it('refuses before it looks: a foreign id and a bad body are 403, too', verifies('identity.key.scopes'), async () => {
    const call = await keyWith(['read']);
    const texts = new Set<string>();
    for (const [url, body] of [
      [otherTenant.hook, { active: false }],
      [`${path}/${nowhere}`, { active: false }],
      [own.hook, { url: 'file:///' }],
    ] as const) {
      const { status, text } = await call('PATCH', url, body);
      expect(status).toBe(403);
      texts.add(text);
    }
    expect(texts.size).toBe(1);
  });

  it(
    "an anonymous caller and a wrong key are 401 on every path but the catalogue's",
    verifies('access.anonymous'),
    async () => {
      for (const call of [callerOf(server, null), callerOf(server, `${own.tenant.secret.slice(0, -1)}-`)]) {
        for (const [method, url, body] of [
          ...reads,
          ...requestsOf(own.id, mine),
          ['POST', path, newWebhook()] as const,
        ]) {
          const answer = await call(method, url, body);
          expect([url, answer.status, answer.body.error.code]).toEqual([url, 401, 'UNAUTHORIZED']);
        }
      }
      expect((await callerOf(server, null)('GET', `${path}/events`)).status).toBe(200);
    },
  );

  it('a session reads and writes those of its active profile', async () => {
    const { call } = await sessionOf(server);
    const { id } = await registered(call);
    expect((await call('GET', path)).body.total).toBe(1);
    expect((await call('POST', `${path}/${id}/rotate-secret`)).status).toBe(200);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(200);
  });
});

describe('requests that are not as they should be', () => {
  it(
    'bad JSON and JSON that is no object are 400, another type 415, too large 413',
    verifies('everywhere.malformed-json', 'everywhere.media-type', 'everywhere.too-large'),
    async () => {
      for (const [method, url] of [
        ['POST', path],
        ['PATCH', own.hook],
        ['POST', `${own.hook}/test`],
        ['POST', `${own.hook}/replay`],
      ] as const) {
        for (const body of ['{', '[]', '"x"', 'null', '{"url":}'])
          expect([url, body, (await own.call(method, url, body)).status]).toEqual([url, body, 400]);
        expect(
          (await own.call(method, url, 'url=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).status,
        ).toBe(415);
        expect((await own.call(method, url, { pad: 'x'.repeat(300_000) })).status).toBe(413);
      }
    },
  );

  it.each([
    ['PUT', '', 'GET, HEAD, POST'],
    ['DELETE', '', 'GET, HEAD, POST'],
    ['POST', '/:id', 'GET, HEAD, PATCH, DELETE'],
    ['PUT', '/:id', 'GET, HEAD, PATCH, DELETE'],
    ['GET', '/:id/test', 'POST'],
    ['GET', '/:id/rotate-secret', 'POST'],
    ['DELETE', '/:id/deliveries', 'GET, HEAD'],
    ['GET', '/:id/replay', 'POST'],
    ['PATCH', '/:id/deliveries/:delivery/replay', 'POST'],
    ['POST', '/events', 'GET, HEAD'],
    ['PATCH', '/events', 'GET, HEAD'],
    ['DELETE', '/events', 'GET, HEAD'],
  ])('%s %s is 405 and Allow says %s', verifies('everywhere.method'), async (method, rest, allow) => {
    const url = path + rest.replace(':id', own.id).replace(':delivery', mine);
    const { status, headers, body } = await own.call(method, url, method === 'GET' ? undefined : {});
    expect([status, body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  it('HEAD answers as GET does, without a body', async () => {
    const headers = { Authorization: `Bearer ${own.tenant.secret}` };
    for (const url of [path, own.hook, `${own.hook}/deliveries`, `${path}/events`]) {
      const [head, get] = [
        await rawRequest(server.base, { method: 'HEAD', path: url, headers }),
        await rawRequest(server.base, { method: 'GET', path: url, headers }),
      ];
      expect([url, head.status, head.text]).toEqual([url, 200, '']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
  });

  it('paths beside the documented ones are 404 in the general shape', verifies('everywhere.unknown-path'), async () => {
    for (const rest of ['/', `/${own.id}/`, `/${own.id}/nothing`, `/${own.id}/deliveries/${mine}`, '/events/x']) {
      const { status, body } = await own.call('GET', path + rest);
      expect([rest, status, body.error.code]).toEqual([rest, 404, 'NOT_FOUND']);
    }
  });
});
