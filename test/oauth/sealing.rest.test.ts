import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hitsIn } from '../support/canaries.ts';
import { consent } from '../support/oauth/consent.ts';
import { counted, type HostileStage, startHostileStage, startOauthServer } from '../support/oauth/hostile-stage.ts';
import { sessionOf } from '../support/people.ts';
import { encryptionKeys } from '../support/services.ts';

const server = await startOauthServer();
const { prisma } = server.database;

async function authorized(options: Parameters<typeof startHostileStage>[1] = {}): Promise<HostileStage> {
  const stage = await startHostileStage(server, options);
  expect(await stage.authorize()).toBe(stage.success);
  return stage;
}
const keyOf = (text: string) => createHash('sha256').update(text).digest('base64');
const newKey = `new:${keyOf('another key')}`;
const unreadable = { error: 'server_error', message: 'The stored tokens cannot be read' };
const alertsOf = async ({ user }: HostileStage) =>
  prisma.notification.findMany({
    where: { profileUuid: String(user.principal?.profileUuid) },
    orderBy: { createdAt: 'asc' },
  });

describe('C19: tokens at rest', () => {
  it('are AES-256-GCM with a key id and a nonce of their own, and stand nowhere in clear', async () => {
    const stage = await authorized();
    const { accessToken, refreshToken } = await stage.session();
    const sealed = [accessToken, refreshToken] as string[];
    for (const each of sealed) expect(each).toMatch(/^1\.test\.[\w-]{38,}$/);
    await stage.authorize();
    const second = await stage.session();
    const nonces = [...sealed, second.accessToken, second.refreshToken].map((each) => String(each).slice(7, 23));
    expect(new Set(nonces).size).toBe(4);
    await stage.initiate();
    const tables = await Promise.all([
      prisma.oauthSession.findMany(),
      prisma.oauthClient.findMany(),
      prisma.oauthPkceState.findMany(),
      prisma.oauthSecurityEvent.findMany(),
      prisma.notification.findMany(),
      prisma.oauthUsedRefreshToken.findMany(),
    ]);
    const secrets = new Map(stage.hostile.secrets.map((secret, at) => [`secret ${at}`, secret]));
    expect(secrets.size).toBeGreaterThan(4);
    expect(hitsIn([['rows', JSON.stringify(tables)]], secrets)).toEqual([]);
  });

  it('do not open in another column, another session, or of another user, and stay as they are', async () => {
    const person = await sessionOf(server);
    const [one, two, foreign] = [await authorized({ person }), await authorized({ person }), await authorized()];
    const [mine, neighbour, theirs] = [await one.session(), await two.session(), await foreign.session()];
    const moved = {
      'the access token': mine.accessToken,
      'of another session': neighbour.refreshToken,
      'of another user': theirs.refreshToken,
      'a shorter one': mine.refreshToken?.slice(0, -4),
      'no ciphertext': 'plain',
    };
    const violations = await counted(server, 'oauth_integrity_violations_total{violation_type="token"}');
    for (const [what, refreshToken = null] of Object.entries(moved)) {
      const changed = { ...mine, refreshToken };
      await prisma.oauthSession.update({ where: { uuid: mine.uuid }, data: { refreshToken } });
      const { status, body } = await one.refresh();
      expect([status, body], what).toEqual([500, unreadable]);
      expect(await one.session(), what).toMatchObject({ refreshToken: changed.refreshToken, status: 'active' });
    }
    expect(one.hostile.tokenRequests()).toHaveLength(1);
    expect(await counted(server, 'oauth_integrity_violations_total{violation_type="token"}')).toBe(violations + 5);
    expect((await one.events()).filter((type) => type === 'integrity_violation')).toHaveLength(5);
    expect(await alertsOf(one)).toMatchObject([{ severity: 'ALERT' }]);
    await prisma.oauthSession.update({ where: { uuid: mine.uuid }, data: { refreshToken: mine.refreshToken } });
    expect((await one.refresh()).status).toBe(200);
    expect((await alertsOf(one)).map(({ severity }) => severity)).toEqual(['ALERT', 'SUCCESS']);
  });

  it('an access token of another session is not sent to a server', async () => {
    const [one, two] = [await authorized(), await authorized()];
    expect(await one.discover()).toBe('succeeded');
    const [{ uuid }, { accessToken }] = [await one.session(), await two.session()];
    const before = one.hostile.requests.length;
    await prisma.oauthSession.update({ where: { uuid }, data: { accessToken } });
    expect(await one.discover()).toBe('needs_authorization');
    const asked = one.hostile.requests.slice(before);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  it('a client secret does not open in the place of another', async () => {
    const [one, two] = [await authorized(), await authorized()];
    const clientOf = async ({ serverUuid }: HostileStage) =>
      prisma.oauthClient.findFirstOrThrow({ where: { serverUuid } });
    const [mine, theirs] = [await clientOf(one), await clientOf(two)];
    expect(mine.clientSecret).toMatch(/^1\.test\./);
    await prisma.oauthClient.update({ where: { uuid: mine.uuid }, data: { clientSecret: theirs.clientSecret } });
    expect((await one.refresh()).status).toBe(500);
    expect(one.hostile.tokenRequests()).toHaveLength(1);
    expect(await counted(server, 'oauth_integrity_violations_total{violation_type="client_secret"}')).toBe(1);
    expect(await one.session()).toMatchObject({ status: 'active' });
  });
});

describe('C20: encryption keys', () => {
  it('rotated: old rows open by their key id, new ones have the new key; the old key missing: 500, and nothing is wiped', async () => {
    const [old, kept] = [await authorized(), await authorized()];
    const path = await kept.consented();
    const rotated = await startOauthServer({ ENCRYPTION_KEYS: `${newKey},${encryptionKeys}` }, server.url);
    const refreshAt = (stage: HostileStage, at: typeof server) =>
      stage.browserAt(at)('POST', '/api/oauth/refresh', { serverUuid: stage.serverUuid });
    expect((await refreshAt(old, rotated)).status).toBe(200);
    expect((await old.session()).refreshToken).toMatch(/^1\.new\./);

    const without = await startOauthServer({ ENCRYPTION_KEYS: newKey }, server.url);
    const before = await kept.session();
    for (let times = 0; times < 3; times++) {
      const { status, body } = await refreshAt(kept, without);
      expect([status, body]).toEqual([500, unreadable]);
    }
    const { accessToken, refreshToken } = before;
    expect(await kept.session()).toMatchObject({ status: 'active', accessToken, refreshToken, failures: 3 });
    expect(await alertsOf(kept)).toMatchObject([{ severity: 'ALERT' }]);
    expect(await without.services.oauth.upkeep.refreshExpiring()).toBe(0);
    expect(await kept.ended(path, kept.browserAt(without))).toBe('/mcp-servers?oauth_error=integrity_violation');
    expect(kept.hostile.tokenRequests()).toHaveLength(1);
    for (const { clock } of [rotated, without]) clock.advance(11_000);
    expect((await refreshAt(kept, rotated)).status).toBe(200);
  });

  it('missing: a server can be authorized again, with a new registration', async () => {
    const stage = await authorized();
    const without = await startOauthServer({ ENCRYPTION_KEYS: newKey }, server.url);
    const browser = stage.browserAt(without);
    const { status, body, text } = await browser('POST', '/api/oauth/initiate', { serverUuid: stage.serverUuid });
    expect(status, text).toBe(200);
    expect(stage.hostile.registrations()).toHaveLength(2);
    const { pathname, search } = new URL(await consent(body.authorizationUrl));
    expect(await stage.ended(pathname + search, browser)).toBe(stage.success);
    const refreshed = await browser('POST', '/api/oauth/refresh', { serverUuid: stage.serverUuid });
    expect(refreshed.status).toBe(200);
  });
});
