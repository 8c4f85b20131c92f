import { existsSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from '../platform/config.ts';
import type { EmbeddedPostgres } from '../platform/embedded/embedded.ts';
import { EmbeddedPostgresError } from '../platform/embedded/embedded-postgres-error.ts';
import { createLogger } from '../platform/logger.ts';
import { printBanner } from './process/banner.ts';
import { startOwnDatabase } from './process/own-database.ts';
import { startProcesses } from './process/processes.ts';
import { stopOnSignals } from './process/stop-signals.ts';
import { ProcessEnded } from './process/supervisor.ts';

const startedAt = performance.now();
const isTerminal = process.stdout.isTTY === true;

/** Runs the product until it is stopped. This process stays small: the web processes answer all requests. */
async function run(config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'));
  const progress = (text: string) => (isTerminal ? process.stdout.write(`  ${text}\n`) : log.info(text));

  progress(config.DATABASE_URL ? 'Connecting to the database …' : `Starting PostgreSQL in ${config.DATA_DIR} …`);
  // They load the product while the database starts.
  const processes = startProcesses({ count: config.PROCESSES, log });
  let embedded: EmbeddedPostgres | null = null;
  const stop = async () => {
    await processes.stop();
    await embedded?.stop();
  };
  try {
    if (!config.DATABASE_URL)
      embedded = await startOwnDatabase(config, (level, message, fields) =>
        isTerminal ? process.stdout.write(`  ${message}\n`) : log[level](fields ?? {}, message),
      );
    const databaseUrl = config.DATABASE_URL ?? (embedded?.url as string);
    const { port, demo } = await processes.open({ databaseUrl, port: config.PORT });
    stopOnSignals(stop, log);
    printBanner({ config, port, embedded, demo, isTerminal, log, milliseconds: performance.now() - startedAt });
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** Ends with exit code 1 and a sentence when it cannot start. */
export async function startProduct(): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    await run(readConfig(process.env));
  } catch (error) {
    // What the operator can mend is said in a sentence; everything else keeps its stack.
    const isPlain = [ConfigError, EmbeddedPostgresError, ProcessEnded].some((kind) => error instanceof kind);
    const { code, message, port } = error as { code?: string; message?: string; port?: number };
    if (code === 'EADDRINUSE') console.error(`Port ${port} is in use. Set PORT to another one.`);
    else if (!isPlain) console.error(error);
    else if (message) console.error(message);
    process.exit(1);
  }
}
