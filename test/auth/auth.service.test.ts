import { parseOptions } from '@node-rs/argon2';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newApiKey } from '../../src/auth/api-key-format.ts';
import { deadKeysMax, liveKeysMax } from '../../src/auth/api-keys.ts';
import { createPasswords, hashOptions, nobodysHash } from '../../src/auth/passwords.ts';
import { profilesMax } from '../../src/auth/profiles.ts';
import { projectsMax } from '../../src/auth/projects.ts';
import { sessionSeconds } from '../../src/auth/sessions.ts';
import { sessionsMax } from '../../src/auth/users.ts';
import { anonymous, type Caller, type Principal, type Scope } from '../../src/platform/caller.ts';
import { createTestServices } from './scratch-services.ts';

const { database, clock, services, statements } = await createTestServices();
const { users, sessions, projects, profiles, apiKeys } = services.auth;
const { prisma } = database;
const password = 'correct horse battery';
const unknownUuid = '00000000-0000-4000-8000-000000000000';
const nobody = anonymous('203.0.113.1');
const epoch = new Date('2027-01-01T00:00:00.000Z');

beforeEach(() => clock.set(epoch));

let people = 0;
/** A new user: its caller by session, and the token of it. */
async function person(name = `person-${++people}`) {
  const { token, principal } = await users.signUp(nobody, { username: name, email: `${name}@example.test`, password });
  return { name, email: `${name}@example.test`, token, principal, caller: callerOf(principal) };
}

const callerOf = (principal: Principal | null): Caller => ({ principal, address: '203.0.113.1' });

async function callerByKey(caller: Caller, input: { scopes?: Scope[]; profileUuid?: string } = {}): Promise<Caller> {
  const { secret } = await apiKeys.create(caller, { name: 'key', ...input });
  return callerOf(await apiKeys.verify(secret));
}

const list = {
  projects: async (caller: Caller) => (await projects.page(caller, {})).projects,
  profiles: async (caller: Caller, input: { projectUuid?: string } = {}) =>
    (await profiles.page(caller, input)).profiles,
  apiKeys: async (caller: Caller, input: { profileUuid?: string } = {}) => (await apiKeys.page(caller, input)).apiKeys,
};

const refusal = (code: string, details?: object) =>
  expect.objectContaining({ name: 'Refusal', code, ...(details && { details }) });

/** The whole of a refusal, to be compared byte for byte. */
async function refusalOf(work: Promise<unknown>) {
  try {
    await work;
  } catch (error) {
    const { name, message, code, details } = error as Record<string, unknown>;
    return { name, message, code, details };
  }
  throw new Error('expected a refusal');
}

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = statements.length;
  await work();
  return statements.slice(before);
}

const nastyTexts = ['\u0000', 'a\u0000b', '\ud800', 'x\udfff'];
const notTexts = [1, true, {}, [], { not: null }, ['a'], { contains: '' }];

