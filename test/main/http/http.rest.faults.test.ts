import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { databaseTimeouts } from '../../../src/platform/database/database.ts';
import { verifies } from '../../requirements.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { expectApiError, type HttpStage, itAnswersWithoutSecrets, startHttpStage } from '../../support/http-stage.ts';
import type { Call, TestServer } from '../../support/server.ts';
import { startStopwatch } from '../../support/stopwatch.ts';
import { createTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

let http: HttpStage;
let broken: TestServer;
let proxy: TcpProxy;
let databaseUrl: string;
let shared: Call;

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  proxy = await createTcpProxy(databaseUrl);
  http = await startHttpStage(proxy.url, { databaseTimeouts });
  ({ server: broken, call: shared } = http);
});

afterAll(() => proxy.close());

describe('a database that is away (I01), or breaks', () => {
  /** The response of each API while the database is away, and the time of the slowest. */
  async function expectUnavailable(): Promise<number> {
    const elapsedMs = startStopwatch();
    const [clipboard, general, graph, ready, alive] = await Promise.all([
      shared('GET', '/api/clipboard'),
      shared('GET', '/api/projects'),
      shared('POST', '/graphql', { query: '{ clipboardEntries { totalCount } }' }),
      shared('GET', '/readyz'),
      shared('GET', '/healthz'),
    ]);
    const milliseconds = elapsedMs();
    expectApiError(clipboard, 503, '/api/clipboard');
    expect(clipboard.body.retryAfter).toBeGreaterThan(0);
    expect(clipboard.headers.get('retry-after')).toBe(String(clipboard.body.retryAfter));
    expectApiError(general, 503, '/api/projects');
    expect(general.body.error.code).toBe('UNAVAILABLE');
    expect(graph.status).toBe(503);
    expect(graph.body.errors[0].extensions.code).toBe('UNAVAILABLE');
    expect([ready.status, alive.status]).toEqual([503, 200]);
    return milliseconds;
  }

  const expectHealed = () =>
    eventually('it serves again', async () => (await shared('GET', '/api/clipboard')).status === 200);

  it(
    'is 503 in every shape within two seconds, and heals by itself',
    verifies('everywhere.unavailable', 'platform.health'),
    async () => {
      await proxy.cut();
      try {
        expect(await expectUnavailable()).toBeLessThan(2_000);
        expect(await expectUnavailable()).toBeLessThan(2_000);
      } finally {
        await proxy.restore();
      }
      await expectHealed();
    },
  );

  it('and says nothing at all is 503 within two seconds too', verifies('everywhere.unavailable'), async () => {
    proxy.stall();
    let milliseconds = Number.POSITIVE_INFINITY;
    try {
      milliseconds = await within('an answer while the database is silent', patienceMs, expectUnavailable());
    } finally {
      await proxy.restore();
    }
    expect(milliseconds).toBeLessThan(2_000);
    await expectHealed();
  });

  it(
    'and takes no connections, by order of its administrator, is 503',
    verifies('everywhere.unavailable'),
    async () => {
      const database = new URL(databaseUrl).pathname.slice(1);
      const admin = new Client({ connectionString: inject('postgresUrl') });
      await admin.connect();
      try {
        await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
        await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
        expect(await expectUnavailable()).toBeLessThan(2_000);
      } finally {
        await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
        await admin.end();
      }
      await expectHealed();
    },
  );

  it(
    'that fails in the middle of an operation is 500 with an id, and not a word of its text (F02)',
    verifies('graph.masked-errors', 'everywhere.never-html'),
    async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      await client.query('ALTER TABLE clipboard_entries RENAME TO hidden_canary');
      await client.end();
      const rest = await shared('POST', '/api/clipboard/get', { name: 'canary-name' });
      expectApiError(rest, 500, '/api/clipboard/get');
      expect(rest.body).toEqual({ success: false, error: 'Internal server error' });
      const graph = await shared(
        'POST',
        '/graphql',
        { query: '{ clipboardEntry(by: { name: "canary-name" }) { uuid } }' },
        { 'X-Request-Id': 'fault-1' },
      );
      expect(graph.body.errors).toEqual([
        {
          message: 'Internal server error',
          path: ['clipboardEntry'],
          locations: expect.anything(),
          extensions: { code: 'SERVER_ERROR', requestId: 'fault-1' },
        },
      ]);
      const text = rest.text + graph.text;
      for (const word of ['clipboard_entries', 'relation', 'SELECT', '42P01', 'postgres', ' at '])
        expect(text).not.toContain(word);
      // The log tells what it was, by the id, without what was asked.
      const line = await eventually('the log line', () =>
        broken.logged.find((each) => each.includes('fault-1') && each.includes('clipboard_entries')),
      );
      expect(line).not.toContain('canary-name');
    },
  );
});

itAnswersWithoutSecrets(() => http);
