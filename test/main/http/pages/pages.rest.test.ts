import { describe, expect, it } from 'vitest';
import { pageAges } from '../../../../src/main/http/pages/page-ages.ts';
import { verifies } from '../../../requirements.ts';
import { rawRequest } from '../../../support/raw-http.ts';
import { startTestServer, type TestServer, tenantOf } from '../../../support/server.ts';

const server = await startTestServer();

/** Fetch would unpack the body. */
const get = ({ base }: TestServer, path: string, headers: Record<string, string> = {}) =>
  rawRequest(base, { method: 'GET', path, headers });
const html = { Accept: 'text/html' };
const fixed: (readonly [path: string, headers: Record<string, string>])[] = [
  ['/graphql', html],
  ['/openapi.json', {}],
  ['/oauth/client-metadata.json', {}],
  ['/docs/api', {}],
  ['/docs/api/start.js', {}],
  ['/docs/api/swagger-ui.css', {}],
  ['/docs/api/swagger-ui-bundle.js', {}],
  ['/docs/api/favicon-32x32.png', {}],
  ['/favicon.svg', {}],
];

describe('pages (J11)', () => {
  it.each(fixed)(
    '%s comes packed as the client likes it, with an ETag',
    verifies('platform.pages'),
    async (path, headers) => {
      const sizeOf = async (accepted: string) => {
        const { status, headers: answered } = await get(server, path, { ...headers, 'Accept-Encoding': accepted });
        expect([status, answered.vary]).toEqual([200, expect.stringContaining('Accept-Encoding')]);
        return [answered['content-encoding'], Number(answered['content-length']), answered.etag] as const;
      };
      const [plain, ...packed] = [await sizeOf('identity'), await sizeOf('gzip'), await sizeOf('gzip, br')];
      expect(plain[0]).toBeUndefined();
      expect(packed.map(([encoding]) => encoding)).toEqual(['gzip', 'br']);
      if (plain[1] > 5_000) for (const [, bytes] of packed) expect(bytes).toBeLessThan(plain[1] / 2);
      expect(new Set([plain, ...packed].map(([, , etag]) => etag)).size).toBe(3);
    },
  );

  it('unpacks to the same text', verifies('platform.pages'), async () => {
    const textIn = async (accepted: string) => {
      const response = await fetch(`${server.base}/openapi.json`, { headers: { 'Accept-Encoding': accepted } });
      return response.text();
    };
    expect(new Set([await textIn('identity'), await textIn('gzip'), await textIn('br')]).size).toBe(1);
  });

  it(
    'that the client has are 304 and cost nothing; others are 429 with Retry-After over the budget of their address',
    verifies('platform.pages'),
    async () => {
      const limited = await startTestServer({ RATE_LIMITS: JSON.stringify({ '*': 'off', pages: '11/1m' }) });
      for (const [index, [path, headers]] of fixed.entries()) {
        const { headers: answered } = await get(limited, path, headers);
        expect([answered['x-ratelimit-limit'], answered['x-ratelimit-remaining']]).toEqual(['11', String(10 - index)]);
        for (let again = 0; again < 3; again++)
          expect((await get(limited, path, { ...headers, 'If-None-Match': String(answered.etag) })).status).toBe(304);
      }
      expect((await get(limited, '/metrics')).status).toBe(200);
      expect((await get(limited, '/metrics')).status).toBe(200);
      for (const [path, headers] of [...fixed, ['/metrics', {}] as const, ['/dev/mail', {}] as const]) {
        const { status, headers: answered, text } = await get(limited, path, headers);
        const cached = path === '/graphql' || path === '/dev/mail' ? 'no-store' : undefined;
        expect([path, status, answered['cache-control']]).toEqual([path, 429, cached]);
        expect(Number(answered['retry-after'])).toBeGreaterThanOrEqual(1);
        expect(answered.etag).toBeUndefined();
        expect(text).toMatch(/"code":"RATE_LIMITED"/);
      }
      // What watches over the process and what programs call have budgets of their own.
      for (let i = 0; i < 20; i++) expect((await get(limited, '/healthz')).status).toBe(200);
      expect((await get(limited, '/readyz')).status).toBe(200);
      expect((await (await tenantOf(limited)).call('GET', '/api/clipboard')).status).toBe(200);
    },
  );

  it(
    "/metrics and the database's answer to /readyz are made once for all who ask within a moment",
    verifies('platform.pages'),
    async () => {
      expect(pageAges).toEqual({ metrics: 1_000, ready: 500 });
      const shared = await startTestServer({}, undefined, { pageAges: { metrics: 3_600_000, ready: 3_600_000 } });
      const { call } = await tenantOf(shared);
      await get(shared, '/readyz');
      const first = await get(shared, '/metrics');
      await call('GET', '/api/clipboard');
      shared.statements.length = 0;
      const again = await Promise.all([
        ...Array.from({ length: 20 }, () => get(shared, '/metrics', { 'Accept-Encoding': 'gzip' })),
        ...Array.from({ length: 20 }, () => get(shared, '/readyz')),
      ]);
      expect(again.every(({ status }) => status === 200)).toBe(true);
      expect(shared.statements).toEqual([]);
      const plain = await get(shared, '/metrics');
      expect(plain.text).toBe(first.text);
      expect(again[0]?.headers['content-encoding']).toBe('gzip');
    },
  );
});
