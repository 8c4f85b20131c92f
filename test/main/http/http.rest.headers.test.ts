import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '../../../src/main/http/identify.ts';
import { verifies } from '../../requirements.ts';
import { eventually } from '../../support/deadline.ts';
import { type HttpStage, itAnswersWithoutSecrets, startHttpStage } from '../../support/http-stage.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type Call, callerOf, startTestServer, type TestServer } from '../../support/server.ts';

let http: HttpStage;
let server: TestServer;
let call: Call;

beforeAll(async () => {
  http = await startHttpStage();
  ({ server, call } = http);
});

describe('request ids', () => {
  it.each(['/api/clipboard', '/nothing', '/healthz', '/graphql?query={__typename}', '/openapi.json'])(
    'that are fit are echoed and others replaced on %s',
    verifies('everywhere.request-id'),
    async (path) => {
      for (const id of ['a', 'A-Z.0_9', 'x'.repeat(128)])
        expect((await call('GET', path, undefined, { 'X-Request-Id': id })).headers.get('x-request-id')).toBe(id);
      for (const id of ['x'.repeat(129), 'a b', 'a/b', '<script>', 'a,b', 'é'])
        expect((await call('GET', path, undefined, { 'X-Request-Id': id })).headers.get('x-request-id')).toMatch(
          /^[0-9a-f-]{36}$/,
        );
      expect((await call('GET', path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('given twice are replaced', verifies('everywhere.request-id'), async () => {
    const answer = await rawRequest(server.base, {
      method: 'GET',
      path: '/healthz',
      headers: { 'X-Request-Id': ['one', 'two'] },
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('stand in the log line of the request', verifies('everywhere.request-id', 'platform.logs'), async () => {
    await call('GET', '/api/clipboard', undefined, { 'X-Request-Id': 'in-the-log' });
    const line = await eventually('the log line', () => server.logged.find((text) => text.includes('in-the-log')));
    expect(JSON.parse(line)).toMatchObject({
      requestId: 'in-the-log',
      method: 'GET',
      path: '/api/clipboard',
      status: 200,
    });
  });
});

describe('CORS (B12)', () => {
  const origins = ['https://evil.example', 'null', 'http://localhost:3000', 'https://patchbay.example.evil.example'];

  it('never allows credentials, and never repeats an origin', verifies('everywhere.cors'), async () => {
    for (const origin of origins)
      for (const [method, path] of [
        ['GET', '/api/clipboard'],
        ['POST', '/graphql'],
        ['GET', '/nothing'],
        ['OPTIONS', '/api/clipboard'],
        ['OPTIONS', '/graphql'],
        ['OPTIONS', '/api/auth/sign-in'],
        ['GET', '/api/auth/session'],
        ['GET', '/openapi.json'],
      ] as const) {
        const { headers } = await call(method, path, method === 'POST' ? { query: '{__typename}' } : undefined, {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
        });
        expect(headers.get('access-control-allow-credentials'), `${method} ${path}`).toBeNull();
        expect(['*', null], `${method} ${path}`).toContain(headers.get('access-control-allow-origin'));
      }
  });

  it('lets any origin call with a key, and read the headers about rates', verifies('everywhere.cors'), async () => {
    const answer = await call('GET', '/api/clipboard', undefined, { Origin: 'https://app.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    for (const name of [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
    ])
      expect(exposed).toContain(name);
  });

  it('answers a preflight without a body and without asking who it is', verifies('everywhere.cors'), async () => {
    const preflight = {
      Origin: 'https://app.example',
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers': 'authorization,content-type',
    };
    const answer = await callerOf(server, null)('OPTIONS', '/api/clipboard', undefined, preflight);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/Authorization, Content-Type/);
  });

  it('is not there for the routes of the cookie', verifies('everywhere.cors'), async () => {
    for (const [method, path] of [
      ['OPTIONS', '/api/auth/sign-in'],
      ['POST', '/api/auth/sign-in'],
      ['GET', '/api/auth/session'],
      ['OPTIONS', '/api/oauth/initiate'],
    ] as const) {
      const { headers } = await call(method, path, method === 'POST' ? {} : undefined, {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
      });
      for (const name of headers.keys()) expect(name, `${method} ${path}`).not.toMatch(/^access-control-/);
    }
  });
});

describe('TRUST_PROXY', () => {
  /** The address that a request with these headers is taken to come from. */
  async function seen(trustedProxies: number, forwarded: string | string[] | undefined): Promise<string> {
    const probe = createServer((req, res) => res.end(addressOf(req, trustedProxies))).listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    const headers: Record<string, string | string[]> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
    const { text } = await rawRequest(`http://127.0.0.1:${port}`, { method: 'GET', path: '/', headers });
    probe.close();
    return text;
  }

  it('of 0 trusts no entry', verifies('everywhere.proxies'), async () => {
    expect(await seen(0, '203.0.113.9')).toBe('127.0.0.1');
    expect(await seen(0, undefined)).toBe('127.0.0.1');
  });

  it(
    'of n takes the n-th address from the right, so that a client cannot choose its own',
    verifies('everywhere.proxies'),
    async () => {
      expect(await seen(1, '198.51.100.7')).toBe('198.51.100.7');
      expect(await seen(1, '1.1.1.1, 198.51.100.7')).toBe('198.51.100.7');
      expect(await seen(2, '1.1.1.1, 198.51.100.7, 10.0.0.1')).toBe('198.51.100.7');
      expect(await seen(2, ['1.1.1.1', '198.51.100.7, 10.0.0.1'])).toBe('198.51.100.7');
    },
  );

  it('takes an address with a port as the address', async () => {
    expect(await seen(1, '198.51.100.7:50123')).toBe('198.51.100.7');
    expect(await seen(1, '[2001:db8::1]:50123')).toBe('2001:db8::1');
    expect(await seen(1, '[2001:db8::1]')).toBe('2001:db8::1');
    expect(await seen(1, '2001:db8::1')).toBe('2001:db8::1');
    expect(await seen(2, '198.51.100.7:1, 10.0.0.1:2')).toBe('198.51.100.7');
    expect(await seen(0, '198.51.100.7:50123')).toBe('127.0.0.1');
  });

  it.each(['unknown', '_hidden', '', '1.2.3', '1.2.3.4.5', '1.2.3.400', '1.2.3.4:x', '1.2.3.4:123456', '[1.2.3.4]:80'])(
    'takes the next address on our side in place of %j, which is not an address: every invention is the same caller',
    async (entry) => {
      expect(await seen(1, entry)).toBe('127.0.0.1');
      expect(await seen(2, `${entry}, 10.0.0.1`)).toBe('10.0.0.1');
      expect(await seen(2, `198.51.100.7, ${entry}`)).toBe('198.51.100.7');
    },
  );

  it('of 1 counts a client once, whatever port its connection has', async () => {
    const strict = await startTestServer({ TRUST_PROXY: '1', RATE_LIMITS: '{"*": "off", "general": "3/1m"}' });
    const statuses: number[] = [];
    for (const entry of [
      '198.51.100.7:1',
      '198.51.100.7:2',
      '198.51.100.7',
      '198.51.100.7:3',
      '[::ffff:198.51.100.7]:4',
    ])
      statuses.push((await callerOf(strict, null)('GET', '/nothing', undefined, { 'X-Forwarded-For': entry })).status);
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
  });

  it('of more than there are takes the furthest that there is', verifies('everywhere.proxies'), async () => {
    expect(await seen(5, '198.51.100.7')).toBe('198.51.100.7');
    expect(await seen(1, undefined)).toBe('127.0.0.1');
  });
});

itAnswersWithoutSecrets(() => http);
