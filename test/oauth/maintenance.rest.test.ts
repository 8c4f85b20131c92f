import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { counted, type HostileStage, startHostileStage, startOauthServer } from '../support/oauth/hostile-stage.ts';
import { sessionOf } from '../support/people.ts';
import { callerOf, type TestServer, tenantOf } from '../support/server.ts';

const path = '/api/oauth/cleanup-pkce';
const secret = '7Kd2mVq9Xw4Lr1Tz6Nb3Hf8Gs5Yc0PaJe';
const forProduction = '2Jv9qXw7Lr4Tz8Nk1Bf6Hd3Gs5Yc0PmaZ';
const server = await startOauthServer({ CRON_SECRET: secret });
const { prisma } = server.database;
const bearing = (text: string | null): Record<string, string> =>
  text === null ? {} : { Authorization: `Bearer ${text}` };
const clean = (at: TestServer, text: string | null, method = 'POST') =>
  callerOf(at, null)(method, path, undefined, bearing(text));

/** States of a user that expired some seconds ago, and as many that live. */
async function states(count: number, secondsAgo: number): Promise<HostileStage> {
  const stage = await startHostileStage(server);
  for (let each = 0; each < count * 2; each++) await stage.initiate();
  const rows = await prisma.oauthPkceState.findMany({ where: { serverUuid: stage.serverUuid }, take: count });
  const expiresAt = new Date(server.clock.now().getTime() - secondsAgo * 1_000);
  const stateHash = { in: rows.map((row) => row.stateHash) };
  await prisma.oauthPkceState.updateMany({ where: { stateHash }, data: { expiresAt } });
  return stage;
}
const left = ({ serverUuid }: HostileStage) => prisma.oauthPkceState.count({ where: { serverUuid } });

describe('C25: the secret of the cleanup', () => {
  it('is needed to the last character, and nothing else is one', async () => {
    const stage = await states(1, 601);
    const wrong = [
      null,
      '',
      ' ',
      'undefined',
      'null',
      secret.slice(1),
      secret.slice(0, -1),
      `${secret}x`,
      secret.toUpperCase(),
    ];
    for (const text of wrong) {
      const { status, body, headers } = await clean(server, text);
      expect([status, body.error, headers.get('www-authenticate')], String(text)).toEqual([
        401,
        'unauthorized',
        'Bearer',
      ]);
    }
    const { call: key } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
    const { call: browser } = await sessionOf(server);
    for (const call of [key, browser]) expect((await call('POST', path, {})).status).toBe(401);
    for (const [header, value] of [
      ['Authorization', secret],
      ['Authorization', `Basic ${secret}`],
      ['X-Cron-Secret', secret],
      ['Cookie', `session_token=${secret}`],
    ] as const)
      expect((await callerOf(server, null)('POST', path, undefined, { [header]: value })).status, header).toBe(401);
    expect((await callerOf(server, null)('POST', `${path}?secret=${encodeURIComponent(secret)}`)).status).toBe(401);
    expect(await left(stage)).toBe(2);
    const { status, body } = await clean(server, secret);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      deleted: 1,
      deletedCount: 1,
      gracePeriodMinutes: 10,
      message: 'Deleted 1 expired PKCE state',
      timestamp: server.clock.now().toISOString(),
    });
    expect(await left(stage)).toBe(1);
    expect(server.logged.join('')).not.toContain(secret);
  });

  it('that is empty in the setting fits nothing', async () => {
    const unset = await startOauthServer({ CRON_SECRET: '' });
    for (const text of [null, '', 'undefined', 'null', '""']) expect((await clean(unset, text)).status).toBe(401);
    expect((await clean(unset, null, 'GET')).status).toBe(200);
  });

  it('in production GET is not an alternative', async () => {
    const production = await startOauthServer({
      NODE_ENV: 'production',
      APP_URL: 'https://patchbay.example',
      CRON_SECRET: forProduction,
      EGRESS_ALLOW: '',
    });
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const { status, headers } = await clean(production, forProduction, method);
      expect([status, headers.get('allow')], method).toEqual([405, 'POST']);
    }
    expect((await clean(production, null)).status).toBe(401);
    expect((await clean(production, forProduction)).status).toBe(200);
  });

  it('GraphQL lets administrators alone clean up', async () => {
    const query = 'mutation { oauthStatesCleanup { deleted } }';
    const { graphql } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
    expect((await graphql(query)).errors[0].extensions.code).toBe('FORBIDDEN');
    const bare = await callerOf(server, null)('POST', '/graphql', { query });
    expect(bare.body.errors[0].extensions.code).toBe('UNAUTHORIZED');
  });
});