describe('sign-up', () => {
  it('makes a user, a project, a profile and a session at once, and acts as that profile', async () => {
    const { principal, token, name } = await person();
    const [user, project, profile] = await Promise.all([
      users.current(callerOf(principal)),
      projects.current(callerOf(principal)),
      profiles.current(callerOf(principal)),
    ]);
    expect(user).toMatchObject({ username: name, isAdmin: false, createdAt: epoch, activeProfileUuid: profile.uuid });
    expect(project).toMatchObject({ name: 'Default', tier: 'free', userUuid: user.uuid });
    expect(profile).toMatchObject({ name: 'Default', projectUuid: project.uuid });
    expect(principal).toMatchObject({ kind: 'session', source: 'ui', isAdmin: false, profileUuid: profile.uuid });
    expect(await sessions.verify(token)).toEqual(principal);
  });

  it('B06: keeps passwords and tokens as hashes only, and never hands a hash out', async () => {
    const { principal, token, caller } = await person();
    const { secret, apiKey } = await apiKeys.create(caller, { name: 'canary' });
    const rows = await Promise.all([prisma.user.findMany(), prisma.session.findMany(), prisma.apiKey.findMany()]);
    const dump = JSON.stringify(rows, (_key, value) => (value instanceof Uint8Array ? String(value) : value));
    for (const canary of [password, token, secret]) expect(dump).not.toContain(canary);
    const { passwordHash } = await prisma.user.findUniqueOrThrow({ where: { uuid: principal.userUuid } });
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await users.current(caller)).not.toHaveProperty('passwordHash');
    const keys = [apiKey, await apiKeys.revoke(caller, apiKey), ...(await list.apiKeys(caller, {}))];
    for (const key of keys) expect(key).not.toHaveProperty('keyHash');
  });

  it('B15: takes a user name once, without regard to case, and an address once, whatever its Unicode form', async () => {
    const { name } = await person('Ada-Lovelace');
    const again = (input: object) =>
      users.signUp(nobody, { username: 'somebody-else', email: 'else@example.test', password, ...input });
    await expect(again({ username: name.toUpperCase() })).rejects.toEqual(
      refusal('CONFLICT', { username: 'username is taken' }),
    );
    for (const email of ['ADA-lovelace@Example.TEST', '  ada-lovelace@example.test\n', 'ａｄａ-lovelace＠example.test'])
      await expect(again({ email })).rejects.toEqual(refusal('CONFLICT', { email: 'email is already registered' }));
    await expect(again({ username: 'ADA-LOVELACE', email: 'ada-lovelace@example.test' })).rejects.toEqual(
      refusal('CONFLICT', { email: 'email is already registered', username: 'username is taken' }),
    );
  });

  it('lets one of several racing sign-ups win and answers the others with a conflict that names the field', async () => {
    const rivals = ['raceA', 'RACEa', 'racea', 'RaceA'].map((username, place) =>
      users.signUp(nobody, { username, email: `rival${place}@example.test`, password }),
    );
    const results = await Promise.allSettled(rivals);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toEqual(refusal('CONFLICT', { username: 'username is taken' }));
    expect(await prisma.user.count({ where: { usernameKey: 'racea' } })).toBe(1);
    expect(await prisma.project.count({ where: { user: { usernameKey: 'racea' } } })).toBe(1);
  });

  it.each([
    ['too short', 'ab'],
    ['too long', 'a'.repeat(31)],
    ['with a space', 'ada lovelace'],
    ['with a line end', 'ada\n'],
    ['with a Cyrillic letter', 'аdmin'],
    ['with a Kelvin sign', '\u212aelvin'],
    ['full width', 'ａｄａ'],
    ['empty', ''],
    ['reserved', 'admin'],
    ['reserved in capitals', 'ROOT'],
    ['reserved with hyphens', 'Patch-Bay_'],
    ['reserved: null', 'null'],
  ])('B15: refuses a user name that is %s', async (_what, username) => {
    await expect(users.signUp(nobody, { username, email: 'name@example.test', password })).rejects.toEqual(
      refusal('VALIDATION_ERROR', { username: expect.stringContaining('username') }),
    );
  });

  it.each(['a_b', '---', 'A'.repeat(30), '__proto__', 'constructor', '123'])(
    'takes the user name %s',
    async (username) => {
      const email = `${username.toLowerCase()}@names.test`;
      const { principal } = await users.signUp(nobody, { username, email, password });
      expect(await users.current(callerOf(principal))).toMatchObject({ username });
    },
  );

  it.each(
    [
      'ada',
      'ada@',
      '@example.test',
      'ada@localhost',
      'a b@example.test',
      'ada@exa mple.test',
      'ada@@example.test',
      'ada@example.test\r\nBcc: all@example.test',
      'ada@-example.test',
      'ada@example..test',
      'ada\u200b@example.test',
      'ada\u202e@example.test',
      '"ada"@example.test',
      'a,b@example.test',
      'ada@[127.0.0.1]',
      `${'a'.repeat(65)}@example.test`,
      `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}`,
      'x'.repeat(2_000_000),
      '',
    ].map((email) => [JSON.stringify(email.slice(0, 40)), email] as const),
  )('refuses the address %s', async (_label, email) => {
    await expect(users.signUp(nobody, { username: 'mailer-test', email, password })).rejects.toEqual(
      refusal('VALIDATION_ERROR', { email: expect.stringContaining('email') }),
    );
  });

  it.each(["o'brien+tag@sub.example.test", 'müller@exämple.test', 'x@a.co'])('takes the address %s', async (email) => {
    const { principal } = await users.signUp(nobody, { username: `mail-${++people}`, email, password });
    expect(await users.current(callerOf(principal))).toMatchObject({ email });
  });

  it('B15: judges a hostile address in linear time', async () => {
    const started = performance.now();
    for (const email of [`a@${'a.'.repeat(120)}`, `a@${'a'.repeat(248)}!`, `${'@'.repeat(250)}`])
      await expect(users.signUp(nobody, { username: 'slow-regex', email, password })).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(200);
  });

  it.each([
    ['seven characters', '1a2b3c4'],
    ['257 characters', `${'ab'.repeat(128)}c`],
    ['seven characters of two units each', '😀😁😂😃😄😅😆'],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['one of the commonest', 'Password123'],
    ['the same character', 'zzzzzzzzzzzz'],
    ['the user name', 'GUESS-ME-USER'],
    ['the address', 'guess-me@example.test'],
    ['the address in front of @', 'guess-me'],
    ['full width digits of a common one', '１２３４５６７８'],
  ])('refuses a password that is %s', async (_what, weak) => {
    await expect(
      users.signUp(nobody, { username: 'guess-me-user', email: 'guess-me@example.test', password: weak }),
    ).rejects.toEqual(refusal('VALIDATION_ERROR', { password: expect.stringContaining('password') }));
  });

  it('B14: takes nothing but the three documented fields', async () => {
    const input = { username: 'mass-assign', email: 'mass@example.test', password };
    const extra = {
      isAdmin: true,
      is_admin: true,
      uuid: unknownUuid,
      emailKey: 'x',
      disabledAt: null,
      tier: 'enterprise',
      createdAt: new Date(0),
      activeProfileUuid: unknownUuid,
      projects: { create: [] },
      ['__proto__']: { isAdmin: true },
    };
    const { principal } = await users.signUp(nobody, { ...extra, ...input } as typeof input);
    const user = await users.current(callerOf(principal));
    expect(user).toMatchObject({ isAdmin: false, createdAt: epoch, emailKey: 'mass@example.test' });
    expect(user.uuid).not.toBe(unknownUuid);
    expect(await projects.current(callerOf(principal))).toMatchObject({ tier: 'free' });
  });

  it('refuses NUL, lone surrogates and what is no text in every field, naming it', async () => {
    const good: Record<string, unknown> = { username: 'nasty-texts', email: 'nasty@example.test', password };
    for (const field of Object.keys(good))
      for (const nasty of [...nastyTexts.map((text) => text + String(good[field])), ...notTexts, null, undefined])
        await expect(users.signUp(nobody, { ...good, [field]: nasty } as never)).rejects.toEqual(
          refusal('VALIDATION_ERROR', { [field]: expect.stringContaining(field) }),
        );
  });
});

