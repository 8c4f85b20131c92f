import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { openEventStream } from '../support/event-stream.ts';
import { endOfProduct, newDataDir, type Product, removeDataDir } from '../support/product.ts';
import { type Answer, type Call, callerOf, graphqlOf } from '../support/server.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { withheldMs } from '../support/withheld-time.ts';
import { freePort } from './free-port.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { countByStatus, startAsking, startClock, startProducts } from './products.ts';

const path = '/api/clipboard';

let postgres: PostgresServer;
/** The product's database without the proxy in between. */
let direct: string;
let proxy: TcpProxy;
let product: Product;
let key: string;
let call: Call;

beforeAll(async () => {
  postgres = await startPostgresServer();
  cleanUp(() => postgres.close());
  direct = await postgres.createDatabase('patchbay');
  proxy = await createTcpProxy(direct);
  cleanUp(() => proxy.close());
  [product] = (await startProducts(1, { DATABASE_URL: proxy.url })) as [Product];
  key = product.demoKey();
  call = callerOf(product, key);
});

describe('an external PostgreSQL 15', () => {
  it('is what the product runs on: the oldest version that it promises', () => {
    expect(postgres.version).toMatch(/^15\./);
  });

  it('serves REST: entries, and the stack strictly last in, first out', async () => {
    expect((await call('POST', path, { name: 'n', value: 'v', ttlSeconds: 60 })).body.entry.value).toBe('v');
    expect((await call('GET', `${path}?name=n`)).body.entry).toMatchObject({ name: 'n', value: 'v', sizeBytes: 1 });
    for (const value of ['a', 'b', 'c']) expect((await call('POST', `${path}/push`, { value })).body.entry.idx).toBe(0);
    expect((await call('POST', `${path}/get`, { idx: 2 })).body.entry.value).toBe('a');
    const popped: string[] = [];
    for (let i = 0; i < 3; i++) popped.push((await call('DELETE', `${path}/pop`)).body.entry.value);
    expect(popped).toEqual(['c', 'b', 'a']);
    expect((await call('DELETE', `${path}/pop`)).status).toBe(404);
  });

  it('serves sixteen clients who push and pop at once: no entry twice, none lost, no false "not found"', async () => {
    const values = Array.from({ length: 160 }, (_, i) => `p${i}`);
    await Promise.all(values.map((value) => call('POST', `${path}/push`, { value })));
    const pops = await Promise.all(values.map(() => call('DELETE', `${path}/pop`)));
    expect(countByStatus(pops)).toEqual({ 200: values.length });
    expect(pops.map(({ body }) => body.entry.value).sort()).toEqual(values.sort());
  });

  it('compiles no plan in a pop, although what its function switches off makes the plan look dear', async () => {
    expect(await postgres.administer('SELECT pg_jit_available() AS available')).toEqual([{ available: true }]);
    const times: number[] = [];
    for (let i = 0; i < 11; i++) {
      const begun = performance.now();
      await call('DELETE', `${path}/pop`);
      times.push(performance.now() - begun);
    }
    // A compiled one takes 200 ms and more, and each call compiles its own.
    expect(times.sort((a, b) => a - b)[5]).toBeLessThan(100);
  });

  it('serves GraphQL: queries, mutations and a subscription', async () => {
    const graphql = graphqlOf(product, key);
    const watch = 'subscription { clipboardChanged { kind entry { value } } }';
    const stream = await openEventStream(product.base, watch, { Authorization: `Bearer ${key}` });
    onTestFinished(() => stream.close());
    await graphql('mutation { clipboardPush(input: { value: "g" }) { entry { idx } } }');
    expect((await stream.next())?.data.data.clipboardChanged).toEqual({ kind: 'PUSHED', entry: { value: 'g' } });
    const { data } = await graphql('{ clipboardEntries(first: 5) { totalCount nodes { value idx } } }');
    expect(data.clipboardEntries.nodes[0]).toEqual({ value: 'g', idx: 0 });
  });

  it('keeps identity: sign-up, sign-in, and a second profile’s key', async () => {
    const person = { email: 'p@example.com', username: 'external-person', password: 'correct horse battery' };
    const signedUp = await callerOf(product, null)('POST', '/api/auth/sign-up', person);
    expect(signedUp.status).toBe(200);
    const cookie = { Cookie: String(signedUp.headers.get('set-cookie')).split(';')[0] as string };
    const created = await callerOf(product, null)('POST', '/api/api-keys', { name: 'k' }, cookie);
    expect(created.status).toBe(200);
    expect((await callerOf(product, created.body.secret)('GET', path)).body.total).toBe(0);
  });
});