describe('C26: cleanups at once', () => {
  it('count each state once, leave live and late ones, and disturb no callback', async () => {
    const [old, late] = [await states(6, 601), await states(2, 599)];
    const paths = await Promise.all([old.consented(), old.consented(), late.consented()]);
    const series = (reason: string) => counted(server, `oauth_pkce_states_cleaned_total{reason="${reason}"}`);
    const before = (await series('on_demand')) + (await series('scheduled'));
    const { cleanUp } = server.services.oauth.states;
    const [ends, ...runs] = await Promise.all([
      Promise.all(paths.map((each, at) => (at < 2 ? old : late).ended(each))),
      clean(server, secret).then(({ body }) => body.deleted as number),
      clean(server, secret).then(({ body }) => body.deleted as number),
      cleanUp('scheduled'),
    ]);
    expect(ends).toEqual([old.success, old.success, late.success]);
    expect(runs.reduce((sum, each) => sum + each, 0)).toBe(6);
    expect((await series('on_demand')) + (await series('scheduled')) - before).toBe(6);
    expect([await left(old), await left(late)]).toEqual([6, 4]);
    expect(await cleanUp('scheduled')).toBe(0);
  });
});

describe('C23: the limits of the flow', () => {
  const limited = { error: 'rate_limit_exceeded', message: expect.any(String), retryAfter: expect.any(Number) };

  it('eleven initiates in 15 minutes are one too many, for each user alone, behind one address too', async () => {
    const counting = await startOauthServer({ RATE_LIMITS: '{}', CRON_SECRET: secret });
    const [one, two] = [await startHostileStage(counting), await startHostileStage(counting)];
    const statuses = [];
    for (let each = 0; each < 10; each++) statuses.push((await one.initiate()).status);
    expect(statuses).toEqual(Array(10).fill(200));
    const over = await one.initiate();
    expect([over.status, over.body]).toEqual([429, limited]);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    expect(one.hostile.registrations()).toHaveLength(1);
    expect(await counting.database.prisma.oauthPkceState.count({ where: { serverUuid: one.serverUuid } })).toBe(10);
    expect((await two.initiate()).status).toBe(200);
    // A server that is not there spends as much.
    const none = { serverUuid: randomUUID() };
    for (let each = 0; each < 9; each++)
      expect((await two.browser('POST', '/api/oauth/initiate', none)).status).toBe(404);
    expect((await two.initiate()).status).toBe(429);

    const callback = '/api/oauth/callback?state=a&code=b';
    for (let each = 0; each < 10; each++) expect((await one.browser('GET', callback)).status).toBe(302);
    const late = await one.browser('GET', callback);
    expect([late.status, late.body, late.headers.get('cache-control'), late.headers.get('referrer-policy')]).toEqual([
      429,
      limited,
      'no-store',
      'no-referrer',
    ]);
    expect((await two.browser('GET', callback)).status).toBe(302);

    const refreshes = await Promise.all(Array.from({ length: 61 }, () => one.refresh()));
    expect(refreshes.map(({ status }) => status).toSorted()).toEqual([...Array(60).fill(400), 429]);
    expect(refreshes.find(({ status }) => status === 429)?.body).toEqual(limited);

    expect((await clean(counting, secret)).status).toBe(200);
    const again = await clean(counting, secret);
    expect([again.status, again.body]).toEqual([429, limited]);
  });

  it('wrong secrets do not use up the cleanup of the scheduler', async () => {
    const counting = await startOauthServer({ RATE_LIMITS: '{}', CRON_SECRET: secret });
    for (let each = 0; each < 5; each++) expect((await clean(counting, 'wrong')).status).toBe(401);
    expect((await clean(counting, 'wrong')).status).toBe(429);
    expect((await clean(counting, secret)).status).toBe(200);
  });
});