describe('sign-in', () => {
  it('works by name and by address, whatever their case and Unicode form', async () => {
    const { name, principal } = await person('Grace-Hopper');
    const ways = [
      { username: name },
      { username: 'gRACE-hOPPER' },
      { email: 'GRACE-hopper@example.test ' },
      { email: 'ｇrace-hopper@example.test', username: null },
    ];
    for (const way of ways) {
      const signedIn = await users.signIn(nobody, { ...way, password });
      expect(signedIn.principal).toMatchObject({ userUuid: principal.userUuid, profileUuid: principal.profileUuid });
      expect(signedIn.expiresAt).toEqual(new Date(epoch.getTime() + sessionSeconds * 1_000));
    }
  });

  it('takes a password that was composed differently', async () => {
    await users.signUp(nobody, { username: 'composed', email: 'composed@example.test', password: 'caf\u00e9 au lait' });
    await expect(users.signIn(nobody, { username: 'composed', password: 'cafe\u0301 au lait' })).resolves.toBeDefined();
  });

  it('B15: answers an unknown user and a wrong password alike, and hashes for both', async () => {
    const { name, email } = await person();
    const attempts = [
      { username: name, password: 'wrong password' },
      { email, password: 'wrong password' },
      { username: 'nobody-at-all', password },
      { email: 'nobody@example.test', password },
      { email: 'not an address', password },
      { username: 'ａｄｍｉｎ', password },
      { username: '', password },
    ];
    const answers = await Promise.all(attempts.map((attempt) => refusalOf(users.signIn(nobody, attempt))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveProperty('size', 1);
    expect(answers[0]).toMatchObject({ code: 'UNAUTHORIZED' });
    const { algorithm: _, version: __, ...options } = parseOptions(nobodysHash);
    expect(options).toMatchObject(hashOptions);
    const median = async (username: string) => {
      const times: number[] = [];
      for (let turn = 0; turn < 9; turn++) {
        const started = performance.now();
        await users.signIn(nobody, { username, password: 'wrong password' }).catch(() => {});
        times.push(performance.now() - started);
      }
      return times.sort((a, b) => a - b)[4] as number;
    };
    const [known, unknown] = [await median(name), await median('nobody-at-all')];
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });

  it('needs exactly one of name and address', async () => {
    for (const way of [{}, { username: null, email: null }, { username: 'a', email: 'a@example.test' }])
      await expect(users.signIn(nobody, { ...way, password })).rejects.toEqual(
        refusal('VALIDATION_ERROR', { email: expect.stringMatching(/either email or username/) }),
      );
  });

  it('refuses NUL, lone surrogates and what is no text in every field, naming it', async () => {
    for (const field of ['username', 'email', 'password'])
      for (const nasty of [...nastyTexts, ...notTexts]) {
        const input = { ...(field === 'password' && { username: 'somebody' }), password, [field]: nasty };
        await expect(users.signIn(nobody, input as never)).rejects.toEqual(
          refusal('VALIDATION_ERROR', expect.objectContaining({ [field]: expect.stringContaining(field) })),
        );
      }
  });

  it('B10: makes a new session every time and ends the one that was presented', async () => {
    const { name, token, caller } = await person();
    const second = await users.signIn(caller, { username: name, password });
    expect(second.token).not.toBe(token);
    expect(await sessions.verify(token)).toBeNull();
    expect(await sessions.verify(second.token)).toMatchObject({ kind: 'session' });
    const victim = await person();
    const attacker = await person();
    await users.signIn(attacker.caller, { username: victim.name, password });
    expect(await sessions.verify(attacker.token)).toBeNull();
    const newcomer = await users.signUp(victim.caller, { username: 'newcomer', email: 'new@example.test', password });
    expect(await sessions.verify(victim.token)).toBeNull();
    expect(await sessions.verify(newcomer.token)).not.toBeNull();
  });

  it('leaves the presented session alone when it fails', async () => {
    const { caller, token, name } = await person();
    await expect(users.signIn(caller, { username: name, password: 'wrong password' })).rejects.toThrow();
    expect(await sessions.verify(token)).not.toBeNull();
  });

  it('B09: refuses a disabled user, and tells so only to who knows the password', async () => {
    const { name, principal, token, caller } = await person();
    const { secret } = await apiKeys.create(caller, { name: 'key' });
    await prisma.user.update({ where: { uuid: principal.userUuid }, data: { disabledAt: epoch } });
    await expect(users.signIn(nobody, { username: name, password })).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(users.signIn(nobody, { username: name, password: 'wrong password' })).rejects.toEqual(
      refusal('UNAUTHORIZED'),
    );
    expect(await sessions.verify(token)).toBeNull();
    expect(await apiKeys.verify(secret)).toBeNull();
  });

  it(`keeps at most ${sessionsMax} sessions of a user; the oldest goes`, async () => {
    const { name, principal, token } = await person();
    const rows = Array.from({ length: sessionsMax - 1 }, (_, place) => ({
      userUuid: principal.userUuid,
      tokenHash: Buffer.from(`${name}${place}`),
      expiresAt: new Date('2028-01-01'),
      createdAt: new Date(epoch.getTime() + 1 + place),
    }));
    await prisma.session.createMany({ data: rows });
    clock.advance(1_000);
    const { token: newest } = await users.signIn(nobody, { username: name, password });
    expect(await prisma.session.count({ where: { userUuid: principal.userUuid } })).toBe(sessionsMax);
    expect(await sessions.verify(token)).toBeNull();
    expect(await sessions.verify(newest)).not.toBeNull();
  });

  it('hashes a few passwords at once, lets some wait and sends the others away', async () => {
    const passwords = createPasswords();
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.verify(null, 'flood')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(34);
    for (const { reason } of refused) expect(reason).toEqual(refusal('UNAVAILABLE'));
    expect(await passwords.verify(nobodysHash, 'this is the password of nobody')).toBe(true);
    expect(await passwords.verify(null, 'this is the password of nobody')).toBe(false);
  });
});

describe('sessions', () => {
  it('are verified by one statement, and by none if the text cannot be a token', async () => {
    const { token } = await person();
    expect(await statementsOf(() => sessions.verify(token))).toHaveLength(1);
    const bad = [
      '',
      'x',
      `${token}=`,
      token.slice(1),
      `${token}\n`,
      'ü'.repeat(43),
      'a'.repeat(1_000_000),
      '\u0000',
      null,
      {},
      [token],
    ];
    for (const text of bad)
      expect(await statementsOf(async () => expect(await sessions.verify(text as string)).toBeNull())).toEqual([]);
    expect(await sessions.verify('A'.repeat(43))).toBeNull();
  });

  it('B10: are over at the very instant of expiry, 30 days after sign-in', async () => {
    const { token } = await person();
    clock.advance(sessionSeconds * 1_000 - 1);
    expect(await sessions.verify(token)).not.toBeNull();
    clock.advance(1);
    expect(await sessions.verify(token)).toBeNull();
    const before = await prisma.session.count({ where: { expiresAt: { lte: clock.now() } } });
    expect(before).toBeGreaterThan(0);
    expect(await sessions.purgeExpired()).toBe(before);
    expect(await sessions.purgeExpired()).toBe(0);
  });

  it('B10: end on the server at sign-out, for nobody but their own bearer', async () => {
    const { name, token, caller } = await person();
    const { token: other } = await users.signIn(nobody, { username: name, password });
    await sessions.end(caller);
    await sessions.end(caller);
    expect(await sessions.verify(token)).toBeNull();
    const principal = await sessions.verify(other);
    expect(principal).not.toBeNull();
    await expect(sessions.end(nobody)).resolves.toBeUndefined();
    await expect(sessions.end(await callerByKey(callerOf(principal)))).rejects.toEqual(refusal('FORBIDDEN'));
  });

  it('act as the oldest profile of their user when the active one is gone', async () => {
    const { token, caller, principal } = await person();
    clock.advance(1_000);
    const second = await profiles.create(caller, { name: 'Second' });
    await profiles.activate(caller, { uuid: second.uuid });
    expect(await sessions.verify(token)).toMatchObject({ profileUuid: second.uuid });
    await prisma.profile.delete({ where: { uuid: second.uuid } });
    expect(await sessions.verify(token)).toMatchObject({ profileUuid: principal.profileUuid });
  });

  it('B04: never act as a profile of somebody else, even if the row says so', async () => {
    const [mine, theirs] = [await person(), await person()];
    const { userUuid } = mine.principal;
    await prisma.user.update({ where: { uuid: userUuid }, data: { activeProfileUuid: theirs.principal.profileUuid } });
    expect(await sessions.verify(mine.token)).toBeNull();
  });
});

describe('password change', () => {
  it('B10: ends all sessions, gives a new one, and leaves API keys alone', async () => {
    const { name, token, caller } = await person();
    const { token: other } = await users.signIn(nobody, { username: name, password });
    const { secret } = await apiKeys.create(caller, { name: 'key' });
    const changed = await users.changePassword(caller, { currentPassword: password, newPassword: 'a better one' });
    expect(await Promise.all([token, other].map(sessions.verify))).toEqual([null, null]);
    expect(await sessions.verify(changed.token)).toEqual(changed.principal);
    expect(await apiKeys.verify(secret)).not.toBeNull();
    await expect(users.signIn(nobody, { username: name, password })).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(users.signIn(nobody, { username: name, password: 'a better one' })).resolves.toBeDefined();
  });

  it('refuses a wrong current password, the same one, a guessable one, and keys', async () => {
    const { name, caller, token } = await person();
    const change = (currentPassword: unknown, newPassword: unknown, as = caller) =>
      users.changePassword(as, { currentPassword, newPassword } as never);
    await expect(change('wrong password', 'a better one')).rejects.toEqual(
      refusal('VALIDATION_ERROR', { currentPassword: 'currentPassword is wrong' }),
    );
    for (const bad of [password, 'short', 'Password1', `${name}@EXAMPLE.test`, ...nastyTexts, ...notTexts, null])
      await expect(change(password, bad)).rejects.toEqual(
        refusal('VALIDATION_ERROR', { newPassword: expect.stringContaining('newPassword') }),
      );
    for (const bad of [...nastyTexts, ...notTexts, null, ''])
      await expect(change(bad, 'a better one')).rejects.toEqual(
        refusal('VALIDATION_ERROR', { currentPassword: expect.stringContaining('currentPassword') }),
      );
    const key = await callerByKey(caller, { scopes: ['read', 'write', 'admin'] });
    await expect(change(password, 'a better one', key)).rejects.toEqual(refusal('FORBIDDEN'));
    expect(await sessions.verify(token)).not.toBeNull();
  });

  it('lets one of two racing changes win, and one session stand', async () => {
    const { caller, principal } = await person();
    const results = await Promise.allSettled(
      ['first choice', 'second choice'].map((newPassword) =>
        users.changePassword(caller, { currentPassword: password, newPassword }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refusal('CONFLICT') });
    expect(await prisma.session.count({ where: { userUuid: principal.userUuid } })).toBe(1);
  });

  it('B10: leaves no session behind that was started with the old password at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { name, caller } = await person();
      const [changed, ...signIns] = await Promise.allSettled([
        users.changePassword(caller, { currentPassword: password, newPassword: 'a better one' }),
        users.signIn(nobody, { username: name, password }),
        users.signIn(nobody, { username: name, password }),
      ]);
      expect(changed?.status).toBe('fulfilled');
      for (const signIn of signIns) {
        if (signIn.status === 'fulfilled') expect(await sessions.verify(signIn.value.token)).toBeNull();
        else expect(signIn.reason).toEqual(refusal('UNAUTHORIZED'));
      }
    }
  });
});

describe('projects and profiles', () => {
  it('are made, listed in order of age, counted and paged', async () => {
    const { caller, principal } = await person();
    for (const name of ['Second', 'Third', 'Third']) {
      clock.advance(1_000);
      await projects.create(caller, { name });
    }
    const names = (await list.projects(caller)).map(({ name }) => name);
    expect(names).toEqual(['Default', 'Second', 'Third', 'Third']);
    expect(await projects.count(caller)).toBe(4);
    expect(await projects.page(caller, { limit: 2, offset: 1 })).toMatchObject({
      projects: [{ name: 'Second' }, { name: 'Third' }],
      total: 4,
      limit: 2,
      offset: 1,
    });
    const [, second] = await list.projects(caller);
    const made = await profiles.create(caller, { projectUuid: second?.uuid, name: ' Trimmed ' });
    expect(made).toMatchObject({ name: 'Trimmed', projectUuid: second?.uuid, createdAt: clock.now() });
    expect(await profiles.create(caller, { name: 'Here' })).toMatchObject({ projectUuid: principal.projectUuid });
    clock.advance(1_000);
    await profiles.create(caller, { name: 'Latest' });
    const profileNames = (await list.profiles(caller)).map(({ name }) => name);
    expect(profileNames).toEqual(['Default', 'Here', 'Latest']);
    expect(await profiles.page(caller, { projectUuid: second?.uuid })).toMatchObject({
      profiles: [{ name: 'Trimmed' }],
      total: 1,
      limit: 100,
      offset: 0,
    });
  });

  it.each([
    [0, 0],
    [1001, 0],
    [-1, 0],
    [1.5, 0],
    ['10', 0],
    [10, -1],
    [10, 2 ** 31],
    [10, Number.NaN],
    [10, {}],
  ])('refuses the page limit %j, offset %j', async (limit, offset) => {
    const { caller } = await person();
    const input = { limit, offset } as never;
    for (const page of [projects.page(caller, input), profiles.page(caller, input), apiKeys.page(caller, input)])
      await expect(page).rejects.toEqual(refusal('VALIDATION_ERROR', expect.any(Object)));
  });

  it('refuses blank, long and unprintable names and what is no text', async () => {
    const { caller } = await person();
    for (const name of ['', '  ', 'x'.repeat(101), 'a\nb', '\u0007', ...nastyTexts, ...notTexts, null, undefined])
      for (const made of [
        projects.create(caller, { name } as never),
        profiles.create(caller, { name } as never),
        apiKeys.create(caller, { name } as never),
      ])
        await expect(made).rejects.toEqual(refusal('VALIDATION_ERROR', { name: expect.stringContaining('name') }));
  });

  it('B14: honours no field but the documented ones', async () => {
    const [{ caller, principal }, other] = [await person(), await person()];
    const extra = { uuid: unknownUuid, userUuid: other.principal.userUuid, tier: 'enterprise', createdAt: new Date(0) };
    const project = await projects.create(caller, { name: 'Mine', ...extra } as never);
    expect(project).toMatchObject({ userUuid: principal.userUuid, tier: 'free', createdAt: epoch });
    expect(project.uuid).not.toBe(unknownUuid);
    const profile = await profiles.create(caller, { name: 'Mine', ...extra, project: { connect: {} } } as never);
    expect(profile).toMatchObject({ projectUuid: principal.projectUuid, createdAt: epoch });
  });

  it('B01 B04: answers ids of others and malformed ones exactly like unknown ones', async () => {
    const [mine, theirs] = [await person(), await person()];
    const { apiKey } = await apiKeys.create(theirs.caller, { name: 'theirs' });
    const strange = [unknownUuid, 'x', '', '\u0000', '\ud800', `${unknownUuid}\n`, '../..', '__proto__'];
    const expectAlike = async (foreign: string, ask: (uuid: string) => Promise<unknown>) => {
      const answers = await Promise.all(
        [foreign, foreign.toUpperCase(), ...strange].map((uuid) => refusalOf(ask(uuid))),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveProperty('size', 1);
      expect(answers[0]).toMatchObject({ code: 'NOT_FOUND', details: undefined });
    };
    const { projectUuid, profileUuid } = theirs.principal;
    const callers = [mine.caller, await callerByKey(mine.caller, { scopes: ['read', 'write', 'admin'] })];
    for (const caller of callers) {
      await expectAlike(projectUuid, (uuid) => profiles.create(caller, { projectUuid: uuid, name: 'x' }));
      await expectAlike(projectUuid, (uuid) => profiles.connection(caller, { projectUuid: uuid }));
      await expectAlike(projectUuid, (uuid) => profiles.count(caller, { projectUuid: uuid }));
      await expectAlike(projectUuid, (uuid) => profiles.page(caller, { projectUuid: uuid }));
      await expectAlike(profileUuid, (uuid) => apiKeys.create(caller, { profileUuid: uuid, name: 'x' }));
      await expectAlike(profileUuid, (uuid) => apiKeys.connection(caller, { profileUuid: uuid }));
      await expectAlike(profileUuid, (uuid) => apiKeys.count(caller, { profileUuid: uuid }));
      await expectAlike(profileUuid, (uuid) => apiKeys.page(caller, { profileUuid: uuid }));
      await expectAlike(apiKey.uuid, (uuid) => apiKeys.revoke(caller, { uuid }));
    }
    await expectAlike(profileUuid, (uuid) => profiles.activate(mine.caller, { uuid }));
    expect(await prisma.apiKey.findUnique({ where: { uuid: apiKey.uuid } })).toMatchObject({ revokedAt: null });
    expect(await profiles.count(theirs.caller, {})).toBe(1);
    expect(await apiKeys.count(theirs.caller, {})).toBe(1);
  });

  it('refuses ids that are no text: no operator of the database language gets through', async () => {
    const { caller } = await person();
    for (const nasty of [{ not: null }, { contains: '' }, [], [unknownUuid], 1, true]) {
      const id = nasty as never;
      await expect(profiles.create(caller, { projectUuid: id, name: 'x' })).rejects.toEqual(
        refusal('VALIDATION_ERROR', expect.anything()),
      );
      await expect(profiles.connection(caller, { projectUuid: id })).rejects.toEqual(
        refusal('VALIDATION_ERROR', expect.anything()),
      );
      await expect(apiKeys.create(caller, { profileUuid: id, name: 'x' })).rejects.toEqual(
        refusal('VALIDATION_ERROR', expect.anything()),
      );
      await expect(apiKeys.connection(caller, { profileUuid: id })).rejects.toEqual(
        refusal('VALIDATION_ERROR', expect.anything()),
      );
      await expect(apiKeys.revoke(caller, { uuid: id })).rejects.toEqual(refusal('NOT_FOUND'));
      await expect(profiles.activate(caller, { uuid: id })).rejects.toEqual(refusal('NOT_FOUND'));
    }
  });

  it('lets a session act as another profile of its user', async () => {
    const { caller, token } = await person();
    const project = await projects.create(caller, { name: 'Second' });
    const profile = await profiles.create(caller, { projectUuid: project.uuid, name: 'Second' });
    expect(await profiles.activate(caller, { uuid: profile.uuid })).toMatchObject({ uuid: profile.uuid });
    expect(await sessions.verify(token)).toMatchObject({ profileUuid: profile.uuid, projectUuid: project.uuid });
    const admin = await callerByKey(caller, { scopes: ['read', 'write', 'admin'] });
    await expect(profiles.activate(admin, { uuid: profile.uuid })).rejects.toEqual(refusal('FORBIDDEN'));
  });

  it('end at their limits, also for many at once', async () => {
    const { caller, principal } = await person();
    const times = { createdAt: epoch, updatedAt: epoch };
    const { userUuid, projectUuid, profileUuid } = principal;
    const fill = <Row>(count: number, row: Row) => Array.from({ length: count }, () => row);
    await prisma.project.createMany({ data: fill(projectsMax - 2, { userUuid, name: 'x', ...times }) });
    await prisma.profile.createMany({ data: fill(profilesMax - 2, { projectUuid, name: 'x', ...times }) });
    for (const create of [projects.create, profiles.create]) {
      const results = await Promise.allSettled(Array.from({ length: 5 }, () => create(caller, { name: 'x' })));
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused).toHaveLength(4);
      for (const { reason } of refused) expect(reason).toEqual(refusal('CONFLICT'));
    }
    const key = (place: number, more: object) => ({
      profileUuid,
      name: 'x',
      prefix: 'x',
      scopes: ['read'],
      createdAt: epoch,
      keyHash: Buffer.from(`${profileUuid}${place}`),
      ...more,
    });
    const live = Array.from({ length: liveKeysMax - 1 }, (_, place) => key(place, {}));
    const dead = Array.from({ length: deadKeysMax + 5 }, (_, place) =>
      key(1_000 + place, place % 2 ? { revokedAt: epoch } : { expiresAt: epoch }),
    );
    await prisma.apiKey.createMany({ data: [...live, ...dead] });
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => apiKeys.create(caller, { name: 'x' })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await prisma.apiKey.count({ where: { profileUuid } })).toBe(liveKeysMax + deadKeysMax);
  });
});

