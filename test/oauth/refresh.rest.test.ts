import { describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { blockade } from '../support/blockade.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { counted, type HostileStage, startHostileStage, startOauthServer } from '../support/oauth/hostile-stage.ts';
import { startOauthStage } from '../support/oauth/stage.ts';
import { openTestInfrastructure } from '../support/services.ts';

const server = await startOauthServer();
/** Another process over the same database. */
const second = await startOauthServer({}, server.url);
const { prisma } = server.database;

async function authorized(options: Parameters<typeof startHostileStage>[1] = {}): Promise<HostileStage> {
  const stage = await startHostileStage(server, options);
  expect(await stage.authorize()).toBe(stage.success);
  return stage;
}
const refreshes = ({ hostile }: HostileStage) =>
  hostile.tokenRequests().filter(({ body }) => body.grant_type === 'refresh_token');
/** Time passes for both processes. */
const pass = (seconds: number) => {
  for (const { clock } of [server, second]) clock.advance(seconds * 1_000);
};
const refreshAt = ({ browserAt, serverUuid }: HostileStage, at = second) =>
  browserAt(at)('POST', '/api/oauth/refresh', { serverUuid });
const reuses = () => counted(server, 'oauth_token_revocations_total{reason="token_reuse"}');

describe('C15: simultaneous refreshes', () => {
  it('of two processes send one token request, and all share its answer', async () => {
    const stage = await authorized();
    const before = await reuses();
    const release = stage.hostile.holdTokenAnswers();
    const calls = Array.from({ length: 20 }, (_, at) => (at % 2 ? stage.refresh() : refreshAt(stage)));
    await expect.poll(() => refreshes(stage).length).toBe(1);
    release();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(20).fill(`200 ${answers[0]?.text}`));
    expect(answers[0]?.body).toEqual({
      success: true,
      expiresAt: new Date(server.clock.now().getTime() + 3_600_000).toISOString(),
    });
    expect(refreshes(stage)).toHaveLength(1);
    expect(await stage.session()).toMatchObject({ status: 'active', generation: 1, refreshClaim: null });
    expect(stage.hostile.revocations()).toEqual([]);
    expect(await reuses()).toBe(before);
  });

  it('that look at the same moment send one, too: the second waits for the row', async () => {
    const stage = await authorized();
    const block = await blockade(server.url, 'oauth_used_refresh_tokens');
    const first = stage.refresh();
    await block.waits();
    second.statements.length = 0;
    const next = refreshAt(stage);
    await expect
      .poll(() => second.statements.some((text) => text.includes('oauth_sessions WHERE uuid = $1')))
      .toBe(true);
    await block.release();
    expect([(await first).status, (await next).status]).toEqual([200, 200]);
    expect(refreshes(stage)).toHaveLength(1);
  });

  it('within ten seconds share it, later ones are refreshes of their own', async () => {
    const stage = await authorized();
    expect((await stage.refresh()).status).toBe(200);
    pass(9);
    expect((await refreshAt(stage)).status).toBe(200);
    expect(refreshes(stage)).toHaveLength(1);
    pass(1);
    expect((await refreshAt(stage)).status).toBe(200);
    expect(refreshes(stage)).toHaveLength(2);
    const tokens = refreshes(stage).map(({ body }) => body.refresh_token);
    expect(new Set(tokens).size).toBe(2);
  });

  it.each([5_000, -60_000])('share it where the clock of one process differs by %i ms', async (skewMs) => {
    const stage = await authorized();
    const [late, exact] = await Promise.all(
      [skewMs, 0].map(async (ms) => {
        const { now } = systemClock;
        const clock = { ...systemClock, now: () => new Date(now().getTime() + ms), advance: () => {}, set: () => {} };
        return createServices(
          await openTestInfrastructure({ url: server.url, clock: clock as unknown as ManualClock }),
        );
      }),
    );
    const { serverUuid } = stage;
    for (const services of [late, exact, late]) await services?.oauth.flows.refresh(stage.user, { serverUuid });
    expect(refreshes(stage)).toHaveLength(1);
  });

  it('share a failure of the provider, too, and the next one tries again', async () => {
    const stage = await authorized();
    stage.hostile.behave('token:status-500');
    const answers = await Promise.all([stage.refresh(), stage.refresh(), stage.refresh()]);
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    expect(answers[0]?.body).toEqual({ error: 'server_error', message: 'The token exchange with the provider failed' });
    expect(refreshes(stage)).toHaveLength(1);
    expect(await stage.session()).toMatchObject({ status: 'active', refreshClaim: null, failures: 1 });
  });
});

it('a provider that issues no new refresh token accepts the same one: that is not reuse', async () => {
  const stage = await startOauthStage({ server, authorizationServer: { rotation: false } });
  expect(await stage.authorize()).toContain('oauth_success');
  for (let times = 1; times <= 3; times++) {
    pass(11);
    expect((await stage.refresh()).status).toBe(200);
    expect(stage.authorizationServer.tokenRequests('refresh_token')).toHaveLength(times);
  }
});

