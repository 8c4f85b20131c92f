import { existsSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from '../platform/config.ts';
import { connectionsOf, isUnavailable } from '../platform/database/database.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded.ts';
import { EmbeddedPostgresError } from '../platform/database/embedded-postgres-error.ts';
import { MigrationError } from '../platform/database/migrate.ts';
import { createLogger } from '../platform/logger.ts';
import { queueConnectionsMax } from '../platform/queue.ts';
import { printBanner } from './banner.ts';
import { createDemo } from './demo.ts';
import { fillDemo } from './fill-demo.ts';
import { prepareDatabase } from './prepare-database.ts';
import { ProcessEnded, startProcesses } from './processes.ts';
import { startServer } from './server.ts';
import { stopOnSignals } from './stop-signals.ts';

// `npm start`: the whole product, in one process or in several.

const startedAt = performance.now();
const isTerminal = process.stdout.isTTY === true;

async function start(config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'));
  const progress = (text: string) => (isTerminal ? process.stdout.write(`  ${text}\n`) : log.info(text));

  progress(config.DATABASE_URL ? 'Connecting to the database …' : `Starting PostgreSQL in ${config.DATA_DIR} …`);
  const embedded = config.DATABASE_URL
    ? null
    : await startEmbeddedPostgres({
        settings: {
          max_connections: String(
            Math.max(100, config.PROCESSES * (connectionsOf(config.PROCESSES) + queueConnectionsMax) + 20),
          ),
        },
        dataDir: config.DATA_DIR,
        log: (level, message, fields) =>
          isTerminal ? process.stdout.write(`  ${message}\n`) : log[level](fields ?? {}, message),
      });
  const url = config.DATABASE_URL ?? (embedded?.url as string);
  try {
    const applied = await prepareDatabase(url);
    if (applied.length > 0) progress(`Migrated: ${applied.length} applied`);
    const server =
      config.PROCESSES === 1
        ? await startServer({ config, url, log })
        : await startProcesses({ count: config.PROCESSES, databaseUrl: url, log });
    const stopping = new AbortController();
    let sampleData = Promise.resolve();
    stopOnSignals(async () => {
      stopping.abort();
      await Promise.all([server.stop(), sampleData]);
      await embedded?.stop();
    }, log);
    const demo = config.NODE_ENV === 'production' ? null : await createDemo({ url, dataDir: config.DATA_DIR, log });
    printBanner({ config, server, embedded, demo, isTerminal, log, milliseconds: performance.now() - startedAt });
    // While the product answers already: it takes a second or two.
    if (demo && config.SAMPLE_DATA === 'on')
      sampleData = fillDemo({ config, url, log, isFirstRun: demo.secret !== null, signal: stopping.signal });
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  await start(readConfig(process.env));
} catch (error) {
  // What the operator can mend is said in a sentence; everything else keeps its stack.
  const isPlain = [ConfigError, EmbeddedPostgresError, MigrationError, ProcessEnded].some(
    (kind) => error instanceof kind,
  );
  const { code, message, port } = error as { code?: string; message?: string; port?: number };
  if (isPlain) console.error(message);
  else if (isUnavailable(error)) console.error(`The database of DATABASE_URL cannot be used: ${message || code}`);
  else if (code === 'EADDRINUSE') console.error(`Port ${port} is in use. Set PORT to another one.`);
  else console.error(error);
  process.exit(1);
}
