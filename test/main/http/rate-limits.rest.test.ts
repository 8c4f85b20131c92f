import { describe, expect, it } from 'vitest';
import { callerOf, graphqlOf, startTestServer, tenantOf } from '../../support/server.ts';

const limits = (overrides: Record<string, string>) => ({ RATE_LIMITS: JSON.stringify({ '*': 'off', ...overrides }) });
const server = await startTestServer(
  limits({ 'clipboard.write': '5/1m', 'clipboard.read': '100/1m', authentication: '5/15m' }),
);

describe('rate limits', () => {
  it('E04: every limited answer carries Limit, Remaining and Reset in Unix seconds, and Remaining is never negative', async () => {
    const { call } = await tenantOf(server);
    const remaining: number[] = [];
    for (let push = 0; push < 7; push++) {
      const { headers } = await call('POST', '/api/clipboard/push', { value: 'v' });
      expect(headers.get('X-RateLimit-Limit')).toBe('5');
      const seconds = Number(headers.get('X-RateLimit-Reset'));
      const now = (performance.timeOrigin + performance.now()) / 1_000;
      expect(seconds - now).toBeGreaterThan(-1);
      expect(seconds - now).toBeLessThan(180);
      remaining.push(Number(headers.get('X-RateLimit-Remaining')));
    }
    expect(remaining).toEqual([4, 3, 2, 1, 0, 0, 0]);
  });

  it('E04: over the limit is 429 in the shape of the group, with retryAfter and Retry-After of at least 1, and does nothing', async () => {
    const { call } = await tenantOf(server);
    for (let push = 0; push < 5; push++) await call('POST', '/api/clipboard/push', { value: 'v' });
    const { status, headers, body } = await call('POST', '/api/clipboard/push', { value: 'too many' });
    expect(status).toBe(429);
    expect(body).toEqual({ success: false, error: 'Rate limit exceeded', retryAfter: expect.any(Number) });
    expect(Number.isInteger(body.retryAfter) && body.retryAfter >= 1).toBe(true);
    expect(headers.get('Retry-After')).toBe(String(body.retryAfter));
    expect((await call('GET', '/api/clipboard')).body.total).toBe(5);
  });

  it('E03: each key has its own budget, and each class its own counter', async () => {
    const one = await tenantOf(server);
    const other = await tenantOf(server);
    for (let push = 0; push < 6; push++) await one.call('POST', '/api/clipboard/push', { value: 'v' });
    expect((await one.call('POST', '/api/clipboard/push', { value: 'v' })).status).toBe(429);
    expect((await one.call('GET', '/api/clipboard')).status).toBe(200);
    expect((await other.call('POST', '/api/clipboard/push', { value: 'v' })).status).toBe(200);
  });

  it('E07: aliases and fragments are counted one by one, before any of them runs, on the budget that REST spends too', async () => {
    const { graphql, call } = await tenantOf(server);
    const push = (alias: string) => `${alias}: clipboardPush(input: { value: "v" }) { entry { idx } }`;
    const refused = await graphql(
      `mutation { ${['a', 'b', 'c'].map(push).join(' ')} ...F } fragment F on Mutation { ${push('d')} ${push('e')} ${push('f')} }`,
    );
    expect(refused.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }]);
    expect(refused.data ?? null).toBeNull();
    expect((await call('GET', '/api/clipboard')).body.total).toBe(0);

    const fresh = await tenantOf(server);
    expect((await fresh.graphql(`mutation { ${['a', 'b', 'c'].map(push).join(' ')} }`)).errors).toBeUndefined();
    const { headers } = await fresh.call('POST', '/api/clipboard/push', { value: 'v' });
    expect(headers.get('X-RateLimit-Remaining')).toBe('1');
  });

  it('E09: calls without credentials and to unknown paths are counted against their address, also before any work', async () => {
    const strict = await startTestServer(limits({ general: '3/1m' }));
    const nobody = callerOf(strict, null);
    // What the start asked.
    strict.statements.length = 0;
    const statuses: number[] = [];
    for (const path of ['/api/clipboard', '/nothing', '/api/nothing', '/api/clipboard', '/nothing'])
      statuses.push((await nobody('GET', path)).status);
    expect(statuses).toEqual([401, 404, 404, 429, 429]);
    expect(strict.statements).toEqual([]);
    // A caller with a key counts as another caller.
    expect((await (await tenantOf(strict)).call('GET', '/api/clipboard')).status).toBe(200);
  });

  it('B08: wrong keys are counted against their address, and right ones from there still work', async () => {
    const { call } = await tenantOf(server);
    const wrong = callerOf(server, `pbk_${'a'.repeat(49)}`);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) statuses.push((await wrong('GET', '/api/clipboard')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await call('GET', '/api/clipboard')).status).toBe(200);
    const answer = await graphqlOf(server, `pbk_${'b'.repeat(49)}`)('{ __typename }');
    expect(answer.errors[0].extensions.code).toBe('RATE_LIMITED');
  });

  it('B08: guesses at a password count against the address, whatever key comes along', async () => {
    const guesses = await startTestServer(limits({ authentication: '5/15m' }));
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++) {
      const { call } = await tenantOf(guesses);
      statuses.push(
        (await call('POST', '/api/auth/sign-in', { username: 'nobody-here', password: 'wrong password' })).status,
      );
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('wrong input costs as much as right input, and nothing of its operation runs', async () => {
    const { call } = await tenantOf(server);
    const push = (body: unknown, headers = {}) => call('POST', '/api/clipboard/push', body, headers);
    await push({ value: 'v' });
    server.statements.length = 0;
    const wrong = { value: 7, encoding: 'UTF_8', ttlSeconds: 0 };
    const answers = [
      await push(wrong),
      await push({ value: 'v', ttlSeconds: 0 }),
      await push(wrong, { 'Idempotency-Key': 'k' }),
      await push({}),
      await push(wrong),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 429]);
    expect(answers.map(({ headers }) => headers.get('X-RateLimit-Remaining'))).toEqual(['3', '2', '1', '0', '0']);
    expect(answers[0]?.body.details).toEqual({
      value: 'value must be a string',
      encoding: 'encoding must be one of: utf-8, base64, hex',
      ttlSeconds: 'ttlSeconds must be an integer from 1 to 2592000',
    });
    // Authentication reads the key; nothing else reads or writes.
    expect(server.statements.filter((text) => !text.includes('FROM api_keys'))).toEqual([]);
  });

  it('I08: broken bodies are counted too', async () => {
    const strict = await startTestServer(limits({ general: '3/1m' }));
    const { call } = await tenantOf(strict);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) statuses.push((await call('POST', '/api/clipboard/get', '{')).status);
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
  });
});
