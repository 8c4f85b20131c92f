import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** Why the database could not be brought up to date; nothing of the named migration is left in it. */
export class MigrationError extends Error {
  /** The folder's name, if one migration is to blame. */
  readonly migration: string | undefined;

  constructor(message: string, facts: { migration?: string; cause?: unknown } = {}) {
    super(message, { cause: facts.cause });
    this.name = 'MigrationError';
    this.migration = facts.migration;
  }
}

export interface MigrateOptions {
  readonly url: string;
  /** The folder `prisma/migrations`. */
  readonly directory: string;
  readonly log?: (level: 'info' | 'warn', message: string, fields?: object) => void;
  /** Milliseconds that a statement waits for a table in use; 10 000 if left out. */
  readonly lockTimeoutMs?: number;
  /** What an error calls the database; `the database` if left out. */
  readonly name?: string;
}

interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The number that Prisma's own `migrate` locks, so that ours and theirs keep out of each other's way. */
const prismaLockKey = 72707369;
/** Logged before the migrations, so that a slow start explains itself. */
const connectTimeoutMs = 5_000;
/** Another runner may be busy with a migration of a large table. */
const runnerTimeoutMs = 300_000;

/**
 * Applies the migrations that the database does not have, in the order of their names, each file in one transaction
 * together with its record. The records are Prisma's, so `prisma migrate` recognises them. A second runner waits for the
 * first and then finds nothing to do.
 *
 * @returns The names of the migrations that this call applied.
 * @throws {MigrationError} The database cannot be reached, an applied file was changed or is missing, a new one comes before
 *   an applied one, or one fails.
 */
export async function migrate({
  url,
  directory,
  log = () => undefined,
  lockTimeoutMs = 10_000,
  name = 'the database',
}: MigrateOptions): Promise<{ applied: string[] }> {
  const connection = new Client({
    connectionString: url,
    application_name: 'patchbay migrate',
    connectionTimeoutMillis: connectTimeoutMs,
    // Given as the session's defaults, so that RESET ALL returns to them.
    options: `-c lock_timeout=${lockTimeoutMs} -c statement_timeout=0`,
  });
  connection.on('error', () => undefined);
  await connection.connect().catch((cause: Error & { code?: string }) => {
    throw new MigrationError(`Cannot use ${name}: ${cause.message || cause.code}`, { cause });
  });
  try {
    await assertSupported(connection);
    await waitForOtherRunners(connection, log);
    const schema = await recordsSchema(connection);
    const pending = await pendingMigrations(connection, schema, await migrationsIn(directory));
    for (const migration of pending) {
      log('info', `Applying migration ${migration.name}`);
      await apply(connection, schema, migration, lockTimeoutMs);
    }
    return { applied: pending.map(({ name }) => name) };
  } finally {
    // The lock goes with the session.
    await connection.end().catch(() => undefined);
  }
}

async function assertSupported(connection: Client): Promise<void> {
  const { rows } = await connection.query<{ version: string; number: number }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
  );
  const [server] = rows;
  if (server && server.number < 150_000)
    throw new MigrationError(`The database is PostgreSQL ${server.version}: Patchbay needs 15 or later.`);
}

/** Asks again and again instead of waiting inside a statement, whose snapshot would hold up the other runner. */
async function waitForOtherRunners(connection: Client, log: NonNullable<MigrateOptions['log']>): Promise<void> {
  const deadline = performance.now() + runnerTimeoutMs;
  for (let attempt = 0; performance.now() < deadline; attempt += 1) {
    const { rows } = await connection.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      prismaLockKey,
    ]);
    if (rows[0]?.taken) return;
    if (attempt === 0) log('info', 'Waiting for another process that migrates the database');
    await delay(50);
  }
  throw new MigrationError(
    `Another process has been migrating the database for ${runnerTimeoutMs / 1_000} s: wait for it, or end it.`,
  );
}

/** Makes Prisma's table if there is none. Returns its schema, quoted, because a migration may change the search path. */
async function recordsSchema(connection: Client): Promise<string> {
  await connection.query(`
    CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id                      VARCHAR(36) PRIMARY KEY NOT NULL,
      checksum                VARCHAR(64) NOT NULL,
      finished_at             TIMESTAMPTZ,
      migration_name          VARCHAR(255) NOT NULL,
      logs                    TEXT,
      rolled_back_at          TIMESTAMPTZ,
      started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
      applied_steps_count     INTEGER NOT NULL DEFAULT 0
    )`);
  const { rows } = await connection.query<{ schema: string }>(
    `SELECT relnamespace::regnamespace::text AS schema FROM pg_class WHERE oid = '_prisma_migrations'::regclass`,
  );
  return rows[0]?.schema ?? 'public';
}

async function migrationsIn(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((cause: unknown) => {
    throw new MigrationError(`The folder of the migrations, ${directory}, cannot be read.`, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const file = path.join(directory, name, 'migration.sql');
      const sql = await readFile(file, 'utf8').catch((cause: unknown) => {
        throw new MigrationError(`Migration ${name} has no readable migration.sql in ${directory}.`, {
          migration: name,
          cause,
        });
      });
      return { name, sql };
    }),
  );
}

