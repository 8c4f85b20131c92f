import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { nowhere } from '../support/server-stage.ts';
import { made, path, profileOf, serversOf, show, told } from './collection-stage.ts';

const server = await startTestServer();
const nobody = callerOf(server, null);
const one = (uuid: string) => `${path}/public/${uuid}`;

const invalid = (...fields: string[]) => ({
  error: {
    code: 'VALIDATION_ERROR',
    message: 'Validation error',
    details: Object.fromEntries(fields.map((field) => [field, expect.stringContaining(field)])),
  },
});

describe('POST /api/collections', () => {
  it(
    'answers the collection with its servers in their order',
    verifies('collections.create', 'collections.answer', 'collections.servers'),
    async () => {
      const owner = await tenantOf(server);
      const [first = '', second = ''] = await serversOf(owner, 2);
      const { status, body } = await owner.call('POST', path, {
        name: 'Tools',
        description: 'For work',
        serverUuids: [second, first.toUpperCase(), second],
        isPublic: false,
        profileUuid: profileOf(owner).toUpperCase(),
        uuid: randomUUID(),
        createdAt: '2000-01-01T00:00:00Z',
      });
      expect(status).toBe(200);
      const now = server.clock.now().toISOString();
      expect(body).toEqual({
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Tools',
        description: 'For work',
        profile_uuid: profileOf(owner),
        server_uuids: [second, first],
        servers: [second, first].map((uuid, index) => ({
          uuid,
          slug: expect.stringContaining('server-'),
          title: `Server ${1 - index}`,
          description: null,
          repository_url: null,
          package_type: null,
          installation_count: 0,
          rating: 0,
          transports: ['stdio'],
        })),
        is_public: false,
        created_at: now,
        updated_at: now,
      });
      const { description, server_uuids, is_public } = await made(owner);
      expect({ description, server_uuids, is_public }).toEqual({
        description: null,
        server_uuids: [],
        is_public: false,
      });
    },
  );

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'a\u0000' }, 'name'],
    [{ name: ['x'] }, 'name'],
    [{ name: 'x', description: 'x'.repeat(2_001) }, 'description'],
    [{ name: 'x', description: '\ud800' }, 'description'],
    [{ name: 'x', serverUuids: nowhere }, 'serverUuids'],
    [{ name: 'x', serverUuids: { 0: nowhere } }, 'serverUuids'],
    [{ name: 'x', serverUuids: Array.from({ length: 501 }, () => nowhere) }, 'serverUuids'],
    [{ name: 'x', serverUuids: [nowhere, 7] }, 'serverUuids'],
    [{ name: 'x', isPublic: 'yes' }, 'isPublic'],
    [{ name: 'x', profileUuid: 7 }, 'profileUuid'],
  ])('refuses values out of bounds, naming the field: %#, $1', verifies('collections.fields'), async (body, field) => {
    const { call } = await tenantOf(server);
    const answer = await call('POST', path, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const [[named = '', message] = []] = Object.entries(answer.body.error.details);
    expect([named.split('.')[0], message]).toEqual([field, expect.stringContaining(field)]);
  });

  it(
    'refuses servers that the caller may not see by their places, alike whether or not there are such',
    verifies('collections.servers', 'collections.private'),
    async () => {
      const [owner, other] = [await tenantOf(server), await tenantOf(server)];
      const [own = ''] = await serversOf(owner, 1);
      const [hidden = ''] = await serversOf(other, 1);
      const [shown = ''] = await serversOf(other, 1, true);
      const answers = [];
      for (const bad of [hidden, nowhere, 'x', '', `${nowhere} `]) {
        const answer = await owner.call('POST', path, { name: 'x', serverUuids: [own, bad, shown, bad] });
        expect([answer.status, answer.body]).toEqual([400, invalid('serverUuids.1', 'serverUuids.3')]);
        answers.push(answer.text);
      }
      expect(new Set(answers).size).toBe(1);
      expect((await made(owner, { serverUuids: [own, shown] })).server_uuids).toEqual([own, shown]);
    },
  );

  it(
    'answers another profile like one that does not exist',
    verifies('collections.create', 'everywhere.profile-uuid'),
    async () => {
      const [owner, other] = [await tenantOf(server), await tenantOf(server)];
      const ask = (profileUuid: string) => owner.call('POST', path, { name: 'x', profileUuid });
      const unknown = await ask(nowhere);
      expect(unknown.body).toEqual({ error: { code: 'NOT_FOUND', message: 'Profile not found' } });
      for (const uuid of [profileOf(other), 'x', '']) {
        const answer = await ask(uuid);
        expect([answer.status, answer.text]).toEqual([404, unknown.text]);
      }
      expect((await owner.call('GET', `${path}/${profileOf(owner)}`)).body).toEqual({ collections: [], total: 0 });
    },
  );
});

