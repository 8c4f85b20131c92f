import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Prisma, User } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import { isUniqueViolation } from '../platform/database/database.ts';
import { ApiError, unauthorized } from '../platform/errors.ts';
import { invalid, parse } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import type { Guesses } from './guesses.ts';
import { PasswordChange, PasswordConfirmation, SignIn, SignUp } from './input.ts';
import { guessableMistake, type Passwords } from './passwords.ts';
import { type NewSession, newSession, type Sessions } from './sessions.ts';
import { usernameKeyOf } from './usernames.ts';

/** Browsers that one user can be signed in with; the next sign-in ends the oldest session. */
export const sessionsMax = 100;
const firstName = 'Default';

/** What a sign-in gives. The token goes into the cookie and nowhere else. */
export interface SignedIn {
  readonly token: string;
  readonly expiresAt: Date;
  /** Who the bearer of the token is. */
  readonly principal: Principal;
}

/** A user as others than this file see it. */
export type UserRecord = Omit<User, 'passwordHash'>;
export type UserShape = Pick<Prisma.UserFindFirstArgs, 'select' | 'include' | 'omit'>;

export type Accounts = ReturnType<typeof createAccounts>;

/** People and their passwords. Source: docs/specification/identity.md#accounts. */
export function createAccounts(
  deps: Pick<Platform, 'database' | 'clock'> & {
    sessions: Pick<Sessions, 'verify'>;
    passwords: Passwords;
    guesses: Guesses;
  },
) {
  const { database, clock, sessions, passwords, guesses } = deps;
  const { prisma } = database;

  /** The errors in fields of a sign-up that its schema cannot express. */
  function mistakesOf({ password, ...names }: Partial<z.output<typeof SignUp>>) {
    return { password: password === undefined ? undefined : guessableMistake('password', password, names) };
  }

  /**
   * Makes a user with a first project and a first profile, both named "Default", and signs it in. Open to everybody.
   *
   * @throws {ApiError} `VALIDATION_ERROR`; `CONFLICT` with `details` for an email address or user name that is taken,
   * without regard to case; `UNAVAILABLE` when too many hash passwords at once.
   */
  async function signUp(caller: Caller, input: z.input<typeof SignUp>): Promise<SignedIn> {
    const { email, username, password } = parse(SignUp, input, mistakesOf);
    const keys = { emailKey: emailKeyOf(email), usernameKey: usernameKeyOf(username) };
    await refuseTaken(keys);
    const passwordHash = await passwords.hash(password);
    const now = clock.now();
    const times = { createdAt: now, updatedAt: now };
    const [userUuid, projectUuid, profileUuid] = [randomUUID(), randomUUID(), randomUUID()];
    const session = newSession(now);
    try {
      await database.transaction(async (tx) => {
        await tx.prisma.user.create({ data: { uuid: userUuid, email, username, ...keys, passwordHash, ...times } });
        await tx.prisma.project.create({ data: { uuid: projectUuid, userUuid, name: firstName, ...times } });
        await tx.prisma.profile.create({ data: { uuid: profileUuid, projectUuid, name: firstName, ...times } });
        await tx.prisma.user.update({ where: { uuid: userUuid }, data: { activeProfileUuid: profileUuid } });
        await tx.prisma.session.create({ data: { userUuid, ...session.row } });
        await tx.prisma.session.deleteMany({ where: { uuid: { in: presentedSession(caller) } } });
        await guesses.remember(tx, caller, userUuid);
      });
    } catch (error) {
      // Another user took the name between check and insert: the second check names the field.
      if (isUniqueViolation(error)) await refuseTaken(keys);
      throw error;
    }
    return signedIn(session);
  }

  /**
   * Starts a new session, and ends the one that came with the request: whatever token a browser was made to carry, it is
   * worth nothing afterwards. Open to everybody; wrong names and wrong passwords get the same response in the same time.
   *
   * @throws {ApiError} `VALIDATION_ERROR`; `UNAUTHORIZED` for a wrong name or password; `FORBIDDEN` for the right ones of
   * a disabled user; `RATE_LIMITED` after too many wrong passwords for this name; `UNAVAILABLE` when too many hash passwords at once.
   */
  async function signIn(caller: Caller, input: z.input<typeof SignIn>): Promise<SignedIn> {
    const { email, username, password } = parse(SignIn, input);
    const name = email
      ? ({ column: 'email_key', key: emailKeyOf(email) } as const)
      : ({ column: 'username_key', key: usernameKeyOf(username ?? '') } as const);
    const user = await guesses.named(caller, name);
    const wasRight = await guesses.atSignIn(caller, `${name.column} ${name.key}`, user);
    const matches = await passwords.verify(user?.passwordHash ?? null, password);
    if (user === null || !matches) throw wrongCredentials();
    await wasRight();
    if (user.disabledAt !== null) throw new ApiError('FORBIDDEN', 'This account is disabled');
    const session = newSession(clock.now());
    await startSession(caller, user, session);
    return signedIn(session);
  }

  /**
   * Changes the caller's password and ends all of its sessions; the response holds a new one. API keys stay.
   *
   * @throws {ApiError} `FORBIDDEN` for an API key; `VALIDATION_ERROR`, also for a wrong current password; `RATE_LIMITED` after too
   * many of them; `CONFLICT` when another request changed it at the same time; `UNAVAILABLE` when too many hash passwords at once.
   */
  async function changePassword(caller: Caller, input: z.input<typeof PasswordChange>): Promise<SignedIn> {
    const { userUuid } = authorize(caller, 'account:write');
    const { currentPassword, newPassword } = parse(PasswordChange, input);
    const user = await prisma.user.findUnique({ where: { uuid: userUuid } });
    if (user === null) throw unauthorized();
    const wasRight = await guesses.ofSession(caller);
    if (!(await passwords.verify(user.passwordHash, currentPassword)))
      throw invalid({ currentPassword: 'currentPassword is wrong' });
    await wasRight();
    const mistake = guessableMistake('newPassword', newPassword, user);
    if (mistake !== undefined) throw invalid({ newPassword: mistake });
    if (newPassword === currentPassword) throw invalid({ newPassword: 'newPassword must differ from the current one' });
    const passwordHash = await passwords.hash(newPassword);
    const session = newSession(clock.now());
    await database.transaction(async (tx) => {
      const changed = await tx.prisma.user.updateMany({
        where: { uuid: userUuid, passwordHash: user.passwordHash },
        data: { passwordHash, updatedAt: clock.now() },
      });
      if (changed.count === 0) throw new ApiError('CONFLICT', 'The password was changed meanwhile');
      await tx.prisma.session.deleteMany({ where: { userUuid } });
      await tx.prisma.session.create({ data: { userUuid, ...session.row } });
      await guesses.forgetAll(tx, userUuid);
      await guesses.remember(tx, caller, userUuid);
    });
    return signedIn(session);
  }

  /**
   * Confirms that the caller knows its password.
   *
   * @throws {ApiError} `FORBIDDEN` for an API key; `VALIDATION_ERROR` naming `password` for a wrong one; `RATE_LIMITED` after too
   * many of them; `UNAVAILABLE` when too many hash passwords at once.
   */
  async function confirmPassword(caller: Caller, input: z.input<typeof PasswordConfirmation>): Promise<void> {
    const { userUuid } = authorize(caller, 'account:write');
    const { password } = parse(PasswordConfirmation, input);
    const user = await prisma.user.findUnique({ where: { uuid: userUuid }, select: { passwordHash: true } });
    if (user === null) throw unauthorized();
    const wasRight = await guesses.ofSession(caller);
    if (!(await passwords.verify(user.passwordHash, password))) throw invalid({ password: 'password is wrong' });
    await wasRight();
  }

  /** Which users the caller may see: itself alone. */
  function visible(caller: Caller): Prisma.UserWhereInput {
    return { uuid: authorize(caller, 'account:read').userUuid };
  }

  /** The caller's user. */
  async function current(caller: Caller, query: UserShape = withoutHash): Promise<UserRecord> {
    const { userUuid } = authorize(caller, 'account:read');
    const user = await prisma.user.findUnique({ ...query, where: { uuid: userUuid } });
    if (user === null) throw unauthorized();
    return user;
  }

  /**
   * Writes a session if the password is still the validated one: a concurrent password change either waits for this
   * transaction and ends the session, or comes first and is seen here.
   */
  async function startSession(
    caller: Caller,
    { uuid: userUuid, passwordHash }: Pick<User, 'uuid' | 'passwordHash'>,
    { row }: NewSession,
  ): Promise<void> {
    await database.transaction(async (tx) => {
      const locked = await tx.query({
        text: `SELECT 1 FROM users WHERE uuid = $1 AND password_hash = $2 AND disabled_at IS NULL FOR NO KEY UPDATE`,
        values: [userUuid, passwordHash],
      });
      if (locked.length === 0) throw wrongCredentials();
      const surplus = await tx.prisma.session.findMany({
        where: { userUuid },
        orderBy: [{ createdAt: 'desc' }, { uuid: 'desc' }],
        skip: sessionsMax - 1,
        select: { uuid: true },
      });
      const ended = [...presentedSession(caller), ...surplus.map(({ uuid }) => uuid)];
      await tx.prisma.session.deleteMany({ where: { uuid: { in: ended } } });
      await tx.prisma.session.create({ data: { userUuid, ...row } });
      await guesses.remember(tx, caller, userUuid);
    });
  }

  async function signedIn({ token, expiresAt }: NewSession): Promise<SignedIn> {
    const principal = await sessions.verify(token);
    if (principal === null) throw unauthorized();
    return { token, expiresAt, principal };
  }

  /** @throws {ApiError} `CONFLICT` with the fields that another user has. */
  async function refuseTaken(keys: { emailKey: string; usernameKey: string }): Promise<void> {
    const others = await prisma.user.findMany({
      where: { OR: [{ emailKey: keys.emailKey }, { usernameKey: keys.usernameKey }] },
      select: { emailKey: true, usernameKey: true },
    });
    if (others.length === 0) return;
    const details = {
      ...(others.some(({ emailKey }) => emailKey === keys.emailKey) && { email: 'email is already registered' }),
      ...(others.some(({ usernameKey }) => usernameKey === keys.usernameKey) && { username: 'username is taken' }),
    };
    throw new ApiError('CONFLICT', 'The email address or user name is taken', { details });
  }

  return { mistakesOf, signUp, signIn, changePassword, confirmPassword, visible, current };
}

const withoutHash = { omit: { passwordHash: true } } as const;

/** What makes an address unique: NFKC, then lower case, then NFKC of what that made. */
const emailKeyOf = (email: string): string => email.normalize('NFKC').toLowerCase().normalize('NFKC');

const presentedSession = ({ principal }: Caller): string[] =>
  principal?.kind === 'session' ? [principal.credentialUuid] : [];

const wrongCredentials = () => new ApiError('UNAUTHORIZED', 'The user name, email address or password is wrong');
