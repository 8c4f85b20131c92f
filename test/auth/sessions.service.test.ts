import { describe, expect, it } from 'vitest';
import { sessionSeconds } from '../../src/auth/sessions.ts';
import { apiError, callerOf, createAuthServices, nobody, password } from './auth-services.ts';

const {
  accounts: users,
  sessions,
  profiles,
  prisma,
  clock,
  person,
  callerByKey,
  statementsOf,
} = await createAuthServices();

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

  it('B10: end on the server at sign-out, only for their own bearer', async () => {
    const { name, token, caller } = await person();
    const { token: other } = await users.signIn(nobody, { username: name, password });
    await sessions.end(caller);
    await sessions.end(caller);
    expect(await sessions.verify(token)).toBeNull();
    const principal = await sessions.verify(other);
    expect(principal).not.toBeNull();
    await expect(sessions.end(nobody)).resolves.toBeUndefined();
    await expect(sessions.end(await callerByKey(callerOf(principal)))).rejects.toEqual(apiError('FORBIDDEN'));
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

  it('B04: never act as a profile of another user, even if the row says so', async () => {
    const [mine, theirs] = [await person(), await person()];
    const { userUuid } = mine.principal;
    await prisma.user.update({ where: { uuid: userUuid }, data: { activeProfileUuid: theirs.principal.profileUuid } });
    expect(await sessions.verify(mine.token)).toBeNull();
  });
});
