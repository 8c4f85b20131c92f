import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'patchbay-schema-'));
  await writeFile(path.join(directory, 'main.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
  await schema('');
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** In a file of its own, as the areas have theirs. */
async function schema(more: string): Promise<void> {
  const model = `model Entry {\n  id Int @id\n  name String?\n  seq BigInt?\n  expiresAt DateTime\n${more}\n}\n`;
  await writeFile(path.join(directory, 'entry.prisma'), model);
}

async function migration(name: string, sql: string): Promise<void> {
  await mkdir(path.join(directory, 'migrations', name), { recursive: true });
  await writeFile(path.join(directory, 'migrations', name, 'migration.sql'), sql);
}

function migrateNew(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const script = path.join(root, 'prisma/migrate-new.mjs');
  return new Promise((resolve) => {
    execFile(
      path.join(root, 'node_modules/.bin/node'),
      [script, '--directory', directory, ...args],
      (error, output, errors) => resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    );
  });
}

const table =
  'CREATE TABLE "Entry" ("id" INTEGER NOT NULL, "name" TEXT, "seq" BIGINT, "expiresAt" TIMESTAMP(3) NOT NULL, ' +
  'CONSTRAINT "Entry_pkey" PRIMARY KEY ("id"));\n';

// Every run starts two engines of WebAssembly.
describe('migrate-new', () => {
  it('writes the first migration; then the check passes and an empty one is not written', async () => {
    expect((await migrateNew('initial_tables')).code).toBe(0);
    const entries = await readdir(path.join(directory, 'migrations'));
    expect(entries).toEqual([expect.stringMatching(/^\d{14}_initial_tables$/), 'migration_lock.toml']);
    const file = path.join(directory, 'migrations', entries[0] ?? '', 'migration.sql');
    expect(await readFile(file, 'utf8')).toContain('CREATE TABLE "Entry"');
    expect(await migrateNew('nothing')).toMatchObject({ code: 0, output: expect.stringContaining('nothing to write') });
    expect(await readdir(path.join(directory, 'migrations'))).toEqual(entries);
  });

  it('finds no difference in handmade indexes, checks and functions that the schema states as far as it can', async () => {
    await schema(`
      @@unique([seq(sort: Desc), expiresAt], map: "entry_seq")
      @@unique([name], map: "entry_name")`);
    await migration('20260101000000_initial', table);
    await migration(
      '20260102000000_handmade',
      `CREATE UNIQUE INDEX entry_seq ON "Entry" (seq DESC) INCLUDE ("expiresAt");
       CREATE UNIQUE INDEX entry_name ON "Entry" (name) WHERE name IS NOT NULL;
       CREATE INDEX entry_unnamed ON "Entry" (seq) INCLUDE ("expiresAt") WHERE name IS NULL;
       CREATE INDEX entry_lower ON "Entry" (lower(name));
       ALTER TABLE "Entry" ADD CHECK ((name IS NULL) <> (seq IS NULL)), SET (fillfactor = 90);
       CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END; $$;
       CREATE TRIGGER touch BEFORE UPDATE ON "Entry" FOR EACH ROW EXECUTE FUNCTION touch();`,
    );
    expect(await migrateNew('--check')).toMatchObject({ code: 0, errors: '' });
  });

  it('prints the difference and fails when only asked to check', async () => {
    await migration('20260101000000_initial', table);
    await schema('  size Int');
    const { code, output } = await migrateNew('--check');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('ADD COLUMN     "size" INTEGER NOT NULL'),
    });
    expect(await readdir(path.join(directory, 'migrations'))).toEqual(['20260101000000_initial']);
  });

  it('writes NOT NULL for a list, and names required columns without a default and functions that mention the table', async () => {
    await migration(
      '20260101000000_initial',
      `${table} CREATE TABLE other (id int PRIMARY KEY);
       CREATE FUNCTION named(n text) RETURNS SETOF "Entry" LANGUAGE sql AS 'SELECT * FROM "Entry" WHERE name = n';
       CREATE FUNCTION entries() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM "Entry"';
       CREATE FUNCTION apart() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM other';`,
    );
    await schema('  labels String[] @default([])\n  tags String[]\n  size Int');
    await writeFile(path.join(directory, 'other.prisma'), 'model other {\n  id Int @id\n}\n');
    const { code, output } = await migrateNew('labels');
    expect(code).toBe(0);
    const [, folder = ''] = await readdir(path.join(directory, 'migrations'));
    const sql = await readFile(path.join(directory, 'migrations', folder, 'migration.sql'), 'utf8');
    expect(sql).toMatch(/"labels" TEXT\[\] NOT NULL DEFAULT ARRAY\[\]::TEXT\[\],/);
    expect(sql).toMatch(/"tags" TEXT\[\] NOT NULL[,;]/);
    expect(output.match(/^\w+(?= is required and has no default)/gm)).toEqual(['size', 'tags']);
    expect(output.match(/(?<=^The function )\w+(?= mentions Entry)/gm)).toEqual(['entries', 'named']);
    expect(await migrateNew('--check')).toMatchObject({ code: 0, errors: '' });
  });

  it('names a migration that does not apply', async () => {
    await migration('20260101000000_initial', `${table} SELECT 1/0;`);
    const { code, errors } = await migrateNew('more');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'Migration 20260101000000_initial does not apply: division by zero\n',
    });
  });

  it.each([[''], ['Bad'], ['../up'], ['two words'], ['a_'], ['a'.repeat(61)]])(
    'refuses the name "%s"',
    async (name) => {
      expect(await migrateNew(name)).toMatchObject({ code: 1, errors: expect.stringContaining('Usage: ') });
    },
  );
});
