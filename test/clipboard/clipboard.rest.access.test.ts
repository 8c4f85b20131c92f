import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { secondProfileOf, sessionOf } from '../support/people.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type Call, callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { keyOf } from '../support/services.ts';

const server = await startTestServer();
const path = '/api/clipboard';
const notFound = { success: false, error: 'Entry not found' };
const unauthorized = { success: false, error: 'Unauthorized' };

/** Every documented and compatible route of the clipboard, with a body that would do. */
const routes: [string, string, unknown][] = [
  ['GET', path, undefined],
  ['GET', `${path}?name=n`, undefined],
  ['GET', `${path}?idx=0`, undefined],
  ['GET', `${path}/entries/${randomUUID()}`, undefined],
  ['POST', `${path}/get`, { name: 'n' }],
  ['POST', path, { name: 'n', value: 'v' }],
  ['POST', `${path}/push`, { value: 'v' }],
  ['DELETE', `${path}/pop`, undefined],
  ['POST', `${path}/pop`, undefined],
  ['DELETE', path, { name: 'n' }],
  ['DELETE', path, { clearAll: true }],
  ['DELETE', `${path}/all`, undefined],
];

describe('authentication', () => {
  it.each(routes)(
    '%s %s without a good key is 401 Unauthorized in the clipboard’s shape',
    verifies('access.anonymous', 'clipboard.errors.status'),
    async (method, url, body) => {
      const { secret } = await tenantOf(server);
      const flipped = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
      const attempts: Record<string, string>[] = [
        {},
        { Authorization: '' },
        { Authorization: secret },
        { Authorization: `Basic ${secret}` },
        { Authorization: 'Bearer' },
        { Authorization: `Bearer ${flipped}` },
        { Authorization: `Bearer ${secret} ${secret}` },
        { Authorization: `Bearer ${'x'.repeat(5_000)}` },
        { 'X-API-Key': secret },
        { Cookie: 'session_token=nonsense' },
      ];
      for (const headers of attempts) {
        const answer = await callerOf(server, null)(method, url, body, headers);
        expect(answer.status).toBe(401);
        expect(answer.body).toStrictEqual(unauthorized);
      }
    },
  );

  it('B07: a key in the query does not count; two Authorization headers do not either', async () => {
    const { secret } = await tenantOf(server);
    for (const parameter of ['api_key', 'apiKey', 'access_token', 'key', 'token']) {
      expect((await callerOf(server, null)('GET', `${path}?${parameter}=${secret}`)).status).toBe(401);
    }
    const twice = await rawRequest(server.base, {
      method: 'GET',
      path,
      headers: { Authorization: [`Bearer ${secret}`, `Bearer ${secret}`] },
    });
    expect(twice.status).toBe(401);
    expect(JSON.parse(twice.text)).toStrictEqual(unauthorized);
  });

  it('a revoked key is refused at once', verifies('identity.key.revocation'), async () => {
    const { call, user, uuid } = await tenantOf(server);
    expect((await call('GET', path)).status).toBe(200);
    await server.services.auth.apiKeys.revoke(user, { uuid });
    const { status, body } = await call('GET', path);
    expect(status).toBe(401);
    expect(body).toStrictEqual(unauthorized);
  });

  it(
    'API key scopes: a key that may only read cannot write, and one that may only write cannot read: 403',
    verifies('identity.key.scopes'),
    async () => {
      const { user } = await tenantOf(server);
      const reader = callerOf(server, (await keyOf(server.services, user, { scopes: ['read'] })).secret);
      const writer = callerOf(server, (await keyOf(server.services, user, { scopes: ['write'] })).secret);
      await writer('POST', path, { name: 'n', value: 'v' });
      await writer('POST', `${path}/push`, { value: 'v' });
      for (const [method, url, body] of routes) {
        const isRead = method === 'GET' || url.endsWith('/get');
        const answer = await (isRead ? writer : reader)(method, url, body);
        expect([method, url, answer.status]).toEqual([method, url, 403]);
        expect(answer.body).toEqual({ success: false, error: expect.any(String) });
      }
      expect((await reader('GET', path)).body.total).toBe(2);
    },
  );
});

describe('source', () => {
  it.each([
    ['sdk', 'sdk'],
    ['mcp', 'mcp'],
  ] as const)(
    'source: a key of channel %s writes source %s, whatever the client sends',
    verifies('clipboard.source'),
    async (channel, source) => {
      const { call } = await tenantOf(server, { channel });
      for (const claimed of [undefined, 'ui', 'sdk', 'mcp']) {
        expect((await call('POST', path, { name: 'n', value: 'v', source: claimed })).body.entry.source).toBe(source);
        expect((await call('POST', `${path}/push`, { value: 'v', source: claimed })).body.entry.source).toBe(source);
      }
    },
  );

  it('source: a session writes source ui', verifies('clipboard.source'), async () => {
    const { call } = await sessionOf(server);
    expect((await call('POST', path, { name: 'n', value: 'v', source: 'mcp' })).body.entry.source).toBe('ui');
    expect((await call('POST', `${path}/push`, { value: 'v' })).body.entry.source).toBe('ui');
  });

  it('source: setting a name again shows the latest writer', async () => {
    const { user, call } = await tenantOf(server, { channel: 'mcp' });
    const other = callerOf(server, (await keyOf(server.services, user)).secret);
    await call('POST', path, { name: 'n', value: 'v' });
    expect((await other('POST', path, { name: 'n', value: 'w' })).body.entry.source).toBe('sdk');
    expect((await call('GET', `${path}?name=n`)).body.entry.source).toBe('sdk');
  });
});

