import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/embedded/embedded.ts';
import { verifies } from '../../requirements.ts';

let server: EmbeddedPostgres;
let dataDir: string;
/** A new database and a new folder of migrations for every test. */
let url: string;
let directory: string;
let client: Client;
let databases = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-migrate-'));
  await chmod(dataDir, 0o711);
  server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
});

afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  databases += 1;
  const admin = new Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database migrate_${databases}`);
  await admin.end();
  url = server.url.replace(/patchbay$/, `migrate_${databases}`);
  directory = await mkdtemp(path.join(tmpdir(), 'patchbay-migrations-'));
  client = new Client({ connectionString: url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await rm(directory, { recursive: true, force: true });
});

async function write(name: string, sql: string): Promise<void> {
  await mkdir(path.join(directory, name), { recursive: true });
  await writeFile(path.join(directory, name, 'migration.sql'), sql);
}

async function rows(sql: string): Promise<object[]> {
  return (await client.query<object>(sql)).rows;
}

const tables = () =>
  rows(`select relname as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname !~ '^_prisma' order by 1`);
const records = () => rows('select migration_name as name from _prisma_migrations order by 1');

const initial = "CREATE TABLE one (id int);\nINSERT INTO one VALUES (1);\n-- it's a comment; COMMIT;\n";

describe('migrations', () => {
  it(
    'are applied in the order of their names, once, and recorded as Prisma records them',
    verifies('platform.migrations'),
    async () => {
      await write('20260102000000_two', 'ALTER TABLE one ADD COLUMN two text;');
      await write('20260101000000_one', initial);
      await writeFile(path.join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
      const applied = ['20260101000000_one', '20260102000000_two'];
      expect(await migrate({ url, directory })).toEqual({ applied });
      expect(await migrate({ url, directory })).toEqual({ applied: [] });
      const [record] = await rows('select * from _prisma_migrations order by migration_name');
      expect(record).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: createHash('sha256').update(initial).digest('hex'),
        migration_name: '20260101000000_one',
        logs: null,
        rolled_back_at: null,
        started_at: expect.any(Date),
        finished_at: expect.any(Date),
        applied_steps_count: 1,
      });
    },
  );

  it('bring the rows of one version to the next, which adds a required column and replaces a function', async () => {
    await write(
      '20260101000000_first',
      `CREATE TABLE note (id int PRIMARY KEY, text text NOT NULL);
       CREATE FUNCTION notes() RETURNS SETOF note LANGUAGE sql AS 'SELECT * FROM note ORDER BY id';`,
    );
    await migrate({ url, directory });
    await client.query("INSERT INTO note VALUES (1, 'a b'), (2, '')");
    await write(
      '20260102000000_second',
      `ALTER TABLE note ADD COLUMN words text[] NOT NULL DEFAULT '{}';
       UPDATE note SET words = string_to_array(text, ' ');
       CREATE OR REPLACE FUNCTION notes() RETURNS SETOF note LANGUAGE sql AS 'SELECT * FROM note ORDER BY id DESC';`,
    );
    expect(await migrate({ url, directory })).toEqual({ applied: ['20260102000000_second'] });
    // A process of the first version still writes what it knows.
    await client.query("INSERT INTO note (id, text) VALUES (3, 'c')");
    expect(await rows('select id, words from notes()')).toEqual([
      { id: 3, words: [] },
      { id: 2, words: [] },
      { id: 1, words: ['a', 'b'] },
    ]);
  });

  it('may hold functions with semicolons, and settings that end with the file', async () => {
    await write(
      '20260101000000_functions',
      `SET search_path = '';
       CREATE FUNCTION public.twice(a int) RETURNS int LANGUAGE plpgsql AS $body$
       BEGIN
         PERFORM $$;'$$;
         RETURN a * 2;
       END;
       $body$;
       CREATE FUNCTION public.thrice(a int) RETURNS int BEGIN ATOMIC SELECT a * 3; END;`,
    );
    await write('20260102000000_next', 'CREATE TABLE next AS SELECT twice(2) AS two, thrice(2) AS three;');
    await migrate({ url, directory });
    expect(await rows('select * from next')).toEqual([{ two: 4, three: 6 }]);
  });

  it(
    'are applied by one of several runners; the others wait and then find nothing to do',
    verifies('platform.migrations'),
    async () => {
      await write('20260101000000_one', `${initial} SELECT pg_sleep(0.2);`);
      const results = await Promise.all([1, 2, 3].map(() => migrate({ url, directory })));
      expect(results.flatMap(({ applied }) => applied)).toEqual(['20260101000000_one']);
      expect(await rows('select * from one')).toHaveLength(1);
    },
  );

  it('that were checked out with other line ends count as unchanged', async () => {
    await write('20260101000000_one', initial);
    await migrate({ url, directory });
    await write('20260101000000_one', initial.replaceAll('\n', '\r\n'));
    expect(await migrate({ url, directory })).toEqual({ applied: [] });
  });
});

describe('a migration that fails', () => {
  it(
    'leaves nothing of itself, keeps those before it, and is named with line, column and reason',
    verifies('platform.migrations'),
    async () => {
      await write('20260101000000_one', initial);
      await write(
        '20260102000000_two',
        "CREATE TABLE two (id int);\nSELECT 'é🎉', wrong FROM two;\nCREATE TABLE three ();",
      );
      await expect(migrate({ url, directory })).rejects.toMatchObject({
        name: 'MigrationError',
        migration: '20260102000000_two',
        message:
          'Migration 20260102000000_two failed at line 2, column 14: column "wrong" does not exist. ' +
          'Nothing of this migration was applied.',
      });
      expect(await tables()).toEqual([{ name: 'one' }]);
      expect(await records()).toEqual([{ name: '20260101000000_one' }]);
      await write('20260102000000_two', 'CREATE TABLE two (id int);');
      expect(await migrate({ url, directory })).toEqual({ applied: ['20260102000000_two'] });
    },
  );

  it('because a table is in use, gives up after the lock timeout and says so', async () => {
    await write('20260101000000_one', initial);
    await migrate({ url, directory });
    await write('20260102000000_two', 'CREATE TABLE two (id int); ALTER TABLE one ADD COLUMN two text;');
    await client.query('BEGIN; LOCK TABLE one');
    await expect(migrate({ url, directory, lockTimeoutMs: 100 })).rejects.toThrow(
      /^Migration 20260102000000_two was given up because another session held a lock for 0.1 s/,
    );
    await client.query('COMMIT');
    expect(await tables()).toEqual([{ name: 'one' }]);
  });

  it.each([
    ['COMMIT', 'CREATE TABLE two (); commit; SELECT 1/0;'],
    ['ROLLBACK', 'CREATE TABLE two (); /* ; */ Rollback;'],
    ['BEGIN', '-- first\nBEGIN; CREATE TABLE two ();'],
    ['END', "SELECT E'it\\'s'; END;"],
  ])('is refused before it begins if it contains %s', async (word, sql) => {
    await write('20260101000000_one', initial);
    await write('20260102000000_two', sql);
    await expect(migrate({ url, directory })).rejects.toThrow(`Migration 20260102000000_two contains ${word}`);
    expect(await tables()).toEqual([]);
  });

  it('because it has no file stops before anything is applied', async () => {
    await write('20260101000000_one', initial);
    await mkdir(path.join(directory, '20260102000000_two'));
    await expect(migrate({ url, directory })).rejects.toThrow('20260102000000_two has no readable migration.sql');
    expect(await tables()).toEqual([]);
  });
});

describe('a history that does not fit', () => {
  beforeEach(async () => {
    await write('20260101000000_one', initial);
    await migrate({ url, directory });
    await write('20260103000000_three', 'CREATE TABLE three (id int);');
  });

  afterEach(async () => {
    expect(await tables()).toEqual([{ name: 'one' }]);
  });

  it('because an applied file was changed stops', verifies('platform.migrations'), async () => {
    await write('20260101000000_one', `${initial}\nSELECT 1;`);
    await expect(migrate({ url, directory })).rejects.toThrow('20260101000000_one was changed after it was applied');
  });

  it('because an applied file is missing stops', async () => {
    await rm(path.join(directory, '20260101000000_one'), { recursive: true });
    await expect(migrate({ url, directory })).rejects.toThrow(
      '20260101000000_one is applied in the database but missing',
    );
  });

  it('because a new file comes before an applied one stops', async () => {
    await write('20250101000000_zero', 'CREATE TABLE zero (id int);');
    await expect(migrate({ url, directory })).rejects.toThrow(
      '20250101000000_zero is new but comes before 20260101000000_one',
    );
  });

  it('because another tool has left a migration unfinished stops', async () => {
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'x', '20260102000000_two')`,
    );
    await expect(migrate({ url, directory })).rejects.toThrow('20260102000000_two was begun by another tool');
  });
});
