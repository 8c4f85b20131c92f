import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { sessionOf } from '../support/people.ts';
import { type Answer, callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { expectDocumented, expectRefused, newPerson, tokenOf, unknownUuid, withCookie } from './auth-responses.ts';

const server = await startTestServer();
const anybody = callerOf(server, null);

describe('/api/projects', () => {
  it('makes and lists projects', verifies('identity.projects'), async () => {
    const { call } = await sessionOf(server);
    server.clock.advance(1_000);
    const made = await call('POST', '/api/projects', { name: 'Second', tier: 'enterprise', uuid: unknownUuid });
    expectDocumented(made, 'POST', '/api/projects');
    expect(made.body.project).toMatchObject({ name: 'Second', tier: 'free' });
    expect(made.body.project.uuid).not.toBe(unknownUuid);
    const answer = await call('GET', '/api/projects');
    expectDocumented(answer, 'GET', '/api/projects');
    expect(answer.body).toMatchObject({
      projects: [{ name: 'Default' }, { name: 'Second' }],
      total: 2,
      limit: 100,
      offset: 0,
    });
    const second = await call('GET', '/api/projects?limit=1&offset=1');
    expect(second.body).toEqual({ projects: [made.body.project], total: 2, limit: 1, offset: 1 });
  });

  it('shows a key its own project alone, and lets it make none: 403', async () => {
    const { user, call } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
    await server.services.auth.projects.create(user, { name: 'Other' });
    const answer = await call('GET', '/api/projects');
    expect(answer.body).toMatchObject({ projects: [{ uuid: user.principal?.projectUuid }], total: 1 });
    expectRefused(await call('POST', '/api/projects', { name: 'x' }), 403, 'FORBIDDEN');
  });

  it('refuses bad names and pages with 400, and an anonymous caller with 401', async () => {
    const { call } = await sessionOf(server);
    for (const name of ['', ' ', 'x'.repeat(101), 'a\nb', 1, null, undefined])
      expectRefused(await call('POST', '/api/projects', { name }), 400, 'VALIDATION_ERROR', {
        name: expect.stringContaining('name'),
      });
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'limit=', 'limit=99999999999'])
      expectRefused(await call('GET', `/api/projects?${query}`), 400, 'VALIDATION_ERROR', {
        limit: 'limit must be an integer from 1 to 1000',
      });
    for (const query of ['offset=-1', 'offset=2147483648', 'offset=x'])
      expectRefused(await call('GET', `/api/projects?${query}`), 400, 'VALIDATION_ERROR', {
        offset: 'offset must be an integer from 0 to 2147483647',
      });
    expectRefused(await anybody('GET', '/api/projects'), 401, 'UNAUTHORIZED');
    expectRefused(await anybody('POST', '/api/projects', { name: 'x' }), 401, 'UNAUTHORIZED');
  });

  it('ends at 100 projects: 409', async () => {
    const { user, call } = await sessionOf(server);
    const times = { createdAt: server.clock.now(), updatedAt: server.clock.now() };
    const userUuid = user.principal?.userUuid ?? '';
    await server.database.prisma.project.createMany({
      data: Array.from({ length: 99 }, () => ({ userUuid, name: 'x', ...times })),
    });
    expectRefused(await call('POST', '/api/projects', { name: 'x' }), 409, 'CONFLICT');
  });
});

