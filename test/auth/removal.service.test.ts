import { describe, expect, it } from 'vitest';
import { createAuth } from '../../src/auth/index.ts';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { uncounted } from '../../src/platform/limits/rate-limits.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';

const test = await createTestServices();
const { services, database, clock } = test;
const { auth } = services;
const password = 'correct horse battery';

/** How many rows of each table belong to a profile, for tables that have any. */
async function rowsOf(profileUuid: string, at: Database = database): Promise<Record<string, number>> {
  const tables = await at.query<{ name: string }>({
    text: `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables t USING (table_name)
      WHERE column_name = 'profile_uuid' AND t.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
  });
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await at.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM ${name} WHERE profile_uuid = $1`,
      values: [profileUuid],
    });
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}

/** A profile that holds something of each area. */
async function filledProfile(user: Caller): Promise<{ uuid: string; key: Awaited<ReturnType<typeof keyOf>> }> {
  const profile = await auth.profiles.create(user, { name: 'work' });
  const key = await keyOf(services, user, { profileUuid: profile.uuid });
  await services.clipboard.set(key.caller, { name: 'a', value: 'v' });
  await services.clipboard.push(key.caller, { value: 'v' });
  await services.notifications.create(key.caller, { message: 'Hello' });
  await services.webhooks.registrations.create(key.caller, {
    url: 'http://127.0.0.1:4000/',
    events: ['notification.created'],
  });
  const server = await services.mcpServers.configurations.create(key.caller, {
    name: 'Files',
    transport: 'stdio',
    command: 'npx',
  });
  await services.collections.create(key.caller, { name: 'c', serverUuids: [server.uuid] });
  return { uuid: profile.uuid, key };
}

