import { describe, expect, it } from 'vitest';
import { newApiKey } from '../../src/auth/api-key-format.ts';
import { sessionSeconds } from '../../src/auth/sessions.ts';
import type { Principal } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { apiError, createAuthServices, epoch, unknownUuid } from './auth-services.ts';

const { sessions, apiKeys, credentials, prisma, clock, person, callerByKey, list, statementsOf } =
  await createAuthServices();

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

  it(
    'B07: are verified by one statement, and by none without the right form and checksum',
    verifies('identity.key.form'),
    async () => {
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
    },
  );

  it(
    'B05: are refused from the moment that the revocation is answered, and stay listed',
    verifies('identity.key.revocation'),
    async () => {
      const { caller } = await person();
      const { apiKey, secret } = await apiKeys.create(caller, { name: 'key' });
      const revoked = await apiKeys.revoke(caller, { uuid: apiKey.uuid });
      expect(revoked).toMatchObject({ uuid: apiKey.uuid, revokedAt: epoch });
      expect(await apiKeys.verify(secret)).toBeNull();
      clock.advance(1_000);
      expect(await apiKeys.revoke(caller, { uuid: apiKey.uuid })).toEqual(revoked);
      expect(await list.apiKeys(caller, {})).toEqual([revoked]);
    },
  );

  it('are over at the very instant of expiry', verifies('identity.key.expiry'), async () => {
    const { caller } = await person();
    const expiresAt = new Date(epoch.getTime() + 5_000);
    const { secret } = await apiKeys.create(caller, { name: 'key', expiresAt });
    const shown = async () => (await list.apiKeys(caller)).map((key) => apiKeys.state(key));
    clock.set(new Date(expiresAt.getTime() - 1));
    expect(await apiKeys.verify(secret)).not.toBeNull();
    expect(await shown()).toEqual(['active']);
    clock.set(expiresAt);
    expect(await apiKeys.verify(secret)).toBeNull();
    expect(await shown()).toEqual(['expired']);
  });

  it('B06: have no hash in any record that leaves the area', async () => {
    const { caller } = await person();
    const { apiKey } = await apiKeys.create(caller, { name: 'key' });
    const { edges } = await apiKeys.connection(caller, {});
    const records = [apiKey, ...(await list.apiKeys(caller)), ...edges.map(({ node }) => node)];
    records.push(await apiKeys.revoke(caller, { uuid: apiKey.uuid }));
    expect(records).toHaveLength(4);
    for (const record of records) expect(Object.keys(record)).not.toContain('keyHash');
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
        apiError('VALIDATION_ERROR', { expiresAt: expect.stringContaining('expiresAt') }),
      );
    for (const good of [new Date('2037-01-01T00:00:00.000Z'), new Date(epoch.getTime() + 1), null, undefined])
      await expect(create(good)).resolves.toMatchObject({ apiKey: { expiresAt: good ?? null } });
  });

  it('refuse unknown scopes and channels', async () => {
    const { caller } = await person();
    for (const scopes of [[], ['root'], ['READ'], 'read', [null], {}, ['read', 'write', 'admin', 'read']])
      await expect(apiKeys.create(caller, { name: 'x', scopes } as never)).rejects.toEqual(
        apiError('VALIDATION_ERROR', { [scopesField(scopes)]: expect.stringContaining('scopes') }),
      );
    for (const channel of ['ui', 'SDK', '', 1, {}, ['sdk'], '__proto__'])
      await expect(apiKeys.create(caller, { name: 'x', channel } as never)).rejects.toEqual(
        apiError('VALIDATION_ERROR', { channel: expect.stringContaining('channel') }),
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

  it(
    'write the time of use at most once a minute, behind the request',
    verifies('identity.key.last-used'),
    async () => {
      const { caller } = await person();
      const { apiKey, secret } = await apiKeys.create(caller, { name: 'key' });
      const usedAt = async () => (await prisma.apiKey.findUnique({ where: { uuid: apiKey.uuid } }))?.lastUsedAt ?? null;
      const updates = async (work: () => Promise<unknown>) =>
        (await statementsOf(work)).filter((text) => text.startsWith('UPDATE api_keys')).length;
      const verifyMany = () => Promise.all(Array.from({ length: 20 }, () => apiKeys.verify(secret)));
      expect(await updates(verifyMany)).toBe(1);
      await eventually('the time of use is written', async () => (await usedAt())?.getTime() === epoch.getTime());
      clock.advance(59_999);
      expect(await updates(verifyMany)).toBe(0);
      clock.advance(1);
      expect(await updates(verifyMany)).toBe(1);
      await eventually('the time of use is written', async () => (await usedAt())?.getTime() === clock.now().getTime());
    },
  );

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
    const holding = () => credentials.holding(all);
    expect(await holding()).toEqual(new Set(all.map(({ credentialUuid }) => credentialUuid)));
    await apiKeys.revoke(mine.caller, { uuid: revoked?.apiKey.uuid ?? '' });
    await sessions.end(theirs.caller);
    clock.set(expiresAt);
    expect(await statementsOf(holding)).toHaveLength(1);
    expect(await holding()).toEqual(new Set([live?.apiKey.uuid, mine.principal.credentialUuid]));
    clock.set(new Date(epoch.getTime() + sessionSeconds * 1_000));
    expect(await holding()).toEqual(new Set([live?.apiKey.uuid]));
    await prisma.user.update({ where: { uuid: mine.principal.userUuid }, data: { disabledAt: epoch } });
    expect(await holding()).toEqual(new Set());
    expect(await statementsOf(() => credentials.holding([]))).toEqual([]);
  });

  it("carry their user's administration only with the scope admin", async () => {
    const { caller, principal } = await person();
    await prisma.user.update({ where: { uuid: principal.userUuid }, data: { isAdmin: true } });
    expect((await callerByKey(caller)).principal).toMatchObject({ isAdmin: false });
    expect((await callerByKey(caller, { scopes: ['admin'] })).principal).toMatchObject({ isAdmin: true });
  });
});
