import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { keyOf, signUp } from '../support/services.ts';
import { apiError, createUserServices, errorAbout, notFound } from './user-services.ts';

const { services, statements, sql, someone, usersWithServers } = await createUserServices();
const { auth, users } = services;
const nobody = anonymous('192.0.2.7');

const asker = await signUp(services);

describe('a user name', () => {
  it.each([
    'abc',
    'a-b_c',
    'x'.repeat(30),
    'ab',
    'x'.repeat(31),
    'white space',
    'ünïcode',
    'раypal',
    'ad\u200bmin',
    '\u212aim',
    'ｆｕｌｌ',
    'admin',
    'A-d_M-i_N',
    'Patchbay',
    'api',
    '%41bc',
    '😀😀😀',
  ])(
    '%j is available exactly when a user can sign up with it (B15)',
    verifies('users.check-username.judgement'),
    async (username) => {
      const isAvailable = await users.isUsernameAvailable(asker, { username });
      const signedUp = await auth.accounts
        .signUp(nobody, { email: `u-${randomUUID()}@example.com`, username, password: 'correct horse battery' })
        .then(
          () => true,
          ({ code }) => code,
        );
      expect(signedUp).toBe(isAvailable || 'VALIDATION_ERROR');
      expect(await users.isUsernameAvailable(asker, { username })).toBe(false);
    },
  );

  it('that is taken is taken in every case (B15)', verifies('users.check-username.judgement'), async () => {
    const username = `Case-${randomUUID().slice(0, 8)}`;
    expect(await users.isUsernameAvailable(asker, { username })).toBe(true);
    await signUp(services, username);
    for (const name of [username, username.toLowerCase(), username.toUpperCase()])
      expect(await users.isUsernameAvailable(asker, { username: name })).toBe(false);
  });

  it.each([{}, { username: '' }, { username: null }, { username: 'a\u0000' }, { username: '\ud800' }, { username: 3 }])(
    'must be there and must be text: %j',
    verifies('users.check-username'),
    async (input) => {
      await expect(users.isUsernameAvailable(asker, input as never)).rejects.toEqual(errorAbout('username'));
    },
  );
});

describe('a profile', () => {
  it(
    'shows defaults to its owner alone until it is public',
    verifies('users.profile', 'users.profile.hidden'),
    async () => {
      const { caller, uuid, username } = await someone({ isPublic: false });
      const own = {
        uuid,
        username,
        bio: null,
        avatarUrl: null,
        isPublic: false,
        socialLinks: {},
        followersCount: 0,
        followingCount: 0,
        serversCount: 0,
        isFollowedByViewer: false,
      };
      expect(await users.profile(caller, username.toUpperCase())).toEqual(own);
      for (const other of [nobody, await signUp(services)])
        await expect(users.profile(other, username)).rejects.toEqual(notFound);
      await users.update(caller, { isPublic: true });
      for (const other of [nobody, await signUp(services), caller])
        expect(await users.profile(other, username)).toEqual({ ...own, isPublic: true });
      await users.update(caller, { isPublic: false });
      await expect(users.profile(nobody, username)).rejects.toEqual(notFound);
    },
  );

  it(
    'of a disabled user is gone, byte by byte like one that never was (B16)',
    verifies('users.profile.hidden'),
    async () => {
      const { uuid, username } = await someone();
      await sql.query('UPDATE users SET disabled_at = now() WHERE uuid = $1', [uuid]);
      const { username: hidden } = await someone({ isPublic: false });
      const names = [username, hidden, 'nobody-at-all', 'x', '\u0000', '../admin', '\u212aim', ''];
      const failures = names.map((name) =>
        users.profile(nobody, name).catch((error) => JSON.stringify({ ...error, message: error.message })),
      );
      expect(new Set(await Promise.all(failures)).size).toBe(1);
      expect(await users.find(nobody, [uuid])).toEqual([null]);
    },
  );

  it('is not the own one to a key that may not read', verifies('users.profile.hidden'), async () => {
    const { caller, username } = await someone({ isPublic: false });
    const { caller: writer } = await keyOf(services, caller, { scopes: ['write'] });
    const { caller: reader } = await keyOf(services, caller, { scopes: ['read'] });
    await expect(users.profile(writer, username)).rejects.toEqual(notFound);
    expect(await users.profile(reader, username)).toMatchObject({ username });
    expect(await users.update(writer, { bio: 'b' })).toMatchObject({ bio: 'b' });
  });

  it(
    'is two statements, by name and by ids, and none for names that cannot exist',
    verifies('users.statements'),
    async () => {
      const some = await Promise.all([someone(), someone(), someone({ isPublic: false })]);
      statements.length = 0;
      const uuids = some.map(({ uuid }) => uuid);
      const found = await users.find(nobody, [...uuids, 'x', randomUUID(), String(uuids[0]).toUpperCase()]);
      expect(found.map((one) => one?.uuid)).toEqual([uuids[0], uuids[1], undefined, undefined, undefined, uuids[0]]);
      await users.profile(nobody, String(some[0]?.username));
      expect(statements).toHaveLength(4);
      await expect(users.profile(nobody, 'x'.repeat(10_000))).rejects.toEqual(notFound);
      expect(statements).toHaveLength(4);
    },
  );

  it('counts servers as the area of the servers does, all at once', verifies('users.servers'), async () => {
    const [one, other] = [await someone(), await someone()];
    const asked: (readonly string[])[] = [];
    const withServers = usersWithServers(async (uuids) => {
      asked.push(uuids);
      return new Map([[one.uuid, 3]]);
    });
    const found = await withServers.find(nobody, [one.uuid, other.uuid]);
    expect(found.map((each) => each?.serversCount)).toEqual([3, 0]);
    expect(asked.map((uuids) => [...uuids].sort())).toEqual([[one.uuid, other.uuid].sort()]);
    expect((await withServers.profile(nobody, one.username)).serversCount).toBe(3);
    expect((await withServers.update(one.caller, {})).serversCount).toBe(3);
  });
});