describe('GET /api/collections/{profileUuid}', () => {
  it('lists the newest first, page by page', verifies('collections.list'), async () => {
    const owner = await tenantOf(server);
    for (const name of ['a', 'b', 'c']) {
      server.clock.advance(1_000);
      await made(owner, { name });
    }
    const names = async (query: string) => {
      const { body } = await owner.call('GET', `${path}/${profileOf(owner)}${query}`);
      return [body.collections.map((each: { name: string }) => each.name), body.total];
    };
    expect(await names('')).toEqual([['c', 'b', 'a'], 3]);
    expect(await names('?limit=1&offset=1')).toEqual([['b'], 3]);
    expect(await names('?offset=9')).toEqual([[], 3]);
    for (const field of ['limit', 'offset'])
      for (const value of ['-1', 'x', '99999999999'])
        expect((await owner.call('GET', `${path}/${profileOf(owner)}?${field}=${value}`)).body).toEqual(invalid(field));
  });

  it('lists all collections without a limit, and pages with one', verifies('collections.list'), async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    await server.database.query({
      text: `INSERT INTO collections (uuid, profile_uuid, name, is_public, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'c' || i, i % 2 = 0, now() + i * interval '1 s', now() FROM generate_series(1, 130) i`,
      values: [profileOf(owner)],
    });
    const names = async (as: typeof owner, query: string) => {
      const { body } = await as.call('GET', `${path}/${profileOf(owner)}${query}`);
      return [body.collections.map((each: { name: string }) => each.name), body.total];
    };
    const all = Array.from({ length: 130 }, (_, index) => `c${130 - index}`);
    expect(await names(owner, '')).toEqual([all, 130]);
    expect(await names(owner, '?offset=100')).toEqual([all.slice(100), 130]);
    expect(await names(owner, '?limit=1000')).toEqual([all, 130]);
    expect(await names(owner, '?limit=20&offset=120')).toEqual([all.slice(120), 130]);
    expect(await names(other, '')).toEqual([all.filter((_, index) => index % 2 === 0), 65]);
    expect((await owner.call('GET', `${path}/${profileOf(owner)}?limit=1001`)).body).toEqual(invalid('limit'));
  });

  it(
    "shows another profile's public collections, and is 404 where there is none",
    verifies('collections.list', 'collections.list.foreign'),
    async () => {
      const [owner, other] = [await tenantOf(server), await tenantOf(server)];
      await made(owner, { name: 'hidden' });
      const ask = (uuid: string) => other.call('GET', `${path}/${uuid}?offset=0`);
      const unknown = await ask(nowhere);
      expect(unknown.body).toEqual({ error: { code: 'NOT_FOUND', message: 'Profile not found' } });
      for (const uuid of [profileOf(owner), 'x', '%00'])
        expect([(await ask(uuid)).status, (await ask(uuid)).text]).toEqual([404, unknown.text]);
      const { uuid } = await made(owner, { name: 'shown', isPublic: true });
      const { body } = await ask(profileOf(owner));
      expect([body.collections.map((each: { uuid: string }) => each.uuid), body.total]).toEqual([[uuid], 1]);
      expect((await nobody('GET', `${path}/${profileOf(owner)}`)).status).toBe(401);
    },
  );
});

