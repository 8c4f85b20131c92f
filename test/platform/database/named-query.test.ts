import { Client, types } from 'pg';
import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/platform/database/database.ts';
import { instantOf } from '../../../src/platform/database/instants.ts';
import { limitTime, type Statement } from '../../../src/platform/database/statement.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { createTestDatabase, patientTimeouts } from '../../support/database.ts';
import { eventually } from '../../support/deadline.ts';

const url = await createTestDatabase();

/** A connection, and the number of descriptions of rows that its server has sent. */
async function connected({ isPipelined = false } = {}) {
  const client = new Client({ connectionString: url, pipeline: isPipelined } as ConstructorParameters<
    typeof Client
  >[0]);
  limitTime(client, patientTimeouts.responseMs);
  await client.connect();
  cleanUp(() => client.end());
  let descriptions = 0;
  (client as unknown as { connection: NodeJS.EventEmitter }).connection.on('rowDescription', () => {
    descriptions += 1;
  });
  return {
    run: async (statement: Statement) => (await client.query(statement)).rows,
    descriptions: () => descriptions,
  };
}

const row = (n: number): Statement => ({
  name: 'row',
  text: `SELECT $1::int AS n, NULL::text AS none, ARRAY[$1::int] AS list, '2026-11-23 07:10:46.129+00'::timestamptz AS at`,
  values: [n],
});
const shown = (n: number) => ({ n, none: null, list: [n], at: new Date('2026-11-23T07:10:46.129Z') });

describe('a named statement', () => {
  it('is described once for each connection, and its rows stay the same', async () => {
    const { run, descriptions } = await connected();
    for (const n of [1, 2, 3]) expect(await run(row(n))).toEqual([shown(n)]);
    expect(descriptions()).toBe(1);
    const other = await connected();
    expect(await other.run(row(4))).toEqual([shown(4)]);
    expect(other.descriptions()).toBe(1);
  });

  it('gives each run rows of its own', async () => {
    const { run } = await connected();
    const [first, second] = [await run(row(1)), await run(row(1))];
    (first[0] as { list: number[] }).list.push(2);
    expect(second).toEqual([shown(1)]);
    expect(await run(row(1))).toEqual([shown(1)]);
  });

  it('may have no rows, or no columns', async () => {
    const { run } = await connected();
    const none: Statement = { name: 'none', text: 'SELECT 1 AS n WHERE $1', values: [false] };
    const change: Statement = { name: 'change', text: 'INSERT INTO kept VALUES ($1)', values: [1] };
    await run({ text: 'CREATE TEMPORARY TABLE kept (n int)' });
    for (let times = 0; times < 3; times++) expect([await run(none), await run(change)]).toEqual([[], []]);
    expect(await run({ ...none, values: [true] })).toEqual([{ n: 1 }]);
    expect(await run({ text: 'SELECT count(*)::int AS n FROM kept' })).toEqual([{ n: 3 }]);
  });

  it('that fails at one run succeeds at the next, also before it was described', async () => {
    const { run } = await connected();
    const quotient = (by: number): Statement => ({ name: 'quotient', text: 'SELECT 6 / $1::int AS n', values: [by] });
    for (const by of [0, 2, 0, 3]) {
      if (by === 0) await expect(run(quotient(by))).rejects.toMatchObject({ code: '22012' });
      else expect(await run(quotient(by))).toEqual([{ n: 6 / by }]);
    }
  });

  it('is refused by the server when its columns have changed, and never read by the old ones', async () => {
    const { run } = await connected();
    const all: Statement = { name: 'all', text: 'SELECT * FROM changing' };
    await run({ text: 'CREATE TEMPORARY TABLE changing AS SELECT 1 AS a, 2 AS b' });
    for (let times = 0; times < 2; times++) expect(await run(all)).toEqual([{ a: 1, b: 2 }]);
    await run({ text: 'ALTER TABLE changing DROP COLUMN a' });
    await expect(run(all)).rejects.toMatchObject({ message: 'cached plan must not change result type' });
  });

  it('whose columns a migration changes fails once on each connection, and is prepared anew', async () => {
    const database = createDatabase({ url, log: createLogger('silent'), timeouts: patientTimeouts });
    cleanUp(() => database.close());
    const all: Statement = { name: 'all', text: 'SELECT * FROM migrated' };
    const outcomes = {
      query: () => database.query(all),
      read: () => database.read(all),
      transaction: () => database.transaction((tx) => tx.query(all)),
    };
    await database.query({ text: 'CREATE TABLE migrated AS SELECT 1 AS a, 2 AS b' });
    for (let times = 0; times < 3; times++)
      for (const run of Object.values(outcomes)) expect(await run()).toEqual([{ a: 1, b: 2 }]);
    await database.query({ text: 'ALTER TABLE migrated DROP COLUMN a' });
    for (const run of Object.values(outcomes))
      expect(
        await eventually('it is prepared anew', () =>
          run().catch((error: unknown) => {
            expect(error).toMatchObject({ message: 'cached plan must not change result type' });
            return null;
          }),
        ),
      ).toEqual([{ b: 2 }]);
  });

  it('that the server refuses leaves its connection open', async () => {
    const database = createDatabase({ url, log: createLogger('silent'), timeouts: patientTimeouts });
    cleanUp(() => database.close());
    const pid = async () => (await database.query({ name: 'pid', text: 'SELECT pg_backend_pid() AS pid' }))[0];
    const before = await pid();
    await expect(database.query({ text: 'SELECT 1 / 0' })).rejects.toMatchObject({ code: '22012' });
    expect(await pid()).toEqual(before);
  });

  it('keeps its rows apart from those of others in a pipeline', async () => {
    const { run, descriptions } = await connected({ isPipelined: true });
    const other = (n: number): Statement => ({ name: 'other', text: 'SELECT $1::text AS text', values: [`${n}`] });
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const rows = async () => Promise.all(numbers.map((n) => run(n % 3 === 0 ? other(n) : row(n))));
    const expected = numbers.map((n) => [n % 3 === 0 ? { text: `${n}` } : shown(n)]);
    expect(await rows()).toEqual(expected);
    const before = descriptions();
    expect(await rows()).toEqual(expected);
    expect(descriptions()).toBe(before);
  });
});

describe('instants', () => {
  it('are read as PostgreSQL writes them, at any time and in any zone', async () => {
    const { run } = await connected();
    const random = `SELECT t::text AS text, (floor(extract(epoch FROM t) * 1000))::float8 AS ms FROM (
      SELECT '1900-01-01'::timestamptz + random() * interval '300 years' AS t FROM generate_series(1, 2000)
      UNION ALL SELECT date_trunc('milliseconds', '2026-01-01'::timestamptz + i * interval '1.001 ms') FROM generate_series(0, 1200) i
      UNION ALL SELECT unnest('{2024-02-29 23:59:59.999999,0099-01-01,0100-01-01,12026-01-01,2000-01-01 00:00:00.5}'::timestamptz[])) instants`;
    for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu']) {
      await run({ text: `SET TimeZone = '${zone}'` });
      const rows = await run({ text: random });
      expect(rows.length).toBeGreaterThan(3_000);
      for (const { text, ms } of rows) expect([text, instantOf(text).getTime()]).toEqual([text, ms]);
    }
  });

  it('that are no times of the calendar are read as pg reads them', () => {
    const pg = types.getTypeParser(types.builtins.TIMESTAMPTZ);
    for (const text of ['infinity', '-infinity', '2026-11-23 07:10:46.5+00 BC', '0044-03-15 12:00:00+00'])
      expect(instantOf(text)).toEqual(pg(text));
  });
});