describe('connections', () => {
  it('page through rows of the same millisecond without loss or repetition, in both directions', async () => {
    const { caller } = await person();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const [place, name] of names.entries()) {
      if (place % 2) clock.advance(1);
      await projects.create(caller, { name });
      await profiles.create(caller, { name });
      await apiKeys.create(caller, { name });
    }
    const all = {
      projects: (await list.projects(caller)).map(({ uuid }) => uuid),
      profiles: (await list.profiles(caller)).map(({ uuid }) => uuid),
      apiKeys: (await list.apiKeys(caller)).map(({ uuid }) => uuid),
    };
    for (const [connect, expected] of [
      [projects.connection, all.projects],
      [profiles.connection, all.profiles],
      [apiKeys.connection, all.apiKeys],
    ] as const) {
      const seen: string[] = [];
      for (let after: string | undefined; ; ) {
        const { edges, hasNextPage } = await connect(caller, { first: 2, after });
        seen.push(...edges.map(({ node }) => node.uuid));
        after = edges.at(-1)?.cursor;
        if (!hasNextPage) break;
      }
      expect(seen).toEqual(expected);
      expect(await connect(caller, { first: 0 })).toEqual({ edges: [], hasNextPage: true });
    }
    expect(all.apiKeys).toHaveLength(5);
  });

  it('B02: take a cursor that names a row of somebody else exactly like one that names no row', async () => {
    const [mine, theirs] = [await person(), await person()];
    clock.advance(1_000);
    await projects.create(mine.caller, { name: 'later' });
    const at = (uuid: string) => Buffer.from(`${epoch.getTime()}:${uuid}`).toString('base64url');
    const { projectUuid } = theirs.principal;
    const nearby = projectUuid.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    const [foreign, unknown] = await Promise.all(
      [projectUuid, nearby].map((uuid) => projects.connection(mine.caller, { after: at(uuid) })),
    );
    expect(foreign).toEqual(unknown);
  });

  it('refuse what is no cursor, and sizes out of bounds', async () => {
    const { caller } = await person();
    const bad = [
      '',
      'x',
      '\u0000',
      '\ud800',
      btoa('1:x'),
      btoa(`x:${unknownUuid}`),
      btoa(`1:${unknownUuid}:1`),
      'x'.repeat(1e6),
      7,
      {},
    ];
    for (const after of bad)
      for (const connect of [projects.connection, profiles.connection, apiKeys.connection])
        await expect(connect(caller, { after } as never)).rejects.toEqual(
          refusal('VALIDATION_ERROR', { after: expect.any(String) }),
        );
    for (const first of [-1, 101, 1.5, '5', Number.NaN])
      await expect(projects.connection(caller, { first } as never)).rejects.toEqual(
        refusal('VALIDATION_ERROR', { first: expect.stringContaining('first') }),
      );
  });
});

