import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openInfrastructure } from '../main/infrastructure.ts';
import { databaseName } from '../main/process/database-name.ts';
import { prepareDatabase } from '../main/process/prepare-database.ts';
import { type Config, ConfigError, readConfig } from '../platform/config.ts';
import { isUnavailable, patientTimeouts } from '../platform/database/database.ts';
import { MigrationError } from '../platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../platform/embedded/embedded.ts';
import { EmbeddedPostgresError } from '../platform/embedded/embedded-postgres-error.ts';
import { runningEmbeddedUrl } from '../platform/embedded/running-embedded.ts';
import { isApiError } from '../platform/errors.ts';
import { createLogger } from '../platform/logger.ts';
import { createDemo, demoProfileOf } from '../sample-data/demo.ts';
import { addSampleData } from '../sample-data/sample-data.ts';

// `npm run seed`: a month of sample data for the demo account, or for `-- --profile <uuid>`; beside the running
// product, or without it. Webhooks of that profile receive its events as usual.

/** Errors that the operator can fix. */
class SeedError extends Error {
  override name = 'SeedError';
}

/** Ends the seeding after the day that is being written; the next run goes on. A database that was started for it is stopped. */
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => stopping.abort(new SeedError('Stopped. npm run seed goes on with it.')));

async function seed(config: Config, url: string, asked: string | undefined): Promise<void> {
  const log = createLogger('warn');
  const infrastructure = await openInfrastructure({
    config,
    url,
    log,
    isWorker: false,
    databaseTimeouts: patientTimeouts,
  });
  try {
    const profileUuid = asked ?? (await demoProfileOf(infrastructure.database));
    if (profileUuid === null)
      throw new SeedError('There is no demo account here. Name the profile: npm run seed -- --profile <uuid>');
    const startedAt = performance.now();
    const { isAdded, since } = await addSampleData({ infrastructure, profileUuid, signal: stopping.signal });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(
      isAdded
        ? `Profile ${profileUuid} has sample data of the last 30 days now (${seconds} s).`
        : `Profile ${profileUuid} has had its sample data since ${since?.toISOString()}: nothing was added.`,
    );
  } finally {
    await infrastructure.close();
  }
}

/** Over DATABASE_URL, over the embedded database that runs, or over one that is started for it. */
async function run(config: Config, profile: string | undefined): Promise<void> {
  const running = config.DATABASE_URL ?? (await runningEmbeddedUrl(config.DATA_DIR));
  if (running !== null) return seed(config, running, profile);
  const embedded = await startEmbeddedPostgres({ dataDir: config.DATA_DIR });
  try {
    await prepareDatabase(embedded.url, databaseName(config));
    if (config.NODE_ENV !== 'production')
      await createDemo({ url: embedded.url, dataDir: config.DATA_DIR, log: createLogger('warn') });
    await seed(config, embedded.url, profile);
  } finally {
    await embedded.stop();
  }
}

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { values } = parseArgs({
    options: { profile: { type: 'string' }, 'in-production': { type: 'boolean', default: false } },
  });
  const config = readConfig(process.env);
  if (config.NODE_ENV === 'production' && !(values['in-production'] && values.profile))
    throw new SeedError('NODE_ENV is production: sample data requires --in-production --profile <uuid>.');
  await run(config, values.profile);
} catch (error) {
  const { code } = error as { code?: string };
  const isPlain =
    isApiError(error) ||
    [SeedError, ConfigError, EmbeddedPostgresError, MigrationError].some((kind) => error instanceof kind);
  // P2021: a table is missing.
  if (isUnavailable(error)) console.error('The database cannot be used: is it running?');
  else if (code === 'P2021') console.error('The database is not migrated: run npm start first.');
  else console.error(isPlain || code?.startsWith('ERR_PARSE_ARGS') ? (error as Error).message : error);
  process.exit(1);
}