interface MigrationRecord {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** Compares files and records. Everything is checked before anything is applied. */
async function pendingMigrations(connection: Client, schema: string, files: Migration[]): Promise<Migration[]> {
  const { rows } = await connection.query<MigrationRecord>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM ${schema}._prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const records = new Map(rows.map((record) => [record.name, record]));
  const fileNames = new Set(files.map(({ name }) => name));
  for (const { name, finished } of records.values()) {
    if (!finished) {
      throw new MigrationError(
        `Migration ${name} was begun by another tool and has not finished: settle it with \`prisma migrate resolve\`.`,
        { migration: name },
      );
    }
    if (!fileNames.has(name)) {
      throw new MigrationError(
        `Migration ${name} is applied in the database but missing on disk: ` +
          'restore its folder, or run the newer version of Patchbay that brought it.',
        { migration: name },
      );
    }
  }
  for (const file of files) assertUnchanged(file, records.get(file.name));
  const last = [...records.keys()].sort().at(-1);
  const pending = files.filter(({ name }) => !records.has(name));
  const late = pending.find(({ name }) => last !== undefined && name < last);
  if (late !== undefined) {
    throw new MigrationError(
      `Migration ${late.name} is new but comes before ${last}, which is applied: give it a later time.`,
      { migration: late.name },
    );
  }
  for (const migration of pending) assertNoTransactionControl(migration);
  return pending;
}

function assertUnchanged({ name, sql }: Migration, record: MigrationRecord | undefined): void {
  if (record === undefined) return;
  // Like Prisma, forgive git's conversion of line ends.
  const lf = sql.replaceAll('\r\n', '\n');
  const versions = [sql, lf, lf.replaceAll('\n', '\r\n')];
  if (versions.some((text) => checksumOf(text) === record.checksum)) return;
  throw new MigrationError(
    `Migration ${name} was changed after it was applied: restore the file, and put the change into a new migration.`,
    { migration: name },
  );
}

const checksumOf = (sql: string): string => createHash('sha256').update(sql).digest('hex');

/** Strings, quoted names, dollar-quoted bodies and comments: text in which a word is not a command. */
const quoted =
  /\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//gi;
const transactionControl =
  /^\s*(begin(?!\s+atomic)|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!(\s+(work|transaction))?\s+to))\b/i;

/** A COMMIT inside a file would end our transaction and leave the rest of it half done. */
function assertNoTransactionControl({ name, sql }: Migration): void {
  const bare = sql.replace(quoted, ' ');
  // In a function with an SQL-standard body, END closes the body.
  const statements = bare.split(';').filter((statement) => !(/\batomic\b/i.test(bare) && /^\s*end\b/i.test(statement)));
  const found = statements.map((statement) => transactionControl.exec(statement)?.[1]).find(Boolean);
  if (found === undefined) return;
  throw new MigrationError(
    `Migration ${name} contains ${found.toUpperCase()}: take it out, because every migration runs in a transaction of its own.`,
    { migration: name },
  );
}

async function apply(connection: Client, schema: string, migration: Migration, lockTimeoutMs: number): Promise<void> {
  const { name, sql } = migration;
  try {
    await connection.query('BEGIN');
    const { rows } = await connection.query<{ started: Date }>('SELECT clock_timestamp() AS started');
    // One text in the simple protocol: the server itself splits the statements.
    await connection.query(sql);
    // What the file has set for the session must not reach the next one.
    await connection.query('RESET ALL');
    await connection.query(
      `INSERT INTO ${schema}._prisma_migrations
         (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, $4, 1)`,
      [randomUUID(), checksumOf(sql), name, rows[0]?.started],
    );
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw new MigrationError(failure(error, migration, lockTimeoutMs), { migration: name, cause: error });
  }
}

/** PostgreSQL's description of a failed statement. */
interface PostgresProblem extends Error {
  readonly code?: string;
  readonly position?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly where?: string;
}

function failure(error: unknown, { name, sql }: Migration, lockTimeoutMs: number): string {
  const { message, code, position, detail, hint, where }: PostgresProblem =
    error instanceof Error ? error : new Error(String(error));
  if (code === '55P03') {
    return (
      `Migration ${name} was given up because another session held a lock for ${lockTimeoutMs / 1_000} s ` +
      `(${message}): end that session and try again. Nothing of this migration was applied.`
    );
  }
  const place = position === undefined ? '' : ` at ${lineAndColumn(sql, Number(position))}`;
  const more = [detail, hint, where].filter((text) => text !== undefined).map((text) => ` ${text}`);
  return `Migration ${name} failed${place}: ${message}.${more.join('')} Nothing of this migration was applied.`;
}

/** @param position Counted in characters from 1, as PostgreSQL does. */
function lineAndColumn(sql: string, position: number): string {
  const before = [...sql].slice(0, position - 1).join('');
  const lines = before.split('\n');
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`;
}