describe('/api/profiles', () => {
  it('makes, lists and activates profiles', verifies('identity.profiles', 'identity.profiles.activate'), async () => {
    const { user, call } = await sessionOf(server);
    server.clock.advance(1_000);
    const made = await call('POST', '/api/profiles', { name: 'Second' });
    expectDocumented(made, 'POST', '/api/profiles');
    expect(made.body.profile).toMatchObject({ name: 'Second', projectUuid: user.principal?.projectUuid });
    const { uuid } = made.body.profile;
    const listed = await call('GET', `/api/profiles?projectUuid=${user.principal?.projectUuid}&limit=5`);
    expectDocumented(listed, 'GET', '/api/profiles');
    expect(listed.body).toMatchObject({ profiles: [{ name: 'Default' }, { uuid }], total: 2, limit: 5, offset: 0 });
    expect((await call('GET', '/api/profiles')).body.profiles).toEqual(listed.body.profiles);
    const activated = await call('POST', `/api/profiles/${uuid}/activate`);
    expectDocumented(activated, 'POST', '/api/profiles/:uuid/activate');
    expect(activated.body).toEqual(made.body);
    expect((await call('GET', '/api/auth/session')).body.profile.uuid).toBe(uuid);
  });

  it('B01 B04: answers ids of others and malformed ones byte for byte like unknown ones', async () => {
    const [mine, theirs] = [await sessionOf(server), await sessionOf(server)];
    const profileUuid = theirs.user.principal?.profileUuid ?? '';
    const projectUuid = theirs.user.principal?.projectUuid ?? '';
    const alike = async (foreign: string, ask: (uuid: string) => Promise<Answer>) => {
      const answers = await Promise.all([foreign, unknownUuid, 'x', '%20', '__proto__'].map(ask));
      for (const answer of answers) expectRefused(answer, 404, 'NOT_FOUND');
      expect(new Set(answers.map(({ text }) => text))).toHaveProperty('size', 1);
    };
    await alike(profileUuid, (uuid) => mine.call('POST', `/api/profiles/${uuid}/activate`));
    await alike(projectUuid, (uuid) => mine.call('GET', `/api/profiles?projectUuid=${uuid}`));
    await alike(projectUuid, (uuid) => mine.call('POST', '/api/profiles', { projectUuid: uuid, name: 'x' }));
    await alike(profileUuid, (uuid) => mine.call('GET', `/api/api-keys?profileUuid=${uuid}`));
    await alike(profileUuid, (uuid) => mine.call('POST', '/api/api-keys', { profileUuid: uuid, name: 'x' }));
    const { apiKey } = await server.services.auth.apiKeys.create(theirs.user, { name: 'theirs' });
    await alike(apiKey.uuid, (uuid) => mine.call('DELETE', `/api/api-keys/${uuid}`));
    expect((await theirs.call('GET', '/api/api-keys')).body.apiKeys).toMatchObject([{ state: 'active' }]);
    expectRefused(await mine.call('POST', '/api/profiles/%00/activate'), 404, 'NOT_FOUND');
    expectRefused(await mine.call('POST', '/api/profiles/%zz/activate'), 400, 'VALIDATION_ERROR', expect.anything());
  });

  it('refuses bad input with 400, keys without admin with 403 and an anonymous caller with 401', async () => {
    const { call } = await sessionOf(server);
    expectRefused(await call('POST', '/api/profiles', { name: 'x', projectUuid: {} }), 400, 'VALIDATION_ERROR', {
      projectUuid: 'projectUuid must be a string',
    });
    expectRefused(await call('GET', '/api/profiles?limit=0'), 400, 'VALIDATION_ERROR', { limit: expect.any(String) });
    const key = await tenantOf(server);
    expectRefused(await key.call('POST', '/api/profiles', { name: 'x' }), 403, 'FORBIDDEN');
    expectRefused(await key.call('POST', `/api/profiles/${unknownUuid}/activate`), 403, 'FORBIDDEN');
    const writer = await tenantOf(server, { scopes: ['write'] });
    expectRefused(await writer.call('GET', '/api/profiles'), 403, 'FORBIDDEN');
    const admin = await tenantOf(server, { scopes: ['read', 'admin'] });
    expectDocumented(await admin.call('POST', '/api/profiles', { name: 'x' }), 'POST', '/api/profiles');
    for (const [method, path] of [
      ['GET', '/api/profiles'],
      ['POST', '/api/profiles'],
      ['POST', `/api/profiles/${unknownUuid}/activate`],
    ] as const)
      expectRefused(await anybody(method, path), 401, 'UNAUTHORIZED');
  });

  it('ends at 100 profiles of a project: 409', async () => {
    const { user, call } = await sessionOf(server);
    const times = { createdAt: server.clock.now(), updatedAt: server.clock.now() };
    const projectUuid = user.principal?.projectUuid ?? '';
    await server.database.prisma.profile.createMany({
      data: Array.from({ length: 99 }, () => ({ projectUuid, name: 'x', ...times })),
    });
    expectRefused(await call('POST', '/api/profiles', { name: 'x' }), 409, 'CONFLICT');
  });
});