describe('C16: a refresh token that was superseded', () => {
  it('is 409, ends all tokens of its server for its user on both sides, and nothing else', async () => {
    const stage = await authorized();
    const bystander = await authorized({ person: { ...stage.person } });
    const { uuid, refreshToken } = await stage.session();
    const general = await stage.browser('POST', '/graphql', {
      query:
        'mutation($p: String!) { oauthSessionCreate(input: { provider: $p, redirectUri: "http://127.0.0.1:9/b" }) { authorizationUrl } }',
      variables: { p: stage.serverUuid },
    });
    expect(general.body.errors).toBeUndefined();
    expect((await stage.refresh()).status).toBe(200);
    pass(11);
    const active = await counted(server, 'oauth_active_tokens');
    const before = await reuses();
    await prisma.oauthSession.update({ where: { uuid }, data: { refreshToken } });
    const { status, body } = await stage.refresh();
    expect([status, body.error]).toEqual([409, 'token_reuse_detected']);
    expect(refreshes(stage)).toHaveLength(1);
    const rows = await prisma.oauthSession.findMany({ where: { serverUuid: stage.serverUuid } });
    expect(rows.map((row) => [row.status, row.accessToken, row.refreshToken])).toEqual(
      Array(2).fill(['revoked', null, null]),
    );
    expect(await reuses()).toBe(before + 2);
    expect(await counted(server, 'oauth_active_tokens')).toBe(active - 1);
    expect(stage.hostile.revocations().map(({ body: { token_type_hint: hint } }) => hint)).toEqual([
      'refresh_token',
      'access_token',
    ]);
    expect(await stage.events()).toContain('token_reuse');
    const notices = await prisma.notification.findMany({
      where: { profileUuid: String(stage.user.principal?.profileUuid) },
    });
    expect(notices.filter(({ severity }) => severity === 'ALERT')).toHaveLength(1);
    expect((await stage.refresh()).status).toBe(400);
    expect(await bystander.session()).toMatchObject({ status: 'active' });
    expect((await bystander.refresh()).status).toBe(200);
    expect(await stage.authorize()).toBe(stage.success);
    expect((await stage.refresh()).status).toBe(200);
  });
});

describe('C17: a process that ends in the middle of a refresh', () => {
  it('after the mark: while its claim lasts others wait, then the next one is 409, and no token is sent twice', async () => {
    const stage = await authorized();
    const release = stage.hostile.holdTokenAnswers();
    const lost = stage.refresh();
    await expect.poll(() => refreshes(stage).length).toBe(1);
    pass(14.9);
    const next = refreshAt(stage);
    let isAnswered = false;
    void next.then(() => {
      isAnswered = true;
    });
    await expect
      .poll(() => second.statements.filter((text) => text.includes('FOR NO KEY UPDATE')).length)
      .toBeGreaterThan(2);
    expect(isAnswered).toBe(false);
    pass(0.2);
    expect((await next).status).toBe(409);
    expect(await stage.session()).toMatchObject({ status: 'revoked', accessToken: null, refreshToken: null });
    expect((await refreshAt(stage)).status).toBe(400);
    expect(refreshes(stage)).toHaveLength(1);
    // The first one was only slow: what it is given now is of no use, and ends as well.
    const before = stage.hostile.revocations().length;
    release();
    expect((await lost).status).toBe(400);
    expect(stage.hostile.revocations()).toHaveLength(before + 2);
    expect(await stage.session()).toMatchObject({ status: 'revoked', accessToken: null });
    expect(await stage.authorize()).toBe(stage.success);
  });

  it('after the answer: the storing is tried again while the database is away', async () => {
    const stage = await authorized();
    const release = stage.hostile.holdTokenAnswers();
    const call = stage.refresh();
    await expect.poll(() => refreshes(stage).length).toBe(1);
    const block = await blockade(server.url, 'oauth_sessions');
    release();
    await block.kill(await block.waits());
    await block.release();
    expect((await call).status).toBe(200);
    expect(refreshes(stage)).toHaveLength(1);
    expect(await stage.session()).toMatchObject({ status: 'active', generation: 1 });
  });
});

describe('C18: a provider that refuses', () => {
  it('the grant: 500 once, the session ends, its owner is notified, and it is not tried again', async () => {
    const stage = await authorized();
    stage.hostile.behave('invalid-grant');
    const { status, body } = await stage.refresh();
    expect([status, body.message]).toEqual([500, 'The token exchange with the provider failed']);
    expect(await stage.session()).toMatchObject({ status: 'expired', accessToken: null, refreshToken: null });
    expect(
      await counted(server, 'oauth_token_refresh_total{status="failure",reason="provider_refused"}'),
    ).toBeGreaterThan(0);
    expect(await stage.events()).toContain('refresh_refused');
    expect((await stage.refresh()).status).toBe(400);
    pass(3_600);
    await server.services.oauth.upkeep.refreshExpiring();
    expect(refreshes(stage)).toHaveLength(1);
    expect(stage.hostile.revocations()).toEqual([]);
  });

  it.each(['token:html', 'token:reset', 'no-access-token', 'negative-expiry'] as const)(
    'by %s: 500, and the tokens stay as they are',
    async (behaviour) => {
      const stage = await authorized();
      const { accessToken, refreshToken } = await stage.session();
      stage.hostile.behave(behaviour);
      expect((await stage.refresh()).status).toBe(500);
      expect(await stage.session()).toMatchObject({ status: 'active', accessToken, refreshToken, generation: 0 });
    },
  );
});
