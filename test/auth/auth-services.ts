import { beforeEach, expect } from 'vitest';
import { anonymous, type Caller, type Principal, type Scope } from '../../src/platform/caller.ts';
import { createTestServices } from '../support/services.ts';

export const password = 'correct horse battery';
export const unknownUuid = '00000000-0000-4000-8000-000000000000';
export const nobody = anonymous('203.0.113.1');
/** Where the clock stands when a test begins. */
export const epoch = new Date('2027-01-01T00:00:00.000Z');

/** Texts that no field may take, and values that are no text: some would be operators of Prisma's language. */
export const nastyTexts = ['\u0000', 'a\u0000b', '\ud800', 'x\udfff'];
export const notTexts = [1, true, {}, [], { not: null }, ['a'], { contains: '' }];

export const callerOf = (principal: Principal | null): Caller => ({ principal, address: '203.0.113.1' });

export const apiError = (code: string, details?: object) =>
  expect.objectContaining({ name: 'ApiError', code, ...(details && { details }) });

/** The whole of a refusal, to be compared byte for byte. */
export async function apiErrorOf(work: Promise<unknown>) {
  try {
    await work;
  } catch (error) {
    const { name, message, code, details } = error as Record<string, unknown>;
    return { name, message, code, details };
  }
  throw new Error('expected a refusal');
}

export async function expectEach(works: Promise<unknown>[], expected: unknown): Promise<void> {
  await Promise.all(works.map((work) => expect(work).rejects.toEqual(expected)));
}

/** Identity over a database of its own, and short ways to people, keys and lists. */
export async function createAuthServices() {
  const { database, clock, services, statements, infrastructure } = await createTestServices();
  const { accounts: users, sessions, projects, profiles, apiKeys } = services.auth;
  beforeEach(() => clock.set(epoch));

  let people = 0;
  /** A new user: its caller by session, and the token of it. */
  async function person(name = `person-${++people}`) {
    const email = `${name}@example.test`;
    const { token, principal } = await users.signUp(nobody, { username: name, email, password });
    return { name, email, token, principal, caller: callerOf(principal) };
  }

  async function callerByKey(caller: Caller, input: { scopes?: Scope[]; profileUuid?: string } = {}): Promise<Caller> {
    const { secret } = await apiKeys.create(caller, { name: 'key', ...input });
    return callerOf(await apiKeys.verify(secret));
  }

  const list = {
    projects: async (caller: Caller) => (await projects.page(caller, {})).projects,
    profiles: async (caller: Caller, input: { projectUuid?: string } = {}) =>
      (await profiles.page(caller, input)).profiles,
    apiKeys: async (caller: Caller, input: { profileUuid?: string } = {}) =>
      (await apiKeys.page(caller, input)).apiKeys,
  };

  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const before = statements.length;
    await work();
    return statements.slice(before);
  }

  return {
    ...services.auth,
    database,
    log: infrastructure.log,
    prisma: database.prisma,
    clock,
    sessions,
    person,
    callerByKey,
    list,
    statementsOf,
  };
}