describe('API keys', () => {
  it('act as their profile, with the scopes and the source that they were made with', async () => {
    const { caller, principal } = await person();
    const { apiKey, secret } = await apiKeys.create(caller, { name: ' CI ' });
    expect(secret).toMatch(/^pbk_[0-9A-Za-z]{49}$/);
    expect(apiKey).toMatchObject({
      name: 'CI',
      prefix: secret.slice(0, 12),
      scopes: ['read', 'write'],
      channel: 'sdk',
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: epoch,
      profileUuid: principal.profileUuid,
    });
    const { credentialUuid: _, ...rest } = principal;
    expect(await apiKeys.verify(secret)).toEqual({
      ...rest,
      kind: 'key',
      credentialUuid: apiKey.uuid,
      scopes: new Set(['read', 'write']),
      source: 'sdk',
    });
    const mcp = await apiKeys.create(caller, { name: 'mcp', channel: 'mcp', scopes: ['admin', 'read', 'read'] });
    expect(mcp.apiKey.scopes).toEqual(['read', 'admin']);
    expect(await apiKeys.verify(mcp.secret)).toMatchObject({ source: 'mcp' });
  });

  it('B07: are verified by one statement, and by none without the right form and checksum', async () => {
    const { caller } = await person();
    const { apiKey, secret } = await apiKeys.create(caller, { name: 'key' });
    await prisma.apiKey.update({ where: { uuid: apiKey.uuid }, data: { lastUsedAt: epoch } });
    expect(await statementsOf(() => apiKeys.verify(secret))).toHaveLength(1);
    const changed = [...secret].map(
      (_, place) => secret.slice(0, place) + (secret[place] === 'a' ? 'b' : 'a') + secret.slice(place + 1),
    );
    const swapped = `${secret.slice(0, -2)}${secret.at(-1)}${secret.at(-2)}`;
    const bad = [
      ...changed,
      secret.toUpperCase(),
      ` ${secret}`,
      `${secret}\n`,
      `${secret}a`,
      secret.slice(1),
      '',
      'pbk_',
      'x'.repeat(10_240),
      secret.replace('pbk_', 'pbk-'),
      secret.replace('p', 'р'),
      '\u0000',
      null,
      undefined,
      7,
      [secret],
      { length: 53 },
      ...(swapped === secret ? [] : [swapped]),
    ];
    for (const text of bad)
      expect(await statementsOf(async () => expect(await apiKeys.verify(text as string)).toBeNull())).toEqual([]);
    expect(await apiKeys.verify(newApiKey())).toBeNull();
  });

  it('B05: are refused from the moment that the revocation is answered, and stay listed', async () => {
    const { caller } = await person();
    const { apiKey, secret } = await apiKeys.create(caller, { name: 'key' });
    const revoked = await apiKeys.revoke(caller, { uuid: apiKey.uuid });
    expect(revoked).toMatchObject({ uuid: apiKey.uuid, revokedAt: epoch });
    expect(await apiKeys.verify(secret)).toBeNull();
    clock.advance(1_000);
    expect(await apiKeys.revoke(caller, { uuid: apiKey.uuid })).toEqual(revoked);
    expect(await list.apiKeys(caller, {})).toEqual([revoked]);
  });

  it('are over at the very instant of expiry', async () => {
    const { caller } = await person();
    const expiresAt = new Date(epoch.getTime() + 5_000);
    const { secret } = await apiKeys.create(caller, { name: 'key', expiresAt });
    clock.set(new Date(expiresAt.getTime() - 1));
    expect(await apiKeys.verify(secret)).not.toBeNull();
    clock.set(expiresAt);
    expect(await apiKeys.verify(secret)).toBeNull();
  });

  it('expire in the future, at most ten years away', async () => {
    const { caller } = await person();
    const create = (expiresAt: unknown) => apiKeys.create(caller, { name: 'key', expiresAt } as never);
    for (const bad of [
      epoch,
      new Date(0),
      new Date('2037-01-01T00:00:00.001Z'),
      new Date(8.64e15),
      new Date(Number.NaN),
      'tomorrow',
      5,
      {},
    ])
      await expect(create(bad)).rejects.toEqual(
        refusal('VALIDATION_ERROR', { expiresAt: expect.stringContaining('expiresAt') }),
      );
    for (const good of [new Date('2037-01-01T00:00:00.000Z'), new Date(epoch.getTime() + 1), null, undefined])
      await expect(create(good)).resolves.toMatchObject({ apiKey: { expiresAt: good ?? null } });
  });

  it('refuse unknown scopes and channels', async () => {
    const { caller } = await person();
    for (const scopes of [[], ['root'], ['READ'], 'read', [null], {}, ['read', 'write', 'admin', 'read']])
      await expect(apiKeys.create(caller, { name: 'x', scopes } as never)).rejects.toEqual(
        refusal('VALIDATION_ERROR', { [scopesField(scopes)]: expect.stringContaining('scopes') }),
      );
    for (const channel of ['ui', 'SDK', '', 1, {}, ['sdk'], '__proto__'])
      await expect(apiKeys.create(caller, { name: 'x', channel } as never)).rejects.toEqual(
        refusal('VALIDATION_ERROR', { channel: expect.stringContaining('channel') }),
      );
  });
  const scopesField = (scopes: unknown) => (Array.isArray(scopes) && scopes.length === 1 ? 'scopes.0' : 'scopes');

  it('B14: honour no field but the documented ones', async () => {
    const { caller } = await person();
    const extra = {
      uuid: unknownUuid,
      keyHash: Buffer.alloc(32),
      prefix: 'pbk_fake',
      lastUsedAt: epoch,
      revokedAt: epoch,
      secret: 'mine',
    };
    const { apiKey, secret } = await apiKeys.create(caller, { name: 'key', ...extra } as never);
    expect(apiKey).toMatchObject({ prefix: secret.slice(0, 12), lastUsedAt: null, revokedAt: null });
    expect(apiKey.uuid).not.toBe(unknownUuid);
  });

  it('write the time of use at most once a minute, behind the request', async () => {
    const { caller } = await person();
    const { apiKey, secret } = await apiKeys.create(caller, { name: 'key' });
    const usedAt = async () => (await prisma.apiKey.findUnique({ where: { uuid: apiKey.uuid } }))?.lastUsedAt ?? null;
    const updates = async (work: () => Promise<unknown>) =>
      (await statementsOf(work)).filter((text) => text.startsWith('UPDATE api_keys')).length;
    const verifyMany = () => Promise.all(Array.from({ length: 20 }, () => apiKeys.verify(secret)));
    expect(await updates(verifyMany)).toBe(1);
    await vi.waitFor(async () => expect(await usedAt()).toEqual(epoch));
    clock.advance(59_999);
    expect(await updates(verifyMany)).toBe(0);
    clock.advance(1);
    expect(await updates(verifyMany)).toBe(1);
    await vi.waitFor(async () => expect(await usedAt()).toEqual(clock.now()));
  });

  it('B09: go with their profile, project and user', async () => {
    for (const remove of [
      ({ profileUuid }: Principal) => prisma.profile.delete({ where: { uuid: profileUuid } }),
      ({ projectUuid }: Principal) => prisma.project.delete({ where: { uuid: projectUuid } }),
      ({ userUuid }: Principal) => prisma.user.delete({ where: { uuid: userUuid } }),
    ]) {
      const { caller, principal, token } = await person();
      const { secret } = await apiKeys.create(caller, { name: 'key' });
      await remove(principal);
      expect(await apiKeys.verify(secret)).toBeNull();
      expect(await sessions.verify(token)).toBeNull();
    }
  });

  it('B05: are known to hold or not to hold, with sessions, by one statement', async () => {
    const [mine, theirs] = [await person(), await person()];
    const expiresAt = new Date(epoch.getTime() + 1_000);
    const [live, revoked, expired] = await Promise.all(
      [{}, {}, { expiresAt }].map((more) => apiKeys.create(mine.caller, { name: 'key', ...more })),
    );
    const asked = [live, revoked, expired].map((made) => ({ credentialUuid: made?.apiKey.uuid ?? '' }));
    const all = [...asked, mine.principal, theirs.principal];
    const holding = () => services.auth.credentials.holding(all);
    expect(await holding()).toEqual(new Set(all.map(({ credentialUuid }) => credentialUuid)));
    await apiKeys.revoke(mine.caller, { uuid: revoked?.apiKey.uuid ?? '' });
    await sessions.end(theirs.caller);
    clock.set(expiresAt);
    expect(await statementsOf(holding)).toHaveLength(1);
    expect(await holding()).toEqual(new Set([live?.apiKey.uuid, mine.principal.credentialUuid]));
    await prisma.user.update({ where: { uuid: mine.principal.userUuid }, data: { disabledAt: epoch } });
    expect(await holding()).toEqual(new Set());
    expect(await statementsOf(() => services.auth.credentials.holding([]))).toEqual([]);
  });

  it("carry their user's administration only with the scope admin", async () => {
    const { caller, principal } = await person();
    await prisma.user.update({ where: { uuid: principal.userUuid }, data: { isAdmin: true } });
    expect((await callerByKey(caller)).principal).toMatchObject({ isAdmin: false });
    expect((await callerByKey(caller, { scopes: ['admin'] })).principal).toMatchObject({ isAdmin: true });
  });
});