describe('two products that start at once on an empty database', () => {
  it(
    'I10: migrate it once, both serve, and one of them makes the demo account',
    verifies('platform.migrations'),
    async () => {
      for (let round = 0; round < 2; round++) {
        const name = `twins${round}`;
        const url = await postgres.createDatabase(name);
        const twins = await startProducts(2, { DATABASE_URL: url });
        const migrations = (await postgres.administer(
          'SELECT migration_name, count(*)::int AS times FROM _prisma_migrations GROUP BY 1',
          name,
        )) as { times: number }[];
        expect(migrations.length).toBeGreaterThan(0);
        for (const { times } of migrations) expect(times).toBe(1);
        expect(await postgres.administer('SELECT username FROM users', name)).toHaveLength(1);
        const keys = twins.flatMap((twin) => {
          try {
            return [twin.demoKey()];
          } catch {
            return [];
          }
        });
        expect(keys).toHaveLength(1);
        for (const twin of twins) expect((await callerOf(twin, keys[0] as string)('GET', path)).status).toBe(200);
        for (const twin of twins) expect(await twin.terminate()).toBe(0);
      }
    },
  );
});

describe('I01: a start', () => {
  async function failedStart(url: string): Promise<{ code: number | null; stderr: string; milliseconds: number }> {
    const dataDir = await newDataDir();
    onTestFinished(() => removeDataDir(dataDir));
    const elapsedMs = startStopwatch();
    // The system forgets what it withheld from a process once that has ended.
    let withheld = 0;
    const ended = await endOfProduct(dataDir, { DATABASE_URL: url }, ({ pid }) => {
      const timer = setInterval(() => {
        withheld = Math.max(withheld, withheldMs([Number(pid)]));
      }, 50);
      onTestFinished(() => clearInterval(timer));
    });
    return { ...ended, milliseconds: elapsedMs() - withheld };
  }

  it.each([
    ['without a listener', async () => `postgres://x:canary@127.0.0.1:${await freePort()}/x`],
    ['on a host that does not exist', async () => 'postgres://x:canary@nowhere.invalid/x'],
    ['on a database that does not exist', async () => new URL('/nothing', await postgres.createDatabase('bare')).href],
    [
      'on a server that hangs',
      async () => {
        const hanging = await createTcpProxy(proxy.url);
        onTestFinished(() => hanging.close());
        hanging.stall();
        return hanging.url;
      },
    ],
  ])('I01: %s ends with exit code 1 and one clear sentence without the password', async (_where, url) => {
    const { code, stderr, milliseconds } = await failedStart(await url());
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/database/i);
    expect(stderr).not.toContain('canary');
    expect(milliseconds).toBeLessThan(15_000);
  });
});

interface Fault {
  readonly name: string;
  harm(): Promise<unknown> | unknown;
  mend(): Promise<unknown> | unknown;
}

/** Takes every connection that an ordinary user may have. @returns Gives them back. */
async function eatConnections(url: string): Promise<() => Promise<unknown>> {
  const eaters: Client[] = [];
  for (;;) {
    const eater = new Client({ connectionString: url });
    eater.on('error', () => undefined);
    try {
      await eater.connect();
    } catch (error) {
      expect((error as { code?: string }).code).toBe('53300');
      return () => Promise.all(eaters.map((each) => each.end()));
    }
    eaters.push(eater);
  }
}

let giveBack: () => Promise<unknown> = async () => undefined;

const faults: Fault[] = [
  { name: 'killed', harm: () => postgres.kill(), mend: () => postgres.start() },
  { name: 'hanging (SIGSTOP)', harm: () => postgres.pause(), mend: () => postgres.resume() },
  { name: 'slow, 10 s', harm: () => proxy.slow(10_000), mend: () => proxy.restore() },
  { name: 'cut off', harm: () => proxy.cut(), mend: () => proxy.restore() },
  {
    name: 'out of connections',
    harm: async () => {
      // The product's own are taken while it cannot take them back.
      await proxy.cut();
      giveBack = await eatConnections(direct);
      await proxy.restore();
    },
    mend: () => giveBack(),
  },
];

/** The shapes in which the groups of routes say that the database is away. */
const probes: readonly [name: string, ask: (calls: { call: Call; nobody: Call }) => Promise<Answer>, body: object][] = [
  ['a read', ({ call: ask }) => ask('GET', `${path}?name=n`), { success: false, error: expect.any(String) }],
  ['a list', ({ call: ask }) => ask('GET', path), { success: false, error: expect.any(String) }],
  [
    'a write',
    ({ call: ask }) => ask('POST', `${path}/push`, { value: 'v' }),
    { success: false, error: expect.any(String) },
  ],
  ['a pop', ({ call: ask }) => ask('DELETE', `${path}/pop`), { success: false, error: expect.any(String) }],
  ['a route of the general shape', ({ call: ask }) => ask('GET', '/api/profiles'), { error: { code: 'UNAVAILABLE' } }],
  [
    'a sign-in',
    ({ nobody }) => nobody('POST', '/api/auth/sign-in', { username: 'demo-user', password: 'wrong password' }),
    { error: { code: 'UNAVAILABLE' } },
  ],
];