describe('a change', () => {
  const change = async (caller: Caller, input: object) => users.update(caller, input as never);

  it('changes what is given, clears what is null, and leaves the rest', verifies('users.profile.update'), async () => {
    const { caller } = await someone({ isPublic: false });
    const socialLinks = { website: 'https://example.com', github: 'http://github.com/me?tab=1#x' };
    const whole = {
      bio: 'Hello\n<b>there</b> 😀',
      isPublic: true,
      avatarUrl: 'https://example.com/ä.png',
      socialLinks,
    };
    expect(await change(caller, whole)).toMatchObject(whole);
    expect(Object.keys((await change(caller, {})).socialLinks)).toEqual(['website', 'github']);
    expect(await change(caller, { bio: null })).toMatchObject({ ...whole, bio: null });
    expect(await change(caller, { avatarUrl: null })).toMatchObject({ bio: null, avatarUrl: null, socialLinks });
    expect(await change(caller, { socialLinks: { x: 'https://x.com/me' } })).toMatchObject({
      isPublic: true,
      socialLinks: { x: 'https://x.com/me' },
    });
    expect((await change(caller, { socialLinks: null })).socialLinks).toEqual({});
    expect(await change(caller, { isPublic: false, bio: '' })).toMatchObject({ isPublic: false, bio: '' });
  });

  it('is one statement and one for the servers, also the first', async () => {
    const { caller } = await someone({ isPublic: false });
    statements.length = 0;
    await change(caller, { bio: 'a' });
    await change(caller, { bio: 'b' });
    expect(statements).toHaveLength(4);
  });

  const long = `https://example.com/${'a'.repeat(2_029)}`;
  const bad = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com/',
    '//example.com/',
    'example.com',
    '/path',
    '',
    'https:',
    'https://',
    'https:///example.com',
    'https:example.com',
    'https:\\\\example.com',
    'https://good.example\\@evil.example/',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:@example.com/',
    'https://example.com/\t',
    'https://example.com/\r\nX: y',
    'https://example.com/a b',
    'https://example.com/\u202e',
    'https://example.com/\u00a0',
    'https://example.com/"onerror="alert(1)',
    'https://example.com/<script>',
    'https://example.com:99999/',
    'https://exa mple.com/',
    'https://example.com/\u0000',
    'https://example.com/\ud800',
    long,
  ];

  it.each(bad)('refuses the URL %j, naming where it stood (B14)', verifies('users.profile.form'), async (url) => {
    const { caller } = await someone({ isPublic: false });
    await expect(change(caller, { socialLinks: { website: 'https://a.example', x: url } })).rejects.toEqual(
      errorAbout('socialLinks.x'),
    );
    await expect(change(caller, { avatarUrl: url })).rejects.toEqual(errorAbout('avatarUrl'));
    expect(await users.update(caller, {})).toMatchObject({ avatarUrl: null, socialLinks: {} });
  });

  it.each([
    long.slice(0, 2_048),
    'HTTPS://EXAMPLE.COM',
    'http://[2001:db8::1]:8080/a?b=c#d',
    'https://bücher.example/ü',
  ])('takes the URL %#, and gives it back as it came', verifies('users.profile.form'), async (url) => {
    const { caller } = await someone();
    const made = await change(caller, { avatarUrl: url, socialLinks: { website: url } });
    expect([made.avatarUrl, made.socialLinks.website]).toEqual([url, url]);
  });

  it.each<[string, object]>([
    ['bio', { bio: 'x'.repeat(1_001) }],
    ['bio', { bio: 5 }],
    ['bio', { bio: 'a\u0000' }],
    ['bio', { bio: '\udc00' }],
    ['bio', { bio: 'a\u001b[31m' }],
    ['isPublic', { isPublic: 'true' }],
    ['avatarUrl', { avatarUrl: 5 }],
    ['socialLinks', { socialLinks: 'https://example.com' }],
    ['socialLinks', { socialLinks: ['https://example.com'] }],
    ['socialLinks', { socialLinks: JSON.parse('{"__proto__": "https://example.com"}') }],
    ['socialLinks', { socialLinks: { 'a.b': 'https://example.com' } }],
    ['socialLinks', { socialLinks: { '': 'https://example.com' } }],
    ['socialLinks', { socialLinks: { ['x'.repeat(33)]: 'https://example.com' } }],
    [
      'socialLinks',
      { socialLinks: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, 'https://a.b'])) },
    ],
    [
      'socialLinks',
      { socialLinks: Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`s${i}`, long.slice(0, 2_000)])) },
    ],
    ['socialLinks.x', { socialLinks: { x: 5 } }],
    ['socialLinks.x', { socialLinks: { x: null } }],
    ['socialLinks.constructor', { socialLinks: { constructor: 'javascript:alert(1)' } }],
  ])('refuses a wrong %s, naming it (%#) (B14)', verifies('users.profile.form'), async (field, input) => {
    const { caller } = await someone({ isPublic: false });
    await expect(change(caller, input)).rejects.toEqual(errorAbout(field));
  });

  it('by a key needs the scope write', verifies('users.profile.keys'), async () => {
    const { caller } = await someone();
    const { caller: reader } = await keyOf(services, caller, { scopes: ['read'] });
    await expect(change(reader, { bio: 'x' })).rejects.toEqual(apiError('FORBIDDEN'));
  });
});