describe('who may', () => {
  let owner: Awaited<ReturnType<typeof person>>;
  let sibling: { uuid: string };
  let otherProject: { uuid: string };
  let otherProfile: { uuid: string };
  beforeAll(async () => {
    clock.set(epoch);
    owner = await person();
    sibling = await profiles.create(owner.caller, { name: 'Sibling' });
    otherProject = await projects.create(owner.caller, { name: 'Other' });
    otherProfile = await profiles.create(owner.caller, { projectUuid: otherProject.uuid, name: 'Other' });
  });
  const uuids = (rows: { uuid: string }[]) => rows.map(({ uuid }) => uuid).sort();

  it('a session sees the whole account', async () => {
    expect(await projects.count(owner.caller)).toBe(2);
    expect(await profiles.count(owner.caller, {})).toBe(2);
    expect(await profiles.count(owner.caller, { projectUuid: otherProject.uuid })).toBe(1);
    expect(await prisma.profile.count({ where: profiles.visible(owner.caller) })).toBe(3);
  });

  it('a key sees its own project and its own profile', async () => {
    const { principal, caller } = { principal: owner.principal, caller: await callerByKey(owner.caller) };
    expect(uuids(await list.projects(caller))).toEqual([principal.projectUuid]);
    expect(uuids(await list.profiles(caller, {}))).toEqual([principal.profileUuid]);
    expect(uuids(await list.profiles(caller, { projectUuid: principal.projectUuid }))).toEqual([principal.profileUuid]);
    expect(await profiles.count(caller, {})).toBe(1);
    expect(await prisma.project.count({ where: projects.visible(caller) })).toBe(1);
    expect(await prisma.profile.count({ where: profiles.visible(caller) })).toBe(1);
    expect(await users.current(caller)).toMatchObject({ uuid: principal.userUuid });
    expect(await projects.current(caller)).toMatchObject({ uuid: principal.projectUuid });
    expect(await profiles.current(caller)).toMatchObject({ uuid: principal.profileUuid });
    await expect(profiles.connection(caller, { projectUuid: otherProject.uuid })).rejects.toEqual(refusal('NOT_FOUND'));
  });

  it('a key without the scope admin manages nothing', async () => {
    const caller = await callerByKey(owner.caller);
    const { uuid } = sibling;
    for (const refused of [
      profiles.create(caller, { name: 'x' }),
      apiKeys.create(caller, { name: 'x' }),
      apiKeys.revoke(caller, { uuid }),
      apiKeys.connection(caller, {}),
      apiKeys.count(caller, {}),
      apiKeys.page(caller, {}),
      projects.create(caller, { name: 'x' }),
      profiles.activate(caller, { uuid }),
      users.changePassword(caller, { currentPassword: 'x', newPassword: 'x' }),
    ])
      await expect(refused).rejects.toEqual(refusal('FORBIDDEN'));
    expect(() => apiKeys.visible(caller)).toThrow(refusal('FORBIDDEN'));
  });

  it('a key with the scope admin manages profiles and keys of its own project alone', async () => {
    const caller = await callerByKey(owner.caller, { scopes: ['read', 'admin'] });
    expect(await profiles.count(caller, {})).toBe(2);
    const made = await apiKeys.create(caller, { profileUuid: sibling.uuid, name: 'sibling', scopes: ['read'] });
    expect(await list.apiKeys(caller, { profileUuid: sibling.uuid })).toEqual([made.apiKey]);
    expect(await apiKeys.revoke(caller, made.apiKey)).toMatchObject({ revokedAt: epoch });
    const { apiKey: outside } = await apiKeys.create(owner.caller, { profileUuid: otherProfile.uuid, name: 'outside' });
    for (const refused of [
      profiles.create(caller, { projectUuid: otherProject.uuid, name: 'x' }),
      apiKeys.create(caller, { profileUuid: otherProfile.uuid, name: 'x', scopes: ['read'] }),
      apiKeys.connection(caller, { profileUuid: otherProfile.uuid }),
      apiKeys.revoke(caller, outside),
    ])
      await expect(refused).rejects.toEqual(refusal('NOT_FOUND'));
    await expect(projects.create(caller, { name: 'x' })).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(apiKeys.create(caller, { name: 'more than itself' })).rejects.toEqual(refusal('FORBIDDEN'));
  });

  it('nobody, and a key that holds no scope, may do nothing but sign up, in and out', async () => {
    const { uuid } = sibling;
    const doors = (caller: Caller): (() => unknown)[] => [
      () => users.changePassword(caller, { currentPassword: 'x', newPassword: 'x' }),
      () => users.current(caller),
      () => projects.visible(caller),
      () => profiles.related(caller, {}),
      () => apiKeys.related(caller, {}),
      () => projects.connection(caller, {}),
      () => projects.count(caller),
      () => projects.page(caller, {}),
      () => projects.current(caller),
      () => projects.create(caller, { name: 'x' }),
      () => profiles.visible(caller),
      () => profiles.connection(caller, {}),
      () => profiles.count(caller, {}),
      () => profiles.page(caller, {}),
      () => profiles.current(caller),
      () => profiles.create(caller, { name: 'x' }),
      () => profiles.activate(caller, { uuid }),
      () => apiKeys.visible(caller),
      () => apiKeys.connection(caller, {}),
      () => apiKeys.count(caller, {}),
      () => apiKeys.page(caller, {}),
      () => apiKeys.create(caller, { name: 'x' }),
      () => apiKeys.revoke(caller, { uuid }),
    ];
    const empty = callerOf({ ...owner.principal, kind: 'key', scopes: new Set() });
    for (const [caller, code] of [
      [nobody, 'UNAUTHORIZED'],
      [empty, 'FORBIDDEN'],
    ] as const)
      for (const door of doors(caller)) await expect((async () => door())()).rejects.toEqual(refusal(code));
  });
});
