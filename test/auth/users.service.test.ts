import { parseOptions } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createAccounts, sessionsMax } from '../../src/auth/accounts.ts';
import { createGuesses } from '../../src/auth/guesses.ts';
import { createAuth } from '../../src/auth/index.ts';
import { createPasswords, decoyHash, type Passwords, passwordCost } from '../../src/auth/passwords.ts';
import { sessionSeconds } from '../../src/auth/sessions.ts';
import { uncounted } from '../../src/platform/limits/rate-limits.ts';
import { verifies } from '../requirements.ts';
import {
  apiError,
  apiErrorOf,
  callerOf,
  createAuthServices,
  epoch,
  nastyTexts,
  nobody,
  notTexts,
  password,
  unknownUuid,
} from './auth-services.ts';

const {
  accounts: users,
  sessions,
  projects,
  profiles,
  apiKeys,
  database,
  log,
  prisma,
  clock,
  person,
  callerByKey,
  list,
} = await createAuthServices();

describe('sign-up', () => {
  it("hashes a password at OWASP's cost, where no test asks for less", async () => {
    const product = createAuth({ database, clock, log, rateLimits: uncounted });
    const { principal } = await product.accounts.signUp(nobody, {
      username: 'hashed',
      email: 'hashed@example.test',
      password,
    });
    const { passwordHash } = await prisma.user.findUniqueOrThrow({ where: { uuid: principal.userUuid } });
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it(
    'makes a user, a project, a profile and a session at once, and acts as that profile',
    verifies('identity.sign-up'),
    async () => {
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
    },
  );

  it(
    'B06: keeps passwords and tokens as hashes only, and never hands a hash out',
    verifies('identity.password', 'identity.key.at-rest'),
    async () => {
      const { principal, token, caller } = await person();
      const { secret, apiKey } = await apiKeys.create(caller, { name: 'canary' });
      const rows = await Promise.all([prisma.user.findMany(), prisma.session.findMany(), prisma.apiKey.findMany()]);
      const dump = JSON.stringify(rows, (_key, value) => (value instanceof Uint8Array ? String(value) : value));
      for (const canary of [password, token, secret]) expect(dump).not.toContain(canary);
      const { passwordHash } = await prisma.user.findUniqueOrThrow({ where: { uuid: principal.userUuid } });
      expect(passwordHash).toMatch(/^\$argon2id\$v=19\$/);
      expect(await users.current(caller)).not.toHaveProperty('passwordHash');
      const keys = [apiKey, await apiKeys.revoke(caller, apiKey), ...(await list.apiKeys(caller, {}))];
      for (const key of keys) expect(key).not.toHaveProperty('keyHash');
    },
  );

  it(
    'B15: takes a user name once, without regard to case, and an address once, whatever its Unicode form',
    verifies('identity.username'),
    async () => {
      const { name } = await person('Ada-Lovelace');
      const again = (input: object) =>
        users.signUp(nobody, { username: 'somebody-else', email: 'else@example.test', password, ...input });
      await expect(again({ username: name.toUpperCase() })).rejects.toEqual(
        apiError('CONFLICT', { username: 'username is taken' }),
      );
      for (const email of [
        'ADA-lovelace@Example.TEST',
        '  ada-lovelace@example.test\n',
        'ａｄａ-lovelace＠example.test',
      ])
        await expect(again({ email })).rejects.toEqual(apiError('CONFLICT', { email: 'email is already registered' }));
      await expect(again({ username: 'ADA-LOVELACE', email: 'ada-lovelace@example.test' })).rejects.toEqual(
        apiError('CONFLICT', { email: 'email is already registered', username: 'username is taken' }),
      );
    },
  );

  it('lets one of several racing sign-ups win and answers the others with a conflict that names the field', async () => {
    const rivals = ['raceA', 'RACEa', 'racea', 'RaceA'].map((username, place) =>
      users.signUp(nobody, { username, email: `rival${place}@example.test`, password }),
    );
    const results = await Promise.allSettled(rivals);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toEqual(apiError('CONFLICT', { username: 'username is taken' }));
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
      apiError('VALIDATION_ERROR', { username: expect.stringContaining('username') }),
    );
  });

  it.each(['a_b', '---', 'A'.repeat(30), '__proto__', 'constructor', '123'])(
    'takes the user name %s',
    verifies('identity.username'),
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
      apiError('VALIDATION_ERROR', { email: expect.stringContaining('email') }),
    );
  });

  it.each(["o'brien+tag@sub.example.test", 'müller@exämple.test', 'x@a.co'])('takes the address %s', async (email) => {
    const { principal } = await users.signUp(nobody, { username: `mail-${email.length}`, email, password });
    expect(await users.current(callerOf(principal))).toMatchObject({ email });
  });

  it('B15: validates a hostile address in linear time', async () => {
    const before = process.cpuUsage();
    for (const email of [`a@${'a.'.repeat(120)}`, `a@${'a'.repeat(248)}!`, `${'@'.repeat(250)}`])
      await expect(users.signUp(nobody, { username: 'slow-regex', email, password })).rejects.toThrow();
    expect(process.cpuUsage(before).user).toBeLessThan(200_000);
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
    ).rejects.toEqual(apiError('VALIDATION_ERROR', { password: expect.stringContaining('password') }));
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

  it('refuses NUL, lone surrogates and other types in every field, naming it', async () => {
    const good: Record<string, unknown> = { username: 'nasty-texts', email: 'nasty@example.test', password };
    for (const field of Object.keys(good))
      for (const nasty of [...nastyTexts.map((text) => text + String(good[field])), ...notTexts, null, undefined])
        await expect(users.signUp(nobody, { ...good, [field]: nasty } as never)).rejects.toEqual(
          apiError('VALIDATION_ERROR', { [field]: expect.stringContaining(field) }),
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
    const { accounts: costly } = createAuth({ database, clock, log, rateLimits: uncounted });
    const name = 'costly';
    const email = 'costly@example.test';
    await costly.signUp(nobody, { username: name, email, password });
    const attempts = [
      { username: name, password: 'wrong password' },
      { email, password: 'wrong password' },
      { username: 'nobody-at-all', password },
      { email: 'nobody@example.test', password },
      { email: 'not an address', password },
      { username: 'ａｄｍｉｎ', password },
      { username: '', password },
    ];
    const answers = await Promise.all(attempts.map((attempt) => apiErrorOf(costly.signIn(nobody, attempt))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveProperty('size', 1);
    expect(answers[0]).toMatchObject({ code: 'UNAUTHORIZED' });
    const { algorithm: _, version: __, ...options } = parseOptions(decoyHash);
    expect(options).toMatchObject(passwordCost);
    // Time of the processor, which does not depend on what else the machine does.
    const costOf = async (username: string) => {
      const before = process.cpuUsage();
      await costly.signIn(nobody, { username, password: 'wrong password' }).catch(() => {});
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const costs = { known: [] as number[], unknown: [] as number[] };
    for (let turn = 0; turn < 9; turn++) {
      costs.known.push(await costOf(name));
      costs.unknown.push(await costOf('nobody-at-all'));
    }
    const [known, unknown] = [costs.known, costs.unknown].map((each) => each.sort((a, b) => a - b)[4] as number);
    expect((unknown as number) / (known as number)).toBeGreaterThan(0.5);
    expect((unknown as number) / (known as number)).toBeLessThan(2);
  });

  it('needs exactly one of name and address', async () => {
    for (const way of [{}, { username: null, email: null }, { username: 'a', email: 'a@example.test' }])
      await expect(users.signIn(nobody, { ...way, password })).rejects.toEqual(
        apiError('VALIDATION_ERROR', { email: expect.stringMatching(/either email or username/) }),
      );
  });

  it('refuses NUL, lone surrogates and other types in every field, naming it', async () => {
    for (const field of ['username', 'email', 'password'])
      for (const nasty of [...nastyTexts, ...notTexts]) {
        const input = { ...(field === 'password' && { username: 'somebody' }), password, [field]: nasty };
        await expect(users.signIn(nobody, input as never)).rejects.toEqual(
          apiError('VALIDATION_ERROR', expect.objectContaining({ [field]: expect.stringContaining(field) })),
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

  it(
    'B09: refuses a disabled user, and says so only with the right password',
    verifies('identity.disabled'),
    async () => {
      const { name, principal, token, caller } = await person();
      const { secret } = await apiKeys.create(caller, { name: 'key' });
      await prisma.user.update({ where: { uuid: principal.userUuid }, data: { disabledAt: epoch } });
      await expect(users.signIn(nobody, { username: name, password })).rejects.toEqual(apiError('FORBIDDEN'));
      await expect(users.signIn(nobody, { username: name, password: 'wrong password' })).rejects.toEqual(
        apiError('UNAUTHORIZED'),
      );
      expect(await sessions.verify(token)).toBeNull();
      expect(await apiKeys.verify(secret)).toBeNull();
    },
  );

  it('B09: refuses a user that is disabled while the password is hashed', async () => {
    const { name, principal } = await person();
    const disabling: Passwords = {
      hash: async () => '',
      async verify() {
        await prisma.user.update({ where: { uuid: principal.userUuid }, data: { disabledAt: clock.now() } });
        return true;
      },
    };
    const guesses = createGuesses({ database, clock, rateLimits: uncounted });
    const { signIn } = createAccounts({ database, clock, sessions, passwords: disabling, guesses });
    await expect(signIn(nobody, { username: name, password })).rejects.toEqual(apiError('UNAUTHORIZED'));
    // The one of the sign-up; it ends with the user's right, and is there again with it.
    expect(await prisma.session.count({ where: { userUuid: principal.userUuid } })).toBe(1);
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
    for (const { reason } of refused) expect(reason).toEqual(apiError('UNAVAILABLE'));
    expect(await passwords.verify(decoyHash, 'this password belongs to no user')).toBe(true);
    expect(await passwords.verify(null, 'this password belongs to no user')).toBe(false);
  });
});

describe('password change', () => {
  it('B10: ends all sessions, gives a new one, and leaves API keys alone', verifies('identity.password'), async () => {
    const { name, token, caller } = await person();
    const { token: other } = await users.signIn(nobody, { username: name, password });
    const { secret } = await apiKeys.create(caller, { name: 'key' });
    const changed = await users.changePassword(caller, { currentPassword: password, newPassword: 'a better one' });
    expect(await Promise.all([token, other].map(sessions.verify))).toEqual([null, null]);
    expect(await sessions.verify(changed.token)).toEqual(changed.principal);
    expect(await apiKeys.verify(secret)).not.toBeNull();
    await expect(users.signIn(nobody, { username: name, password })).rejects.toEqual(apiError('UNAUTHORIZED'));
    await expect(users.signIn(nobody, { username: name, password: 'a better one' })).resolves.toBeDefined();
  });

  it('refuses a wrong current password, the same one, a guessable one, and keys', async () => {
    const { name, caller, token } = await person();
    const change = (currentPassword: unknown, newPassword: unknown, as = caller) =>
      users.changePassword(as, { currentPassword, newPassword } as never);
    await expect(change('wrong password', 'a better one')).rejects.toEqual(
      apiError('VALIDATION_ERROR', { currentPassword: 'currentPassword is wrong' }),
    );
    for (const bad of [password, 'short', 'Password1', `${name}@EXAMPLE.test`, ...nastyTexts, ...notTexts, null])
      await expect(change(password, bad)).rejects.toEqual(
        apiError('VALIDATION_ERROR', { newPassword: expect.stringContaining('newPassword') }),
      );
    for (const bad of [...nastyTexts, ...notTexts, null, ''])
      await expect(change(bad, 'a better one')).rejects.toEqual(
        apiError('VALIDATION_ERROR', { currentPassword: expect.stringContaining('currentPassword') }),
      );
    const key = await callerByKey(caller, { scopes: ['read', 'write', 'admin'] });
    await expect(change(password, 'a better one', key)).rejects.toEqual(apiError('FORBIDDEN'));
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
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: apiError('CONFLICT') });
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
        else expect(signIn.reason).toEqual(apiError('UNAUTHORIZED'));
      }
    }
  });
});
