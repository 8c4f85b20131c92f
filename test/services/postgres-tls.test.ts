import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { selfSignedCertificate } from '../support/certificate.ts';
import { cleanUp } from '../support/cleanup.ts';
import { patientTimeouts } from '../support/database.ts';
import { eventually } from '../support/deadline.ts';
import { callerOf } from '../support/server.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { startProducts } from './products.ts';

let postgres: PostgresServer;
/** Of a file with the certificate of the server. */
let certificatePath: string;

beforeAll(async () => {
  const certificate = selfSignedCertificate('localhost');
  certificatePath = path.join(tmpdir(), `patchbay-postgres-tls-${process.pid}.crt`);
  await writeFile(certificatePath, certificate.cert);
  cleanUp(() => rm(certificatePath));
  postgres = await startPostgresServer({ certificate });
  cleanUp(() => postgres.close());
});

/** Makes a database. @returns Its URL by the name in the certificate. */
async function urlOf(name: string, parameters: Record<string, string>): Promise<string> {
  const url = new URL(await postgres.createDatabase(name));
  url.hostname = 'localhost';
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  return url.href;
}

const verified = () => ({ sslmode: 'verify-full', sslrootcert: certificatePath });

function opened(url: string): Database {
  const database = createDatabase({ url, log: createLogger('silent'), timeouts: patientTimeouts });
  cleanUp(() => database.close());
  return database;
}

describe('a PostgreSQL over TLS', () => {
  it('carries all connections, with statements of any size, side by side', async () => {
    const database = opened(await urlOf('sizes', verified()));
    const digest = (text: string) => createHash('md5').update(text).digest('hex');
    const texts = [10, 131_072, 131_073, 3_000_000, 700_000, 13_000_000].map((length, at) => `${at}`.repeat(length));
    const hashed = { name: 'hashed', text: 'SELECT md5($1::text) AS digest' };
    const all = (query: Database['query']) =>
      Promise.all(
        texts.map(async (text) => (await query<{ digest: string }>({ ...hashed, values: [text] }))[0]?.digest),
      );
    const expected = texts.map(digest);
    expect(await all(database.query)).toEqual(expected);
    expect(await database.transaction((tx) => all(tx.query))).toEqual(expected);
    await eventually('reads have connections of their own', async () => {
      await Promise.all([database.read({ text: 'SELECT 1' }), database.read({ text: 'SELECT 1' })]);
      const [found] = await database.query<{ count: number }>({
        text: `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'patchbay-reads'`,
      });
      return found?.count === 2;
    });
    expect(await all(database.read)).toEqual(expected);
    expect(await database.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    const connections = await database.query<{ ssl: boolean }>({
      text: `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'patchbay%'`,
    });
    expect(connections.length).toBeGreaterThanOrEqual(4);
    expect(new Set(connections.map(({ ssl }) => ssl))).toEqual(new Set([true]));
  });

  it('leaves others turns of the event loop while a large statement is sent', async () => {
    const database = opened(await urlOf('turns', verified()));
    await database.query({ text: 'SELECT 1' });
    let turns = 0;
    let isSent = false;
    const turn = () => {
      turns += 1;
      if (!isSent) setImmediate(turn);
    };
    setImmediate(turn);
    await database.query({ text: 'SELECT length($1::text)', values: ['x'.repeat(4_000_000)] });
    isSent = true;
    // 31 pieces.
    expect(turns).toBeGreaterThanOrEqual(30);
  });

  it('fails a large statement whose connection is lost, and the next one succeeds', async () => {
    const database = opened(await urlOf('lost', verified()));
    await database.query({ text: 'SELECT 1' });
    const end = () =>
      postgres.administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'lost' AND application_name = 'patchbay'`,
      );
    const sent = expect(
      database.query({ text: 'SELECT length($1::text), pg_sleep(60)', values: ['x'.repeat(20_000_000)] }),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await end();
    await sent;
    expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  });

  it.each([
    ['with a certificate that no authority has signed', { sslmode: 'require' }],
    ['that cannot be verified', { sslmode: 'verify-full' }],
  ])('is refused %s', async (name, parameters) => {
    const database = opened(await urlOf(`refused_${name.length}`, parameters as Record<string, string>));
    await expect(database.ping()).rejects.toThrow(/certificate/);
  });

  it('serves the product', async () => {
    const [product] = await startProducts(1, { DATABASE_URL: await urlOf('product', verified()) });
    if (!product) throw new Error('no product');
    const call = callerOf(product, product.demoKey());
    const value = '\u00e4'.repeat(1_000_000);
    expect((await call('POST', '/api/clipboard', { name: 'large', value })).status).toBe(200);
    expect((await call('GET', '/api/clipboard?name=large')).body.entry.value).toBe(value);
    const states = await postgres.administer(
      `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = 'product'`,
    );
    expect(states).toEqual([{ ssl: true }]);
  });
});