describe('sessions', () => {
  it('a session acts as the active profile, on the same clipboard as that profile’s keys', async () => {
    const { call, user } = await sessionOf(server);
    const key = callerOf(server, (await keyOf(server.services, user)).secret);
    await call('POST', path, { name: 'n', value: 'from the browser' });
    expect((await key('GET', `${path}?name=n`)).body.entry.value).toBe('from the browser');
    await key('POST', `${path}/push`, { value: 'from a key' });
    expect((await call('DELETE', `${path}/pop`)).body.entry.value).toBe('from a key');
  });

  it('B11, B12: the cookie counts for nothing on a request that another site made', async () => {
    const { call } = await sessionOf(server);
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const { status, body } = await call('POST', path, { name: 'n', value: 'v' }, headers);
      expect(status).toBe(403);
      expect(body).toEqual({ success: false, error: expect.any(String) });
    }
    expect((await call('GET', path)).body.total).toBe(0);
  });
});

describe('A23: visibility', () => {
  async function household() {
    const owner = await tenantOf(server);
    const sibling = await secondProfileOf(server, owner.user, 'same project');
    const cousin = await secondProfileOf(server, owner.user, 'new project');
    const otherTenant = await tenantOf(server);
    const uuids: Record<string, { named: string; pushed: string }> = {};
    for (const visibility of ['private', 'workspace', 'public']) {
      const named = await owner.call('POST', path, { name: visibility, value: visibility, visibility });
      const pushed = await owner.call('POST', `${path}/push`, { value: visibility, visibility });
      uuids[visibility] = { named: named.body.entry.uuid, pushed: pushed.body.entry.uuid };
    }
    const viewers: Record<string, Call> = {
      owner: owner.call,
      sibling: sibling.call,
      cousin: cousin.call,
      otherTenant: otherTenant.call,
      anonymous: callerOf(server, null),
    };
    return { owner, viewers, uuids };
  }

  it(
    'visibility: by uuid, private stays with the profile, workspace with the project, public with authenticated callers',
    verifies('clipboard.visibility', 'clipboard.get.uuid'),
    async () => {
      const { viewers, uuids } = await household();
      const seen: Record<string, Record<string, number[]>> = {};
      for (const [viewer, call] of Object.entries(viewers)) {
        seen[viewer] = {};
        for (const [visibility, { named, pushed }] of Object.entries(uuids)) {
          const answers = [
            await call('GET', `${path}/entries/${named}`),
            await call('GET', `${path}/entries/${pushed}`),
          ];
          seen[viewer][visibility] = answers.map(({ status }) => status);
          for (const { status, body } of answers) {
            if (status === 200) expect(body).toMatchObject({ success: true, entry: { value: visibility, visibility } });
            else expect(body).toStrictEqual(status === 401 ? unauthorized : notFound);
          }
        }
      }
      const [yes, no, who] = [
        [200, 200],
        [404, 404],
        [401, 401],
      ];
      expect(seen).toEqual({
        owner: { private: yes, workspace: yes, public: yes },
        sibling: { private: no, workspace: yes, public: yes },
        cousin: { private: no, workspace: no, public: yes },
        otherTenant: { private: no, workspace: no, public: yes },
        anonymous: { private: who, workspace: who, public: who },
      });
    },
  );

  it(
    'the answer for another’s private entry is byte-identical to the one for an unknown uuid',
    verifies('everywhere.foreign-ids'),
    async () => {
      const { viewers, uuids } = await household();
      const { otherTenant } = viewers;
      const unknown = await otherTenant?.('GET', `${path}/entries/${randomUUID()}`);
      for (const uuid of [uuids.private?.named, uuids.workspace?.pushed]) {
        const foreign = await otherTenant?.('GET', `${path}/entries/${uuid}`);
        expect(foreign?.text).toBe(unknown?.text);
        const names = (headers?: Headers) => [...(headers?.keys() ?? [])].sort();
        expect(names(foreign?.headers)).toEqual(names(unknown?.headers));
      }
    },
  );

  it('visibility: narrowing an entry takes it from the others at once', async () => {
    const { owner, viewers, uuids } = await household();
    const url = `${path}/entries/${uuids.public?.named}`;
    expect((await viewers.otherTenant?.('GET', url))?.status).toBe(200);
    await owner.call('POST', path, { name: 'public', value: 'v' });
    expect((await viewers.otherTenant?.('GET', url))?.status).toBe(404);
    expect((await owner.call('GET', url)).status).toBe(200);
  });

  it.each(['sibling', 'cousin', 'otherTenant'])(
    'A23: names, indices, list, pop, delete and all of the %s reach only its own entries, and no public ones of others',
    async (viewer) => {
      const { owner, viewers } = await household();
      const call = viewers[viewer] as Call;
      const before = (await owner.call('GET', path)).text;
      expect((await call('GET', path)).body).toMatchObject({ entries: [], total: 0 });
      for (const selector of [{ name: 'public' }, { name: 'workspace' }, { idx: 0 }]) {
        expect((await call('POST', `${path}/get`, selector)).body).toStrictEqual(notFound);
        expect((await call('DELETE', path, selector)).body).toStrictEqual({ success: true, deleted: false });
      }
      expect((await call('GET', `${path}?name=public`)).status).toBe(404);
      expect((await call('DELETE', `${path}/pop`)).status).toBe(404);
      expect((await call('DELETE', `${path}/all`)).body.deletedCount).toBe(0);
      expect((await call('DELETE', path, { clearAll: true })).body.deletedCount).toBe(0);
      const set = await call('POST', path, { name: 'public', value: 'my own' });
      expect(set.body.entry.value).toBe('my own');
      expect((await owner.call('GET', path)).text).toBe(before);
    },
  );
});
