import { databaseName } from '../main/process/database-name.ts';
import { prepareDatabase } from '../main/process/prepare-database.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { isUnavailable } from '../platform/database/database.ts';
import { MigrationError } from '../platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../platform/embedded/embedded.ts';
import { EmbeddedPostgresError } from '../platform/embedded/embedded-postgres-error.ts';
import { runningEmbeddedUrl } from '../platform/embedded/running-embedded.ts';

/**
 * Runs what an operator has asked for over DATABASE_URL, over the embedded database that runs, or over one that is started for it:
 * that one alone is migrated here, and is stopped afterwards.
 */
export async function withDatabase<Result>(config: Config, work: (url: string) => Promise<Result>): Promise<Result> {
  const running = config.DATABASE_URL ?? (await runningEmbeddedUrl(config.DATA_DIR));
  if (running !== null) return work(running);
  const embedded = await startEmbeddedPostgres({ dataDir: config.DATA_DIR });
  try {
    await prepareDatabase(embedded.url, databaseName(config));
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** The message for the operator of an error in the settings or the database; null for any other error. */
export function sentenceOf(error: unknown, config: () => Config): string | null {
  const { code, message } = error as { code?: string; message?: string };
  if ([ConfigError, EmbeddedPostgresError, MigrationError].some((kind) => error instanceof kind)) return message ?? '';
  // A table is missing, as PostgreSQL says it and as Prisma does.
  if (code === '42P01' || code === 'P2021') return 'The database is not migrated: run npm start first.';
  return isUnavailable(error) ? `Cannot use ${databaseName(config())}: ${message || code}` : null;
}
