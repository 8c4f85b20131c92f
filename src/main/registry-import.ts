import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Config, ConfigError, readConfig } from '../platform/config.ts';
import { isUnavailable } from '../platform/database/database.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded.ts';
import { EmbeddedPostgresError } from '../platform/database/embedded-postgres-error.ts';
import { MigrationError } from '../platform/database/migrate.ts';
import { runningEmbeddedUrl } from '../platform/database/running-embedded.ts';
import { createLogger } from '../platform/logger.ts';
import { databaseName } from './database-name.ts';
import { openPlatform } from './platform.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createProgress } from './progress.ts';
import { createServices } from './services.ts';

// `npm run registry:import -- file`: takes up a dump of a registry. Also while the product runs.
// Ends with 0 when all was taken up, with 2 when something was refused, and with 1 when the file could not be read to its end.

/** Refused elements that are told one by one. */
const toldMax = 100;

/** Over DATABASE_URL, over the embedded database that runs, or over one that is started for it: that one alone is migrated here. */
async function run(file: string): Promise<number> {
  const { size } = await stat(file);
  const config = readConfig(process.env);
  const running = config.DATABASE_URL ?? (await runningEmbeddedUrl(config.DATA_DIR));
  if (running !== null) return takeUp(config, running, file, size);
  const embedded = await startEmbeddedPostgres({ dataDir: config.DATA_DIR });
  try {
    await prepareDatabase(embedded.url, databaseName(config));
    return await takeUp(config, embedded.url, file, size);
  } finally {
    await embedded.stop();
  }
}

async function takeUp(config: Config, url: string, file: string, size: number): Promise<number> {
  const platform = await openPlatform({ config, url, log: createLogger('warn'), isWorker: false });
  try {
    process.stderr.write(`Importing into ${databaseName(config)}\n`);
    return await report(createServices(platform).registry.imports.run, file, size);
  } finally {
    await platform.close();
  }
}

async function report(
  importDump: ReturnType<typeof createServices>['registry']['imports']['run'],
  file: string,
  size: number,
): Promise<number> {
  const progress = createProgress(process.stderr, size, () => performance.now());
  const source = createReadStream(file);
  let told = 0;
  const summary = await importDump(source, {
    onProgress: ({ imported, unchanged, refused }) =>
      progress.show(source.bytesRead, `${imported} imported, ${unchanged} unchanged, ${refused} refused`),
    onRefused({ line, reason }) {
      if (++told <= toldMax) progress.say(`line ${line}: ${reason}`);
      else if (told === toldMax + 1) progress.say('… the rest is only counted');
    },
  });
  progress.end();
  process.stdout.write(`${summary.imported} imported, ${summary.unchanged} unchanged, ${summary.refused} refused\n`);
  return summary.refused > 0 ? 2 : 0;
}

const [file, ...rest] = process.argv.slice(2);
if (file === undefined || rest.length > 0) {
  console.error('Usage: npm run registry:import -- <file>');
  process.exit(1);
}
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  process.exitCode = await run(file);
} catch (error) {
  const { code, message } = error as { code?: string; message?: string };
  if ([ConfigError, EmbeddedPostgresError, MigrationError].some((kind) => error instanceof kind))
    console.error(message);
  // A table is missing, as PostgreSQL says it and as Prisma does.
  else if (code === '42P01' || code === 'P2021') console.error('The database is not migrated: run npm start first.');
  else if (['ENOENT', 'EACCES', 'EISDIR'].includes(code ?? '')) console.error(`${file} cannot be read (${code})`);
  else if (isUnavailable(error))
    console.error(`Cannot use ${databaseName(readConfig(process.env))}: ${message || code}`);
  else console.error(error);
  process.exitCode = 1;
}