describe('/api/api-keys', () => {
  it(
    'makes a key that works, lists it without its secret, and revokes it at once',
    verifies('identity.key.create', 'identity.key.list', 'identity.key.revocation'),
    async () => {
      const { user, call } = await sessionOf(server);
      const expiresAt = new Date(server.clock.now().getTime() + 60_000).toISOString();
      const input = { name: 'CI', scopes: ['read'], channel: 'mcp', expiresAt, prefix: 'x', revokedAt: expiresAt };
      const made = await call('POST', '/api/api-keys', input);
      expectDocumented(made, 'POST', '/api/api-keys');
      const { apiKey, secret } = made.body;
      expect(secret).toMatch(/^pbk_[0-9A-Za-z]{49}$/);
      expect(apiKey).toMatchObject({
        name: 'CI',
        scopes: ['read'],
        channel: 'mcp',
        expiresAt,
        state: 'active',
        revokedAt: null,
        prefix: secret.slice(0, 12),
        profileUuid: user.principal?.profileUuid,
      });
      const byKey = callerOf(server, secret);
      expect((await byKey('GET', '/api/auth/session')).status).toBe(200);
      const listed = await call('GET', '/api/api-keys');
      expectDocumented(listed, 'GET', '/api/api-keys');
      expect(listed.body).toMatchObject({ apiKeys: [{ uuid: apiKey.uuid }], total: 1, limit: 100, offset: 0 });
      expect(listed.text).not.toContain(secret);
      const revoked = await call('DELETE', `/api/api-keys/${apiKey.uuid}`);
      expectDocumented(revoked, 'DELETE', '/api/api-keys/:uuid');
      expect(revoked.body.apiKey).toMatchObject({ state: 'revoked', revokedAt: server.clock.now().toISOString() });
      expectRefused(await byKey('GET', '/api/auth/session'), 401, 'UNAUTHORIZED');
      expect((await call('DELETE', `/api/api-keys/${apiKey.uuid}`)).body).toEqual(revoked.body);
      expect((await call('GET', '/api/api-keys')).body.apiKeys).toEqual([revoked.body.apiKey]);
    },
  );

  it(
    'gives a key of documented defaults, and shows an expired one as such',
    verifies('identity.key.create'),
    async () => {
      const { call } = await sessionOf(server);
      const { body } = await call('POST', '/api/api-keys', { name: 'x', scopes: null, channel: null, expiresAt: null });
      expect(body.apiKey).toMatchObject({ scopes: ['read', 'write'], channel: 'sdk', expiresAt: null });
      const expiresAt = new Date(server.clock.now().getTime() + 1_000).toISOString();
      server.clock.advance(1);
      const short = await call('POST', '/api/api-keys', { name: 'short', expiresAt });
      server.clock.advance(1_000);
      expectRefused(await callerOf(server, short.body.secret)('GET', '/api/auth/session'), 401, 'UNAUTHORIZED');
      expect((await call('GET', '/api/api-keys?limit=1')).body.apiKeys).toMatchObject([
        { name: 'short', state: 'expired' },
      ]);
    },
  );

  it('refuses bad input with 400 and the name of the field', async () => {
    const { call } = await sessionOf(server);
    const good = { name: 'x', expiresAt: new Date(server.clock.now().getTime() + 60_000).toISOString() };
    const cases: [object, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 1 }, 'name'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['root'] }, 'scopes.0'],
      [{ scopes: ['READ'] }, 'scopes.0'],
      [{ scopes: [1] }, 'scopes.0'],
      [{ scopes: 'read' }, 'scopes'],
      [{ scopes: 'READ' }, 'scopes'],
      [{ scopes: { length: 1 } }, 'scopes'],
      [{ channel: 'ui' }, 'channel'],
      [{ channel: 'SDK' }, 'channel'],
      [{ channel: 1 }, 'channel'],
      [{ profileUuid: 1 }, 'profileUuid'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ expiresAt: 5 }, 'expiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: '9999-01-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt'],
    ];
    for (const [change, field] of cases)
      expectRefused(await call('POST', '/api/api-keys', { ...good, ...change }), 400, 'VALIDATION_ERROR', {
        [field]: expect.stringContaining(field.split('.')[0] ?? ''),
      });
  });

  it('refuses keys without admin with 403, and an anonymous caller with 401', async () => {
    const { call, uuid } = await tenantOf(server);
    const paths = [
      ['GET', '/api/api-keys'],
      ['POST', '/api/api-keys', { name: 'x' }],
      ['DELETE', `/api/api-keys/${uuid}`],
    ] as const;
    for (const [method, path, body] of paths) {
      expectRefused(await call(method, path, body), 403, 'FORBIDDEN');
      expectRefused(await anybody(method, path, body), 401, 'UNAUTHORIZED');
    }
    const admin = await tenantOf(server, { scopes: ['admin'] });
    expectRefused(await admin.call('POST', '/api/api-keys', { name: 'more than itself' }), 403, 'FORBIDDEN');
    const less = await admin.call('POST', '/api/api-keys', { name: 'x', scopes: ['admin'] });
    expectDocumented(less, 'POST', '/api/api-keys');
  });

  it('ends at 200 working keys of a profile: 409', async () => {
    const { user, call } = await sessionOf(server);
    const profileUuid = user.principal?.profileUuid ?? '';
    const row = { profileUuid, name: 'x', prefix: 'x', scopes: ['read'], createdAt: server.clock.now() };
    await server.database.prisma.apiKey.createMany({
      data: Array.from({ length: 200 }, (_, place) => ({ ...row, keyHash: Buffer.from(profileUuid + place) })),
    });
    expectRefused(await call('POST', '/api/api-keys', { name: 'x' }), 409, 'CONFLICT');
  });

  it('B07: refuses every invalid key with the same 401, and a key in the query string', async () => {
    const { secret } = await tenantOf(server);
    const lookUps = () => server.statements.filter((text) => text.includes('key_hash')).length;
    const before = lookUps();
    const wrong = [
      `${secret}a`,
      secret.slice(1),
      `${secret.slice(0, -1)}${secret.at(-1) === 'a' ? 'b' : 'a'}`,
      'x'.repeat(10_240),
      'pbk_',
      `pbk_${'é'.repeat(49)}`,
    ];
    for (const text of wrong) {
      const answer = await anybody('GET', '/api/auth/session', undefined, {
        Authorization: `Bearer ${encodeURI(text)}`,
      });
      expectRefused(answer, 401, 'UNAUTHORIZED');
    }
    expect(lookUps()).toBe(before);
    for (const scheme of ['bearer', 'BEARER'])
      expect(
        (await anybody('GET', '/api/auth/session', undefined, { Authorization: `${scheme} ${secret}` })).status,
      ).toBe(200);
    for (const header of [`Basic ${secret}`, secret, `Bearer ${secret} ${secret}`, 'Bearer', ''])
      expectRefused(
        await anybody('GET', '/api/auth/session', undefined, { Authorization: header }),
        401,
        'UNAUTHORIZED',
      );
    for (const name of ['api_key', 'access_token', 'token', 'key'])
      expectRefused(await anybody('GET', `/api/auth/session?${name}=${secret}`), 401, 'UNAUTHORIZED');
  });

  it('B06: writes no secret into the log', async () => {
    const person = newPerson();
    const signUp = await anybody('POST', '/api/auth/sign-up', person);
    const made = await anybody('POST', '/api/api-keys', { name: 'canary' }, withCookie(tokenOf(signUp)));
    await callerOf(server, made.body.secret)('GET', '/api/auth/session');
    await callerOf(server, `${made.body.secret}x`)('GET', '/api/auth/session');
    await anybody('POST', '/api/auth/sign-up', person);
    const logged = server.logged.join('');
    expect(logged).toContain('/api/auth/sign-up');
    for (const canary of [person.password, person.email, tokenOf(signUp), made.body.secret])
      expect(logged).not.toContain(canary);
  });
});

describe('every path of identity', () => {
  it('answers a wrong method with 405 and Allow, in the general shape', async () => {
    for (const [path, allow] of [
      ['/api/auth/sign-up', 'POST'],
      ['/api/auth/session', 'GET, HEAD'],
      ['/api/projects', 'GET, HEAD, POST'],
      [`/api/api-keys/${unknownUuid}`, 'DELETE'],
    ] as const) {
      const answer = await anybody('PATCH', path, {});
      expectRefused(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  it('B11 B12: takes the cookie from this site alone, and shares no answer with another', async () => {
    const { call } = await sessionOf(server);
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `${server.base}.evil.example` },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of foreign) {
      expectRefused(await call('POST', '/api/projects', { name: 'x' }, headers), 403, 'FORBIDDEN');
      expectRefused(await call('POST', '/api/auth/sign-out', {}, headers), 403, 'FORBIDDEN');
      const read = await call('GET', '/api/auth/session', undefined, headers);
      expect(read.headers.get('access-control-allow-origin')).toBeNull();
      expect(read.headers.get('access-control-allow-credentials')).toBeNull();
    }
    expect((await call('GET', '/api/projects')).body.total).toBe(1);
  });
});
