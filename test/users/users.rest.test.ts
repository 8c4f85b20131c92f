import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { sessionOf } from '../support/people.ts';
import { type Call, callerOf, startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const nobody = callerOf(server, null);

async function someone(change: object | null = { is_public: true }) {
  const { call, caller, graphql } = await tenantOf(server);
  if (change) expect((await call('PATCH', '/api/users/profile', change)).status).toBe(200);
  const { username } = (await call('GET', '/api/auth/session')).body.user;
  return { call, graphql, username: username as string, uuid: String(caller.principal?.userUuid) };
}
const invalid = (...fields: string[]) => ({
  error: {
    code: 'VALIDATION_ERROR',
    message: 'Validation error',
    details: Object.fromEntries(fields.map((field) => [field, expect.stringContaining(field)])),
  },
});
const notFound = { error: { code: 'NOT_FOUND', message: 'User not found' } };
const answer = async (call: Call, ...request: Parameters<Call>) => {
  const { status, body } = await call(...request);
  return [status, body];
};

describe('GET /api/check-username', () => {
  it(
    'shows whether a user could sign up with it',
    verifies('users.check-username', 'users.check-username.judgement'),
    async () => {
      const { call, username } = await someone();
      const ask = (query: string) => answer(call, 'GET', `/api/check-username${query}`);
      for (const name of ['not-taken-yet', 'Not_Taken_Yet'])
        expect(await ask(`?username=${name}`)).toEqual([200, { available: true }]);
      for (const name of [
        username,
        username.toUpperCase(),
        'admin',
        'ab',
        'x'.repeat(31),
        'a%20b',
        '%D0%B0dmin',
        '%E2%84%AAim',
      ])
        expect(await ask(`?username=${name}`), name).toEqual([200, { available: false }]);
      for (const query of ['', '?', '?username=', '?name=x', '?username=%00'])
        expect(await ask(query), query).toEqual([400, invalid('username')]);
      expect(await ask('?username=a&username=b')).toEqual([400, invalid('username')]);
    },
  );

  it('needs a key, as all that the specification does not name public', verifies('access.anonymous'), async () => {
    expect((await nobody('GET', '/api/check-username?username=not-taken-yet')).status).toBe(401);
  });
});

describe('GET /api/users/{username}', () => {
  it('answers the documented fields to everybody, with explicit nulls', verifies('users.profile'), async () => {
    const { call, username } = await someone();
    const profile = {
      username,
      bio: null,
      avatar_url: null,
      is_public: true,
      followers_count: 0,
      following_count: 0,
      servers_count: 0,
      social_links: {},
    };
    for (const as of [call, nobody, (await someone()).call])
      expect(await answer(as, 'GET', `/api/users/${username.toUpperCase()}`)).toEqual([200, profile]);
  });

  it('counts the public servers of the user, and no others', verifies('users.servers'), async () => {
    const { call, graphql, username } = await someone();
    const uuids: string[] = [];
    for (const name of ['shown', 'hidden']) {
      const { body } = await call('POST', '/api/mcp-servers', { name, transport: 'stdio', command: 'x' });
      uuids.push(body.uuid);
    }
    const show =
      'mutation ($uuid: String!) { serverVisibilitySet(input: { uuid: $uuid, isPublic: true }) { server { uuid } } }';
    expect((await graphql(show, { uuid: uuids[0] })).errors).toBeUndefined();
    expect((await nobody('GET', `/api/users/${username}`)).body.servers_count).toBe(1);
  });

  it(
    'answers a profile that is not public like a user who does not exist, to all but its owner (B16)',
    verifies('users.profile.hidden'),
    async () => {
      const { call, username } = await someone({ bio: 'secret' });
      const session = await sessionOf(server);
      const { username: ofSession } = (await session.call('GET', '/api/auth/session')).body.user;
      const unknown = await nobody('GET', '/api/users/nobody-of-that-name');
      expect([unknown.status, unknown.body]).toEqual([404, notFound]);
      const headersOf = (headers: Headers) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      for (const name of [username, ofSession, 'x', 'admin', '%00', '%F0%9F%98%80', 'x'.repeat(5_000), randomUUID()]) {
        const found = await nobody('GET', `/api/users/${name}`);
        expect([found.status, found.text]).toEqual([404, unknown.text]);
        expect(headersOf(found.headers)).toEqual(headersOf(unknown.headers));
      }
      expect((await call('GET', `/api/users/${ofSession}`)).text).toBe(unknown.text);
      expect((await call('GET', `/api/users/${username}`)).body).toMatchObject({ is_public: false, bio: 'secret' });
      expect((await session.call('GET', `/api/users/${ofSession}`)).body).toMatchObject({ is_public: false });
    },
  );

  it('spends the class general, and so does check-username (B15)', verifies('users.rates'), async () => {
    const limited = await startTestServer({ RATE_LIMITS: '{"*": "off", "general": "3/1m"}' });
    const { call } = await tenantOf(limited);
    const otherTenant = callerOf(limited, null);
    const statuses = async (as: Call, path: string) => {
      const seen: number[] = [];
      for (let i = 0; i < 4; i++) seen.push((await as('GET', path)).status);
      return seen;
    };
    expect(await statuses(call, '/api/check-username?username=x')).toEqual([200, 200, 200, 429]);
    expect(await statuses(otherTenant, '/api/users/nobody-at-all')).toEqual([404, 404, 404, 429]);
  });
});

describe('PATCH /api/users/profile', () => {
  it(
    'changes what it is given and answers the profile',
    verifies('users.profile.update', 'users.profile.keys'),
    async () => {
      const { call, username } = await someone(null);
      const social_links = { website: 'https://example.com', github: 'https://github.com/me' };
      const change = { bio: '<b>Hello</b>\n😀', is_public: true, avatar_url: 'http://example.com/a.png', social_links };
      const { status, body } = await call('PATCH', '/api/users/profile', change);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        profile: { username, ...change, followers_count: 0, following_count: 0, servers_count: 0 },
      });
      expect((await nobody('GET', `/api/users/${username}`)).body).toEqual(body.profile);
      const cleared = { bio: null, avatar_url: null, social_links: null };
      expect((await call('PATCH', '/api/users/profile', cleared)).body.profile).toEqual({
        ...body.profile,
        ...cleared,
        social_links: {},
      });
      expect((await call('PATCH', '/api/users/profile', { is_public: null })).body.profile).toMatchObject({
        is_public: true,
      });
      expect((await call('PATCH', '/api/users/profile', {})).body.profile).toMatchObject({
        is_public: true,
        bio: null,
      });
    },
  );

  it(
    'ignores whatever else a body holds (B14)',
    verifies('users.profile.assignment', 'everywhere.unknown-fields'),
    async () => {
      const { call, username, uuid } = await someone();
      const before = (await call('GET', '/api/auth/session')).body.user;
      const forged = {
        is_admin: true,
        isAdmin: true,
        username: 'taken-over',
        email: 'x@example.com',
        uuid: randomUUID(),
      };
      const numbers = {
        followers_count: 1_000,
        servers_count: 9,
        isPublic: false,
        avatarUrl: 'x',
        socialLinks: { x: 1 },
      };
      const { body } = await call('PATCH', '/api/users/profile', { bio: 'b', ...forged, ...numbers, user_uuid: uuid });
      expect(body.profile).toMatchObject({ username, bio: 'b', is_public: true, followers_count: 0, servers_count: 0 });
      expect(body.profile.social_links).toEqual({});
      expect((await call('GET', '/api/auth/session')).body.user).toEqual(before);
    },
  );

  it.each<[string[], object]>([
    [['bio'], { bio: 'x'.repeat(1_001) }],
    [['bio'], { bio: { a: 1 } }],
    [['is_public'], { is_public: 'true' }],
    [['avatar_url'], { avatar_url: 'javascript:alert(1)' }],
    [['social_links'], { social_links: 'https://example.com' }],
    [['social_links'], { social_links: [] }],
    [['social_links.x'], { social_links: { x: 'javascript:alert(1)' } }],
    [['social_links.x'], { social_links: { x: 'data:text/html,x' } }],
    [['social_links.x'], { social_links: { x: 'https://user:password@example.com/' } }],
    [['social_links.x'], { social_links: { x: 'https://example.com/\n' } }],
    [['social_links.x'], { social_links: { x: `https://example.com/${'x'.repeat(2_048)}` } }],
    [['social_links.x', 'social_links.y', 'bio'], { bio: 1, social_links: { x: 1, y: 'ftp://a.b', z: 'https://a.b' } }],
  ])('names %j as the specification spells it (%#) (B14)', verifies('users.profile.form'), async (fields, change) => {
    const { call, username } = await someone();
    const before = (await call('GET', `/api/users/${username}`)).text;
    expect(await answer(call, 'PATCH', '/api/users/profile', change)).toEqual([400, invalid(...fields)]);
    expect((await call('GET', `/api/users/${username}`)).text).toBe(before);
  });

  it('takes a session too, and refuses anonymous callers', verifies('users.profile.keys'), async () => {
    const session = await sessionOf(server);
    expect((await session.call('PATCH', '/api/users/profile', { bio: 'b' })).body.profile.bio).toBe('b');
    expect((await nobody('PATCH', '/api/users/profile', { bio: 'b' })).status).toBe(401);
    const { call: reader } = await tenantOf(server, { scopes: ['read'] });
    expect((await reader('PATCH', '/api/users/profile', { bio: 'b' })).status).toBe(403);
  });

  it('is the only method of its path, which cannot be a user name', verifies('everywhere.method'), async () => {
    const { call } = await someone();
    const { status, headers } = await call('GET', '/api/users/profile');
    expect([status, headers.get('allow')]).toEqual([405, 'PATCH']);
  });
});