describe('who sees what (H10)', () => {
  it(
    'everybody sees of a public collection the servers that they may see, at once when that changes',
    verifies('collections.private', 'collections.public'),
    async () => {
      const [owner, other, third] = [await tenantOf(server), await tenantOf(server), await tenantOf(server)];
      const [secret = ''] = await serversOf(owner, 1);
      const [shown = ''] = await serversOf(owner, 1, true);
      const [lent = ''] = await serversOf(other, 1, true);
      const { uuid } = await made(owner, { serverUuids: [secret, lent, shown], isPublic: true });
      const seenBy = async (call: typeof nobody) => {
        const { body, text } = await call('GET', one(uuid));
        expect(body.servers.map((each: { uuid: string }) => each.uuid)).toEqual(body.server_uuids);
        return [body.server_uuids, text.includes(secret)];
      };
      expect(await seenBy(owner.call)).toEqual([[secret, lent, shown], true]);
      for (const call of [other.call, third.call, nobody]) expect(await seenBy(call)).toEqual([[lent, shown], false]);
      await show(other, lent, false);
      expect(await seenBy(owner.call)).toEqual([[secret, shown], true]);
      expect(await seenBy(other.call)).toEqual([[lent, shown], false]);
      expect(await seenBy(nobody)).toEqual([[shown], false]);
      const totals = async (as: typeof owner) =>
        (await as.graphql('query ($uuid: String!) { collection(uuid: $uuid) { servers { totalCount } } }', { uuid }))
          .data.collection.servers.totalCount;
      expect([await totals(owner), await totals(other), await totals(third)]).toEqual([2, 2, 1]);
      await owner.graphql('mutation ($input: ServerDeleteInput!) { serverDelete(input: $input) { uuid } }', {
        input: { uuid: shown },
      });
      expect(await seenBy(nobody)).toEqual([[], false]);
    },
  );

  it('a private collection is nothing to others, on every path', verifies('collections.public'), async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const { uuid } = await made(owner);
    expect((await owner.call('GET', one(uuid))).status).toBe(200);
    for (const call of [other.call, nobody]) {
      const unknown = await call('GET', one(nowhere));
      for (const id of [uuid, 'x', '%00']) expect((await call('GET', one(id))).text).toBe(unknown.text);
      expect(unknown.status).toBe(404);
    }
    for (const [method, start] of [
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/import`],
    ] as const) {
      const ask = (id: string) => other.call(method, `${start}/${id}`, { name: 'taken' });
      const [ofOther, ofNothing] = [await ask(uuid), await ask(nowhere)];
      expect([ofOther.status, ofOther.text]).toEqual([404, ofNothing.text]);
    }
    await owner.call('PATCH', `${path}/${uuid}`, { isPublic: true });
    for (const method of ['PATCH', 'DELETE'])
      expect((await other.call(method, `${path}/${uuid}`, { name: 'taken' })).status).toBe(404);
    expect((await nobody('GET', one(uuid))).body.name).toBe('Tools');
  });
});

describe('scopes', () => {
  it(
    'a key that may only write reads nothing, and one that may only read changes nothing',
    verifies('identity.key.scopes'),
    async () => {
      const writer = await tenantOf(server, { scopes: ['write'] });
      const { uuid, name } = await made(writer, { isPublic: true });
      expect(name).toBe('Tools');
      for (const at of [one(uuid), `${path}/${profileOf(writer)}`])
        expect((await writer.call('GET', at)).status).toBe(403);
      expect((await writer.call('POST', `${path}/import/${uuid}`)).status).toBe(200);
      const reader = await tenantOf(server, { scopes: ['read'] });
      expect((await reader.call('GET', one(uuid))).status).toBe(200);
      for (const [method, at] of [
        ['POST', path],
        ['PATCH', `${path}/${uuid}`],
        ['DELETE', `${path}/${uuid}`],
        ['POST', `${path}/import/${uuid}`],
      ] as const)
        expect((await reader.call(method, at, { name: 'x' })).status).toBe(403);
    },
  );
});

describe('PATCH /api/collections/{collectionUuid}', () => {
  it(
    'changes the given fields, and publishes the changes',
    verifies('collections.update', 'collections.events'),
    async () => {
      const owner = await tenantOf(server);
      const [first = '', second = ''] = await serversOf(owner, 2);
      const before = await made(owner, { description: 'd', serverUuids: [first, second] });
      const { uuid } = before;
      const patch = async (change: object) => {
        server.clock.advance(1_000);
        return (await owner.call('PATCH', `${path}/${uuid}`, change)).body;
      };
      for (const same of [
        {},
        { name: 'Tools', description: 'd', isPublic: false },
        { serverUuids: [first, second] },
        { name: null, isPublic: null },
      ])
        expect(await patch(same)).toEqual(before);
      const turned = await patch({ serverUuids: [second, first] });
      expect(turned).toMatchObject({ server_uuids: [second, first], updated_at: server.clock.now().toISOString() });
      await patch({ isPublic: true });
      await patch({ isPublic: true, name: 'Others' });
      await patch({ isPublic: false, description: null });
      const last = await patch({ isPublic: true, name: 'All', serverUuids: null });
      expect(last).toMatchObject({ name: 'All', description: null, server_uuids: [], is_public: true });
      expect((await patch({ serverUuids: ['x'], name: 'Never' })).error.details).toEqual({
        'serverUuids.0': expect.any(String),
      });
      expect((await owner.call('GET', one(uuid))).body).toEqual(last);
      const shared = ['collection.shared', { collection_uuid: uuid }];
      const updated = (changes: object) => ['collection.updated', { collection_uuid: uuid, changes }];
      expect(await told(server, owner, 'collection.%')).toEqual([
        updated({ server_uuids: [second, first] }),
        shared,
        updated({ name: 'Others' }),
        updated({ description: null, is_public: false }),
        shared,
        updated({ name: 'All', server_uuids: [] }),
      ]);
    },
  );

  it('publishes a collection that is public from the start', verifies('collections.events'), async () => {
    const owner = await tenantOf(server);
    const { uuid } = await made(owner, { isPublic: true });
    await made(owner, { isPublic: false });
    expect(await told(server, owner, 'collection.%')).toEqual([['collection.shared', { collection_uuid: uuid }]]);
  });
});

describe('DELETE /api/collections/{collectionUuid}', () => {
  it('removes the collection and its associations, not the servers', verifies('collections.delete'), async () => {
    const owner = await tenantOf(server);
    const [first = ''] = await serversOf(owner, 1);
    const { uuid } = await made(owner, { serverUuids: [first] });
    const gone = await owner.call('DELETE', `${path}/${uuid}`);
    expect([gone.status, gone.body]).toEqual([200, { success: true, message: 'Collection deleted' }]);
    expect((await owner.call('DELETE', `${path}/${uuid}`)).status).toBe(404);
    const rows = await server.database.query({
      text: 'SELECT 1 FROM collection_servers WHERE collection_uuid = $1',
      values: [uuid],
    });
    expect(rows).toEqual([]);
    expect((await owner.call('GET', `/api/servers/${first}`)).status).toBe(200);
  });
});

describe('POST /api/collections/import/{collectionUuid}', () => {
  it(
    'installs the servers that the caller may see, publishes it, and notifies each owner once',
    verifies('collections.import'),
    async () => {
      const [owner, other, third] = [await tenantOf(server), await tenantOf(server), await tenantOf(server)];
      const [secret = ''] = await serversOf(owner, 1);
      const [first = '', second = ''] = await serversOf(owner, 2, true);
      const [lent = ''] = await serversOf(third, 1, true);
      const [mine = ''] = await serversOf(other, 1, true);
      const { uuid } = await made(owner, { serverUuids: [secret, first, lent, mine, second], isPublic: true });
      const install = 'mutation ($input: ServerInstallInput!) { serverInstall(input: $input) { server { uuid } } }';
      await other.graphql(install, { input: { uuid: lent } });
      const { status, body } = await other.call('POST', `${path}/import/${uuid}`);
      expect([status, body]).toEqual([
        200,
        { success: true, installed: 3, already_installed: 1, servers: expect.any(Array) },
      ]);
      expect(
        body.servers.map((each: { uuid: string; installation_count: number }) => [each.uuid, each.installation_count]),
      ).toEqual([first, lent, mine, second].map((each) => [each, 1]));
      expect((await other.call('POST', `${path}/import/${uuid}`)).body).toMatchObject({
        installed: 0,
        already_installed: 4,
      });
      const events = await told(server, other, 'server.installed');
      expect(events.map(([, data]) => (data as { server_uuid: string }).server_uuid).sort()).toEqual(
        [first, lent, mine, second].sort(),
      );
      const notices = async (as: typeof owner) =>
        (await as.call('GET', '/api/notifications')).body.notifications.map(
          (each: { message: string }) => each.message,
        );
      expect(await notices(owner)).toEqual([
        expect.stringMatching(/^A user installed "Server [01]" and 1 more of your servers\.$/),
      ]);
      expect(await notices(third)).toHaveLength(1);
      expect(await notices(other)).toEqual([]);
    },
  );

  it("takes an empty collection and one of one's own", verifies('collections.import'), async () => {
    const owner = await tenantOf(server);
    const [first = ''] = await serversOf(owner, 1);
    const empty = await made(owner);
    const filled = await made(owner, { serverUuids: [first] });
    const imported = async (uuid: string) => (await owner.call('POST', `${path}/import/${uuid}`)).body;
    expect(await imported(empty.uuid)).toEqual({ success: true, installed: 0, already_installed: 0, servers: [] });
    expect(await imported(filled.uuid)).toMatchObject({ installed: 1, already_installed: 0 });
  });
});
