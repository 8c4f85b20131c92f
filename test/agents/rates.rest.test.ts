import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/platform/caller.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { keyOf, signUp } from '../support/services.ts';

const server = await startTestServer({
  // So slow that no point comes back while a test runs.
  RATE_LIMITS: JSON.stringify({ '*': 'off', 'agents.free': '60/5h+3', 'agents.pro': '300/5h+5', general: '100/1m' }),
});

const administrator = async (): Promise<Caller> => {
  const { principal, address } = await signUp(server.services);
  return { principal: principal && { ...principal, isAdmin: true }, address };
};

const shown = ({ headers }: { headers: Headers }) =>
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining'].map((name) => Number(headers.get(name)));

describe('the rate limit of agents', () => {
  it('E10: has the limit of the tier and the points that are left in its headers, and ends with the agents’ 429', async () => {
    const { call } = await tenantOf(server);
    const answers = [];
    for (let each = 0; each < 4; each++) answers.push(await call('GET', '/api/agents'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(shown)).toEqual([
      [60, 2],
      [60, 1],
      [60, 0],
      [60, 0],
    ]);
    const refused = answers[3];
    expect(refused?.body).toMatchObject({ error: 'Rate limit exceeded' });
    // One point comes back in 300 seconds, and three fill the bucket.
    const retryAfter = Number(refused?.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(100);
    expect(retryAfter).toBeLessThanOrEqual(300);
    const now = (performance.timeOrigin + performance.now()) / 1_000;
    const reset = Number(refused?.headers.get('X-RateLimit-Reset'));
    expect(reset - now).toBeGreaterThan(700);
    expect(reset - now).toBeLessThanOrEqual(901);
    // Before its body is read, too.
    expect((await call('POST', '/api/agents', '{')).status).toBe(429);
  });

  it('E10: is one for all keys of a project and for both APIs, and another for another project', async () => {
    const { user, call, graphql } = await tenantOf(server);
    const second = callerOf(server, (await keyOf(server.services, user)).secret);
    expect(shown(await call('GET', '/api/agents'))).toEqual([60, 2]);
    expect(shown(await second('GET', '/api/agents'))).toEqual([60, 1]);
    expect((await graphql('{ agents { totalCount } }')).errors).toBeUndefined();
    expect((await second('GET', '/api/agents')).status).toBe(429);
    expect((await graphql('{ agents { totalCount } }')).errors).toMatchObject([
      { extensions: { code: 'RATE_LIMITED' } },
    ]);
    expect((await (await tenantOf(server)).call('GET', '/api/agents')).status).toBe(200);
  });

  it('is that of the new tier with the next request after an administrator has changed it', async () => {
    const { call, caller } = await tenantOf(server);
    for (let each = 0; each < 4; each++) await call('GET', '/api/agents');
    expect((await call('GET', '/api/agents')).status).toBe(429);
    const projectUuid = String(caller.principal?.projectUuid);
    await server.services.auth.administration.setTier(await administrator(), { projectUuid, tier: 'pro' });
    const answer = await call('GET', '/api/agents');
    expect(answer.status).toBe(200);
    expect(shown(answer)).toEqual([300, 4]);
  });

  it('is not spent by other requests, and callers without a key spend the class general', async () => {
    const { call } = await tenantOf(server);
    expect(shown(await call('GET', '/api/agents'))).toEqual([60, 2]);
    await call('GET', '/api/notifications');
    expect(shown(await call('GET', '/api/agents'))).toEqual([60, 1]);
    const answer = await callerOf(server, null)('GET', '/api/agents');
    expect(answer.status).toBe(401);
    expect(shown(answer)[0]).toBe(100);
  });
});
