import { describe, expect, it } from 'vitest';
import { openEventStream } from '../support/event-stream.ts';
import { counted, type HostileStage, startHostileStage, startOauthServer } from '../support/oauth/hostile-stage.ts';
import { keyOf } from '../support/services.ts';

const server = await startOauthServer();
const second = await startOauthServer({}, server.url);
const { prisma } = server.database;
const minute = 60_000;
const pass = (ms: number) => {
  for (const { clock } of [server, second]) clock.advance(ms);
};
const job = () => server.services.oauth.upkeep.refreshExpiring();
const refreshes = ({ hostile }: HostileStage) =>
  hostile.tokenRequests().filter(({ body }) => body.grant_type === 'refresh_token').length;

async function authorized(): Promise<HostileStage> {
  const stage = await startHostileStage(server);
  expect(await stage.authorize()).toBe(stage.success);
  return stage;
}
const noticesOf = async ({ user }: HostileStage) => {
  const profileUuid = String(user.principal?.profileUuid);
  const rows = await prisma.notification.findMany({ where: { profileUuid }, orderBy: { createdAt: 'asc' } });
  return rows.map(({ severity }) => severity);
};
const eventsOf = async ({ user }: HostileStage) => {
  const profileUuid = String(user.principal?.profileUuid);
  const where = { profileUuid, type: { startsWith: 'oauth.' } };
  const rows = await prisma.outboxEvent.findMany({ where, orderBy: { seq: 'asc' } });
  return rows.map(({ type }) => type);
};

describe('the job that refreshes', () => {
  it('leaves the tokens of a disabled user alone', async () => {
    const stage = await authorized();
    const uuid = String(stage.user.principal?.userUuid);
    await prisma.user.update({ where: { uuid }, data: { disabledAt: server.clock.now() } });
    pass(59 * minute);
    await job();
    expect(refreshes(stage)).toBe(0);
    await prisma.user.update({ where: { uuid }, data: { disabledAt: null } });
    await job();
    expect(refreshes(stage)).toBe(1);
  });

  it('refreshes a session two to five minutes before its access token expires, once', async () => {
    const stage = await authorized();
    pass(54.9 * minute);
    await job();
    expect(refreshes(stage)).toBe(0);
    pass(3.2 * minute);
    await job();
    expect(refreshes(stage)).toBe(1);
    await job();
    expect(refreshes(stage)).toBe(1);
    expect(await stage.session()).toMatchObject({ status: 'active', generation: 1 });
    expect(await counted(server, 'oauth_token_refresh_total{status="success",reason="expiring"}')).toBeGreaterThan(0);
    expect(await noticesOf(stage)).toEqual([]);
  });

  it('leaves alone what a caller refreshes at the same time, in another process too', async () => {
    const stage = await authorized();
    pass(58.5 * minute);
    const release = stage.hostile.holdTokenAnswers();
    const call = stage.browserAt(second)('POST', '/api/oauth/refresh', { serverUuid: stage.serverUuid });
    await expect.poll(() => refreshes(stage)).toBe(1);
    server.statements.length = 0;
    const jobs = Promise.all([job(), job()]);
    await expect
      .poll(() => server.statements.filter((text) => text.includes('FOR NO KEY UPDATE')).length)
      .toBeGreaterThan(1);
    release();
    expect((await call).status).toBe(200);
    await jobs;
    expect(refreshes(stage)).toBe(1);
    expect(await stage.session()).toMatchObject({ generation: 1 });
  });

  it('waits longer after each failure, and reports the failure once and the recovery once', async () => {
    const stage = await authorized();
    const { uuid, metadata } = await stage.session();
    const attempts = async () => (await stage.session()).failures;
    const reachable = (data: { metadata: string }) => prisma.oauthSession.update({ where: { uuid }, data });
    await reachable({ metadata: metadata.replaceAll(stage.hostile.issuer, 'http://127.0.0.1:1') });
    pass(58.5 * minute);
    await job();
    expect(await attempts()).toBe(1);
    // Each cool-down is up to a quarter longer: 1, 2, 4 minutes.
    for (const [cool, failures] of [
      [0.9, 1],
      [0.4, 2],
      [1.9, 2],
      [0.7, 3],
      [3.9, 3],
    ] as const) {
      pass(cool * minute);
      await job();
      expect(await attempts()).toBe(failures);
    }
    expect([await noticesOf(stage), await eventsOf(stage)]).toEqual([['WARNING'], ['oauth.refresh_failed']]);
    await reachable({ metadata });
    pass(1.2 * minute);
    await job();
    expect(await stage.session()).toMatchObject({ status: 'active', failures: 0, generation: 1, error: null });
    expect([await noticesOf(stage), await eventsOf(stage)]).toEqual([
      ['WARNING', 'SUCCESS'],
      ['oauth.refresh_failed', 'oauth.refresh_recovered'],
    ]);
  });

  it('goes on with the other sessions where one fails', async () => {
    const [broken, fine] = [await authorized(), await authorized()];
    pass(58.5 * minute);
    broken.hostile.behave('token:reset');
    expect(await job()).toBeGreaterThan(0);
    expect(await fine.session()).toMatchObject({ generation: 1 });
    expect(await broken.session()).toMatchObject({ generation: 0, failures: 1 });
  });

  it('ends an authorization that the provider has ended, with an alert, and does not ask again', async () => {
    const stage = await authorized();
    stage.hostile.behave('invalid-grant');
    pass(58.5 * minute);
    await job();
    pass(120 * minute);
    await job();
    expect(refreshes(stage)).toBe(1);
    expect([await noticesOf(stage), await eventsOf(stage)]).toEqual([['ALERT'], ['oauth.refresh_failed']]);
  });
});

describe('what the owner receives at once, live and by webhook', () => {
  async function told(stage: HostileStage, spoil: () => Promise<unknown>, status: number): Promise<void> {
    const { secret } = await keyOf(server.services, stage.user);
    const stream = await openEventStream(server.base, 'subscription { notificationAdded { severity title } }', {
      Authorization: `Bearer ${secret}`,
    });
    await spoil();
    expect((await stage.refresh()).status).toBe(status);
    const message = await stream.next();
    expect(message?.data.data.notificationAdded.severity).toBe('ALERT');
    expect(await eventsOf(stage)).toEqual(['oauth.refresh_failed']);
  }

  it('reuse of a refresh token', async () => {
    const stage = await authorized();
    const { uuid, refreshToken } = await stage.session();
    expect((await stage.refresh()).status).toBe(200);
    pass(11_000);
    await told(stage, () => prisma.oauthSession.update({ where: { uuid }, data: { refreshToken } }), 409);
  });

  it('tokens that cannot be read', async () => {
    const stage = await authorized();
    const { uuid, accessToken: refreshToken } = await stage.session();
    await told(stage, () => prisma.oauthSession.update({ where: { uuid }, data: { refreshToken } }), 500);
  });
});
