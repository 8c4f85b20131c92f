/**
 * Writes the SQL between prisma/migrations and the Prisma schema as a new migration, offline.
 *
 *     node prisma/migrate-new.mjs <name>     writes prisma/migrations/<yyyymmddhhmmss>_<name>/migration.sql
 *     node prisma/migrate-new.mjs --check    writes nothing; exits 1 and prints the SQL if there is a difference
 *     --directory <folder>                   another folder than the one this file lies in
 *
 * Prisma's own command would first download an engine and need a database. The same engine exists as WebAssembly in
 * npm, and an embedded PostgreSQL in a temporary folder serves as its shadow database. Nothing is ever applied to a real
 * database from here: that is the work of src/platform/database/migrate.ts, because the driver adapters lose errors on the way.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import { Pool } from 'pg';
import { startEmbeddedPostgres } from '../src/platform/embedded/embedded.ts';

/** @returns {[string, string][]} name and text of every schema file; Prisma reads them as one. */
function schemaFiles(directory) {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.prisma'))
    .sort();
  if (names.length === 0) throw new Error(`There is no .prisma file in ${directory}.`);
  return names.map((name) => [name, readFileSync(path.join(directory, name), 'utf8')]);
}

/** @returns {{ name: string, sql: string }[]} the migrations in the order in which they are applied. */
function migrationFiles(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ name, sql: readFileSync(path.join(directory, name, 'migration.sql'), 'utf8') }));
}

/** Numbers of PostgreSQL's types "char", in which its catalogue has flags, and "char"[]. */
const types = { char: 18, charArray: 1002 };

/** A pool whose columns of "char" say that they are of "char"[]: Prisma's adapter knows only that one. */
class CatalogPool extends Pool {
  async query(...statement) {
    const result = await super.query(...statement);
    for (const field of result.fields ?? []) if (field.dataTypeID === types.char) field.dataTypeID = types.charArray;
    return result;
  }
}

/**
 * Runs work over an empty database of a server that ends with it.
 *
 * @template Result
 * @param {(database: Pool) => Promise<Result>} work
 */