describe('/api/users/{username}/follow', () => {
  it('follows and unfollows, once', verifies('users.follow', 'users.follow.counts'), async () => {
    const [one, other] = [await someone(null), await someone()];
    const path = `/api/users/${other.username}/follow`;
    const numbers = async () => {
      const { followers_count } = (await nobody('GET', `/api/users/${other.username}`)).body;
      return [followers_count, (await one.call('GET', `/api/users/${one.username}`)).body.following_count];
    };
    for (let i = 0; i < 2; i++)
      expect(await answer(one.call, 'POST', path)).toEqual([200, { success: true, following: true }]);
    expect(await numbers()).toEqual([1, 1]);
    for (let i = 0; i < 2; i++)
      expect(await answer(one.call, 'DELETE', path)).toEqual([200, { success: true, following: false }]);
    expect(await numbers()).toEqual([0, 0]);
  });

  it(
    'refuses oneself, and answers users who are not public like unknown ones',
    verifies('users.follow', 'users.profile.hidden'),
    async () => {
      const [one, hidden] = [await someone(), await someone(null)];
      expect(await answer(one.call, 'POST', `/api/users/${one.username}/follow`)).toEqual([400, invalid('username')]);
      for (const name of [hidden.username, 'nobody-of-that-name', 'x', '%00'])
        for (const method of ['POST', 'DELETE'])
          expect(await answer(one.call, method, `/api/users/${name}/follow`), `${method} ${name}`).toEqual([
            404,
            notFound,
          ]);
      expect((await nobody('POST', `/api/users/${one.username}/follow`)).status).toBe(401);
      expect((await nobody('DELETE', `/api/users/${one.username}/follow`)).status).toBe(401);
    },
  );

  it(
    'tells the followed user by a notification and by webhooks of its profile',
    verifies('users.follow.events', 'users.follow.notice'),
    async () => {
      const [one, other] = [await someone(), await someone()];
      await one.call('POST', `/api/users/${other.username}/follow`);
      const { notifications } = (await other.call('GET', '/api/notifications')).body;
      expect(notifications).toMatchObject([{ type: 'INFO', metadata: { user_id: one.uuid } }]);
      const { rows } = {
        rows: await server.database.query({ text: 'SELECT type, data FROM outbox_events ORDER BY seq' }),
      };
      const told = rows.map(({ type, data }) => ({ type, data: JSON.parse(data as string) }));
      expect(told).toContainEqual({ type: 'user.followed', data: { follower_id: one.uuid, followed_id: other.uuid } });
    },
  );

  it('is done once for an Idempotency-Key', verifies('everywhere.idempotency'), async () => {
    const [one, other] = [await someone(), await someone()];
    const headers = { 'Idempotency-Key': randomUUID() };
    const follow = () => one.call('POST', `/api/users/${other.username}/follow`, undefined, headers);
    await follow();
    expect((await follow()).headers.get('idempotent-replayed')).toBe('true');
  });
});