describe('I01: a product whose PostgreSQL is', () => {
  it.each(faults)(
    'I01: $name: 503 in the route’s shape in under 2 s, never a false 401, live but not ready, and well within 5 s of its return',
    verifies('everywhere.unavailable', 'platform.health'),
    async ({ harm, mend }) => {
      const nobody = callerOf(product, null);
      let isMended = false;
      const mended = async () => {
        if (!isMended) await mend();
        isMended = true;
      };
      onTestFinished(async () => {
        await mended();
        await eventually('ready', async () => (await nobody('GET', '/readyz')).status === 200);
      });
      // More clients than connections, so that some wait for a connection while others wait for an answer.
      const clients = Array.from({ length: 24 }, () => product);
      const load = startAsking(clients, key, (ask) => ask('POST', path, { name: 'load', value: 'v' }));
      onTestFinished(async () => {
        await load.stop();
      });
      await eventually('the load is on', () => load.answers.length >= 100);
      await harm();
      await eventually(
        'the load is answered 503',
        () => load.answers.filter(({ status }) => status === 503).length > 24,
      );

      const clock = startClock(product);
      const asked = await Promise.all(
        probes.map(async ([name, ask, body]) => {
          const begun = clock();
          const answer = await ask({ call, nobody });
          return { name, body, answer, milliseconds: clock() - begun };
        }),
      );
      for (const { name, body, answer, milliseconds } of asked) {
        expect([name, answer.status]).toEqual([name, 503]);
        expect(answer.body, name).toMatchObject(body);
        expect(Number(answer.headers.get('Retry-After')), name).toBeGreaterThanOrEqual(1);
        expect(milliseconds, name).toBeLessThan(2_000);
      }
      const [graph, live] = await Promise.all([
        graphqlOf(product, key)('{ clipboardEntries { totalCount } }'),
        nobody('GET', '/healthz'),
      ]);
      expect(graph.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
      expect(live.status).toBe(200);
      // An answer of /readyz is shared for half a second.
      await delay(500);
      expect((await nobody('GET', '/readyz')).status).toBe(503);
      // A key that cannot be one needs no database to be refused.
      expect((await callerOf(product, 'pbk_wrong')('GET', path)).status).toBe(401);

      await mended();
      const mendedAt = clock();
      await eventually('the first success', async () => (await call('GET', path)).status === 200);
      expect(clock() - mendedAt).toBeLessThan(5_000);
      await eventually('ready', async () => (await nobody('GET', '/readyz')).status === 200);
      const answers = await load.stop();
      expect(Object.keys(countByStatus(answers)).sort()).toEqual(['200', '503']);
      expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(2_000);
      expect(product.child.exitCode).toBeNull();
    },
  );

  it('I01: read-only: writes are 503 in the route’s shape, reads go on, and writes succeed again without a restart', async () => {
    const set = () => call('POST', path, { name: 'n', value: 'v' });
    expect((await set()).status).toBe(200);
    const writable = async (isWritable: boolean) => {
      await postgres.administer(`ALTER SYSTEM SET default_transaction_read_only = ${isWritable ? 'off' : 'on'}`);
      await postgres.administer('SELECT pg_reload_conf()');
    };
    onTestFinished(() => writable(true));
    await writable(false);
    await eventually('writes are refused', async () => (await set()).status === 503);
    for (const [method, url, body] of [
      ['POST', path, { name: 'n', value: 'v' }],
      ['POST', `${path}/push`, { value: 'v' }],
      ['DELETE', `${path}/pop`, undefined],
      ['DELETE', `${path}/all`, undefined],
    ] as const) {
      const answer = await call(method, url, body);
      expect([url, answer.status]).toEqual([url, 503]);
      expect(answer.body).toEqual({ success: false, error: expect.any(String), retryAfter: expect.any(Number) });
      expect(answer.text).not.toMatch(/read-only|transaction|postgres/i);
    }
    const created = await call('POST', '/api/api-keys', { name: 'k' });
    expect([created.status, created.body.error?.code]).toEqual([503, 'UNAVAILABLE']);
    expect((await call('GET', `${path}?name=n`)).status).toBe(200);
    await writable(true);
    await eventually('writes succeed', async () => (await set()).status === 200);
  });
});