async function withEmptyDatabase(work) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'patchbay-shadow-'));
  // Root's server runs as another user.
  chmodSync(dataDir, 0o711);
  try {
    const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
    const database = new CatalogPool({ connectionString: server.url });
    try {
      return await work(database);
    } finally {
      await database.end();
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * An adapter of an empty database. It is the shadow database too: the engine asks the other one nothing. Prisma's adapter takes a script
 * apart at each semicolon, so this one runs it whole and keeps the first error.
 *
 * @param {CatalogPool} database
 * @param {{ error: Error | null, script: string | null }} failure Is filled in.
 */
function adapterFactory(database, failure) {
  const factory = new PrismaPg(database);
  factory.connectToShadowDb = async () => {
    const connection = await factory.connect();
    const queryRaw = connection.queryRaw.bind(connection);
    return Object.assign(connection, {
      async queryRaw(query) {
        const result = await queryRaw(query);
        const { CharacterArray, Character } = ColumnTypeEnum;
        return {
          ...result,
          columnTypes: result.columnTypes.map((type) => (type === CharacterArray ? Character : type)),
        };
      },
      async executeScript(script) {
        if (failure.error) return;
        await database.query(script).catch((error) => Object.assign(failure, { error, script }));
      },
    });
  };
  return factory;
}

async function schemaEngine(datamodels, factory) {
  const require = createRequire(import.meta.url);
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const glueFile = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = readFileSync(path.join(path.dirname(glueFile), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
  return glue.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

/** @returns the SQL that turns the migrations' database, which is filled here, into the schema's; empty if they agree. */
async function difference(directory, database) {
  const datamodels = schemaFiles(directory);
  const migrations = migrationFiles(path.join(directory, 'migrations'));
  const failure = { error: null, script: null };
  const engine = await schemaEngine(datamodels, adapterFactory(database, failure));
  const { stdout } = await engine.diff({
    from: {
      tag: 'migrations',
      baseDir: path.join(directory, 'migrations'),
      shadowDbInitScript: '',
      lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
      migrationDirectories: migrations.map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
      })),
    },
    to: { tag: 'schemaDatamodel', files: datamodels.map(([name, content]) => ({ path: name, content })) },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  if (failure.error) {
    const name = migrations.find(({ sql }) => sql === failure.script)?.name;
    throw new Error(`Migration ${name} does not apply: ${failure.error.message}`, { cause: failure.error });
  }
  return stdout.includes('This is an empty migration') ? '' : withRequiredLists(stdout.trim());
}

/** A list of the schema is never null, which Prisma leaves to its client. */
const withRequiredLists = (sql) =>
  sql.replace(/^((?: {4}|.*ADD COLUMN +)"\w+" [^,;\n]*?\[\])(?! NOT NULL)/gm, '$1 NOT NULL');

/** @returns {Promise<string[]>} what to look at before the migration is committed. */
async function remarks(sql, database) {
  const required = [...sql.matchAll(/ADD COLUMN +"(\w+)" [^,;\n]*NOT NULL(?![^,;\n]*DEFAULT)/g)].map(
    ([, column]) => column,
  );
  const tables = new Set([...sql.matchAll(/\b(?:ALTER|DROP) TABLE "(\w+)"/g)].map(([, table]) => table));
  const { rows } = await database.query(
    `SELECT p.proname AS name, t.name AS table FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang, unnest($1::text[]) t (name)
      WHERE l.lanname IN ('sql', 'plpgsql') AND pg_get_functiondef(p.oid) ~ ('\\m' || t.name || '\\M') ORDER BY 2, 1`,
    [[...tables]],
  );
  return [
    ...required.map(
      (column) =>
        `${column} is required and has no default: the migration fails where rows exist, and so does a process of the version before that writes. Give it @default in the schema.`,
    ),
    ...rows.map(
      ({ name, table }) =>
        `The function ${name} mentions ${table}. If it lists columns, replace it in this migration, with its settings (test/platform/database/functions.test.ts).`,
    ),
  ];
}

/** @returns {string} the folder's name; its UTC time must sort after the newest migration, or the runner refuses it. */
function migrationName(name, directory) {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const migration = `${time}_${name}`;
  const newest = migrationFiles(directory).at(-1)?.name;
  if (newest !== undefined && newest >= migration) {
    throw new Error(`${migration} would sort before ${newest}, which exists: check the clock, or rename that one.`);
  }
  return migration;
}

function write(directory, name, sql) {
  const folder = path.join(directory, migrationName(name, directory));
  mkdirSync(folder, { recursive: true });
  // Prisma wants to see this file beside the migrations before it recognises them.
  const lockfile = path.join(directory, 'migration_lock.toml');
  if (!existsSync(lockfile)) writeFileSync(lockfile, 'provider = "postgresql"\n');
  const file = path.join(folder, 'migration.sql');
  writeFileSync(file, `${sql}\n`);
  return file;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, directory: { type: 'string', default: import.meta.dirname } },
  });
  const [name = '', ...rest] = positionals;
  const nameIsGood = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && name.length <= 60;
  if (rest.length > 0 || (values.check ? name !== '' : !nameIsGood)) {
    throw new Error('Usage: migrate-new <name in snake_case, at most 60 characters>, or migrate-new --check');
  }
  const directory = path.resolve(values.directory);
  await withEmptyDatabase((database) => compare(directory, database, values.check ? null : name));
}

/** @param {string | null} name Of the migration to write; null only checks. */
async function compare(directory, database, name) {
  const sql = await difference(directory, database);
  if (sql === '') return console.log('The migrations and the schema agree; there is nothing to write.');
  if (name === null) {
    console.log(sql);
    throw new Error('The migrations and the schema differ by the SQL above: run `npm run migrate:new -- <name>`.');
  }
  console.log(`Wrote ${path.relative(process.cwd(), write(path.join(directory, 'migrations'), name, sql))}`);
  for (const remark of await remarks(sql, database)) console.log(remark);
}

try {
  await main();
  // The engine keeps the process alive otherwise.
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
