import { beforeAll, describe, expect, it } from 'vitest';
import { deadKeysMax, liveKeysMax } from '../../src/auth/api-keys.ts';
import { profilesMax } from '../../src/auth/profiles.ts';
import { projectsMax } from '../../src/auth/projects.ts';
import type { Caller } from '../../src/platform/caller.ts';
import {
  apiError,
  apiErrorOf,
  callerOf,
  createAuthServices,
  epoch,
  expectEach,
  nastyTexts,
  nobody,
  notTexts,
  unknownUuid,
} from './auth-services.ts';

const {
  accounts: users,
  sessions,
  projects,
  profiles,
  apiKeys,
  prisma,
  clock,
  person,
  callerByKey,
  list,
} = await createAuthServices();

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
    await expectEach(
      [projects.page(caller, input), profiles.page(caller, input), apiKeys.page(caller, input)],
      apiError('VALIDATION_ERROR', expect.any(Object)),
    );
  });

  it('refuses blank, long and unprintable names and other types', async () => {
    const { caller } = await person();
    for (const name of ['', '  ', 'x'.repeat(101), 'a\nb', '\u0007', ...nastyTexts, ...notTexts, null, undefined])
      await expectEach(
        [
          projects.create(caller, { name } as never),
          profiles.create(caller, { name } as never),
          apiKeys.create(caller, { name } as never),
        ],
        apiError('VALIDATION_ERROR', { name: expect.stringContaining('name') }),
      );
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
        [foreign, foreign.toUpperCase(), ...strange].map((uuid) => apiErrorOf(ask(uuid))),
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
        apiError('VALIDATION_ERROR', expect.anything()),
      );
      await expect(profiles.connection(caller, { projectUuid: id })).rejects.toEqual(
        apiError('VALIDATION_ERROR', expect.anything()),
      );
      await expect(apiKeys.create(caller, { profileUuid: id, name: 'x' })).rejects.toEqual(
        apiError('VALIDATION_ERROR', expect.anything()),
      );
      await expect(apiKeys.connection(caller, { profileUuid: id })).rejects.toEqual(
        apiError('VALIDATION_ERROR', expect.anything()),
      );
      await expect(apiKeys.revoke(caller, { uuid: id })).rejects.toEqual(apiError('NOT_FOUND'));
      await expect(profiles.activate(caller, { uuid: id })).rejects.toEqual(apiError('NOT_FOUND'));
    }
  });

  it('lets a session act as another profile of its user', async () => {
    const { caller, token } = await person();
    const project = await projects.create(caller, { name: 'Second' });
    const profile = await profiles.create(caller, { projectUuid: project.uuid, name: 'Second' });
    expect(await profiles.activate(caller, { uuid: profile.uuid })).toMatchObject({ uuid: profile.uuid });
    expect(await sessions.verify(token)).toMatchObject({ profileUuid: profile.uuid, projectUuid: project.uuid });
    const admin = await callerByKey(caller, { scopes: ['read', 'write', 'admin'] });
    await expect(profiles.activate(admin, { uuid: profile.uuid })).rejects.toEqual(apiError('FORBIDDEN'));
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
      for (const { reason } of refused) expect(reason).toEqual(apiError('CONFLICT'));
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
      // Some of these pages end between two rows of one millisecond, whatever the order.
      for (const first of [1, 2, 3]) {
        const seen: string[] = [];
        for (let after: string | undefined; ; ) {
          const { edges, hasNextPage } = await connect(caller, { first, after });
          seen.push(...edges.map(({ node }) => node.uuid));
          after = edges.at(-1)?.cursor;
          if (!hasNextPage) break;
        }
        expect(seen, `${first} at a time`).toEqual(expected);
      }
      expect(await connect(caller, { first: 0 })).toEqual({ edges: [], hasNextPage: true });
    }
    expect(all.apiKeys).toHaveLength(5);
  });

  it('B02: take a cursor of a row of another user exactly like one of an unknown row', async () => {
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

  it('refuse invalid cursors, and sizes out of bounds', async () => {
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
          apiError('VALIDATION_ERROR', { after: expect.any(String) }),
        );
    for (const first of [-1, 101, 1.5, '5', Number.NaN])
      await expect(projects.connection(caller, { first } as never)).rejects.toEqual(
        apiError('VALIDATION_ERROR', { first: expect.stringContaining('first') }),
      );
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
    await expect(profiles.connection(caller, { projectUuid: otherProject.uuid })).rejects.toEqual(
      apiError('NOT_FOUND'),
    );
  });

  it('a key without the scope admin manages nothing', async () => {
    const caller = await callerByKey(owner.caller);
    const { uuid } = sibling;
    await expectEach(
      [
        profiles.create(caller, { name: 'x' }),
        apiKeys.create(caller, { name: 'x' }),
        apiKeys.revoke(caller, { uuid }),
        apiKeys.connection(caller, {}),
        apiKeys.count(caller, {}),
        apiKeys.page(caller, {}),
        projects.create(caller, { name: 'x' }),
        profiles.activate(caller, { uuid }),
        users.changePassword(caller, { currentPassword: 'x', newPassword: 'x' }),
      ],
      apiError('FORBIDDEN'),
    );
    expect(() => apiKeys.visible(caller)).toThrow(apiError('FORBIDDEN'));
  });

  it('a key with the scope admin manages profiles and keys of its own project alone', async () => {
    const caller = await callerByKey(owner.caller, { scopes: ['read', 'admin'] });
    expect(await profiles.count(caller, {})).toBe(2);
    const made = await apiKeys.create(caller, { profileUuid: sibling.uuid, name: 'sibling', scopes: ['read'] });
    expect(await list.apiKeys(caller, { profileUuid: sibling.uuid })).toEqual([made.apiKey]);
    expect(await apiKeys.revoke(caller, made.apiKey)).toMatchObject({ revokedAt: epoch });
    const { apiKey: outside } = await apiKeys.create(owner.caller, { profileUuid: otherProfile.uuid, name: 'outside' });
    await expectEach(
      [
        profiles.create(caller, { projectUuid: otherProject.uuid, name: 'x' }),
        apiKeys.create(caller, { profileUuid: otherProfile.uuid, name: 'x', scopes: ['read'] }),
        apiKeys.connection(caller, { profileUuid: otherProfile.uuid }),
        apiKeys.revoke(caller, outside),
      ],
      apiError('NOT_FOUND'),
    );
    await expect(projects.create(caller, { name: 'x' })).rejects.toEqual(apiError('FORBIDDEN'));
    await expect(apiKeys.create(caller, { name: 'more than itself' })).rejects.toEqual(apiError('FORBIDDEN'));
  });

  it('an anonymous caller, and a key without scopes, may only sign up, in and out', async () => {
    const { uuid } = sibling;
    const entryPoints = (caller: Caller): (() => unknown)[] => [
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
      for (const entryPoint of entryPoints(caller))
        await expect((async () => entryPoint())()).rejects.toEqual(apiError(code));
  });
});