describe('deleting a profile', () => {
  it('ends its keys and removes everything that belongs to it', async () => {
    const user = await signUp(services);
    const { uuid, key } = await filledProfile(user);
    expect(Object.keys(await rowsOf(uuid))).toEqual(
      expect.arrayContaining([
        'api_keys',
        'clipboard_entries',
        'collections',
        'mcp_servers',
        'notifications',
        'webhooks',
      ]),
    );
    const other = await filledProfile(await signUp(services));
    const before = await rowsOf(other.uuid);

    expect(await auth.removal.removeProfile(user, { uuid })).toBe(uuid);
    expect(await auth.apiKeys.verify(key.secret)).toBeNull();
    expect(await auth.credentials.holding([key.caller.principal as never])).toEqual(new Set());
    const { outbox_events: _, ...left } = await rowsOf(uuid);
    expect(left).toEqual({});
    expect((await auth.profiles.page(user, {})).profiles.map((profile) => profile.uuid)).not.toContain(uuid);
    expect(await rowsOf(other.uuid)).toEqual(before);
  });

  it('refuses the last profile, also when two requests each delete one of the last two', async () => {
    const user = await signUp(services);
    const first = String(user.principal?.profileUuid);
    await expect(auth.removal.removeProfile(user, { uuid: first })).rejects.toMatchObject({ code: 'CONFLICT' });
    const { uuid: second } = await auth.profiles.create(user, { name: 'second' });
    const ended = await Promise.allSettled([first, second].map((uuid) => auth.removal.removeProfile(user, { uuid })));
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
    expect((await auth.profiles.page(user, {})).total).toBe(1);
  });

  it("lets the user's sessions act as another profile when their own was deleted", async () => {
    const { token, principal } = await auth.accounts.signUp(anonymous(), {
      email: 'switch@example.com',
      username: 'switch-er',
      password,
    });
    const user: Caller = { principal, address: '' };
    const { uuid } = await auth.profiles.create(user, { name: 'second' });
    await auth.profiles.activate(user, { uuid });
    await auth.removal.removeProfile(user, { uuid });
    expect((await auth.sessions.verify(token))?.profileUuid).toBe(principal.profileUuid);
  });

  it("answers another user's profile like an unknown one, and needs the scope admin", async () => {
    const user = await signUp(services);
    const other = await signUp(services);
    const uuid = String(other.principal?.profileUuid);
    for (const unknown of [uuid, 'b0b0b0b0-0000-4000-8000-000000000000', 'no uuid'])
      await expect(auth.removal.removeProfile(user, { uuid: unknown })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Profile not found',
      });
    const key = await keyOf(services, user, { scopes: ['read', 'write'] });
    await expect(auth.removal.removeProfile(key.caller, { uuid })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('hides it at once, and a job removes what the request could not', async () => {
    const failing = createAuth({
      database,
      clock,
      log: createLogger('silent'),
      rateLimits: uncounted,
      contents: [() => Promise.reject(new Error('the process stopped here'))],
    });
    const user = await signUp(services);
    const { uuid, key } = await filledProfile(user);
    await failing.removal.removeProfile(user, { uuid });
    expect(await auth.apiKeys.verify(key.secret)).toBeNull();
    expect((await auth.profiles.page(user, {})).profiles.map((profile) => profile.uuid)).not.toContain(uuid);
    await expect(auth.profiles.activate(user, { uuid })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(auth.apiKeys.create(user, { name: 'x', profileUuid: uuid })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(Object.keys(await rowsOf(uuid))).toContain('clipboard_entries');
    expect(await auth.removal.removeLeftovers()).toBeGreaterThan(0);
    const { outbox_events: _, ...left } = await rowsOf(uuid);
    expect(left).toEqual({});
    expect(await auth.removal.removeLeftovers()).toBe(0);
  });
});

describe('deleting a project', () => {
  it('removes its profiles with it, but not the project of the last profile', async () => {
    const user = await signUp(services);
    await expect(auth.removal.removeProject(user, { uuid: String(user.principal?.projectUuid) })).rejects.toMatchObject(
      { code: 'CONFLICT' },
    );
    const project = await auth.projects.create(user, { name: 'p' });
    const profile = await auth.profiles.create(user, { projectUuid: project.uuid, name: 'x' });
    const key = await keyOf(services, user, { profileUuid: profile.uuid });
    await auth.removal.removeProject(user, { uuid: project.uuid });
    expect(await auth.apiKeys.verify(key.secret)).toBeNull();
    expect((await auth.projects.page(user, {})).total).toBe(1);
    expect(await database.prisma.profile.count({ where: { uuid: profile.uuid } })).toBe(0);
    await expect(auth.removal.removeProject(key.caller, { uuid: project.uuid })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('removes one without profiles', async () => {
    const user = await signUp(services);
    const { uuid } = await auth.projects.create(user, { name: 'empty' });
    await auth.removal.removeProject(user, { uuid });
    expect((await auth.projects.page(user, {})).total).toBe(1);
  });
});

describe('deleting an account', () => {
  it('needs the password, ends all sessions and keys, and frees the name', async () => {
    const account = { email: 'gone@example.com', username: 'gone-one', password };
    const { token, principal } = await auth.accounts.signUp(anonymous(), account);
    const user: Caller = { principal, address: '' };
    const { key } = await filledProfile(user);
    await expect(auth.removal.removeAccount(user, { password: 'wrong' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { password: 'password is wrong' },
    });
    expect(await auth.sessions.verify(token)).not.toBeNull();
    await auth.removal.removeAccount(user, { password });
    expect(await auth.sessions.verify(token)).toBeNull();
    expect(await auth.apiKeys.verify(key.secret)).toBeNull();
    await expect(auth.accounts.signIn(anonymous(), { email: account.email, password })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await database.prisma.user.count({ where: { uuid: principal.userUuid } })).toBe(0);
    await auth.accounts.signUp(anonymous(), account);
  });

  it('is not for API keys', async () => {
    const key = await keyOf(services, await signUp(services), { scopes: ['read', 'write', 'admin'] });
    await expect(auth.removal.removeAccount(key.caller, { password })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('administration', () => {
  const administrator = async (): Promise<Caller> => {
    const user = await signUp(services);
    return { ...user, principal: { ...(user.principal as NonNullable<Caller['principal']>), isAdmin: true } };
  };

  it('sets the tier of any project', async () => {
    const user = await signUp(services);
    const projectUuid = String(user.principal?.projectUuid);
    await auth.administration.setTier(await administrator(), { projectUuid, tier: 'pro' });
    expect((await auth.projects.current(user)).tier).toBe('pro');
    await expect(
      auth.administration.setTier(await administrator(), { projectUuid: 'no', tier: 'pro' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(auth.administration.setTier(user, { projectUuid, tier: 'pro' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('sets the tier that keys and sessions of the project have from then on', async () => {
    const account = { email: 'tier@example.com', username: 'tier-of-it', password };
    const { token, principal } = await auth.accounts.signUp(anonymous(), account);
    const { secret } = await keyOf(services, { principal, address: '' });
    const tiers = async () => [(await auth.apiKeys.verify(secret))?.tier, (await auth.sessions.verify(token))?.tier];
    expect(await tiers()).toEqual(['free', 'free']);
    const { projectUuid } = principal;
    await auth.administration.setTier(await administrator(), { projectUuid, tier: 'enterprise' });
    expect(await tiers()).toEqual(['enterprise', 'enterprise']);
  });

  it('disables a user and enables it again, but never the administrator itself', async () => {
    const admin = await administrator();
    const account = { email: 'off@example.com', username: 'Switched-Off', password };
    const { token } = await auth.accounts.signUp(anonymous(), account);
    const disabled = await auth.administration.setDisabled(admin, { username: 'switched-OFF', isDisabled: true });
    expect(disabled).toEqual({ username: 'Switched-Off', disabledAt: clock.now() });
    expect(await auth.sessions.verify(token)).toBeNull();
    await expect(auth.accounts.signIn(anonymous(), { email: account.email, password })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await auth.administration.setDisabled(admin, { username: 'Switched-Off', isDisabled: false });
    expect(await auth.sessions.verify(token)).not.toBeNull();
    await expect(
      auth.administration.setDisabled(admin, { username: 'nobody-at-all', isDisabled: true }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { username } = await auth.accounts.current(admin);
    await expect(auth.administration.setDisabled(admin, { username, isDisabled: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await auth.accounts.current(admin)).disabledAt).toBeNull();
    await expect(
      auth.administration.setDisabled(await signUp(services), { username, isDisabled: true }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
