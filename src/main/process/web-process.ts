import { ConfigError, readConfig } from '../../platform/config.ts';
import { type Database, isUnavailable } from '../../platform/database/database.ts';
import { MigrationError } from '../../platform/database/migrate.ts';
import { createLogger } from '../../platform/logger.ts';
import { createDemo, type Demo, demoProfileOf, demoUsername } from '../../sample-data/demo.ts';
import { sampleDataStateOf } from '../../sample-data/sample-data-state.ts';
import { startServer } from '../server.ts';
import { handedConnections, ownPort } from './connections.ts';
import { databaseName } from './database-name.ts';
import { watchEventLoop } from './event-loop-watch.ts';
import { fillDemo } from './fill-demo.ts';
import { prepareDatabase } from './prepare-database.ts';
import { ask, type DemoFacts, isSupervised } from './process-messages.ts';
import { stopOnSignals } from './stop-signals.ts';

// One of the web processes, as `npm start` starts them (processes.ts). Started by itself it listens on PORT, over the database of
// DATABASE_URL, which others have migrated.

const config = readConfig(process.env);
const isTerminal = process.stdout.isTTY === true;
const log = createLogger(config.LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'));
try {
  const { databaseUrl: url, isFirst } = isSupervised
    ? await ask('begin')
    : { databaseUrl: config.DATABASE_URL as string, isFirst: false };
  if (isFirst) {
    const applied = await prepareDatabase(url, databaseName(config));
    const text = `Migrated: ${applied.length} applied`;
    if (applied.length > 0) isTerminal ? process.stdout.write(`  ${text}\n`) : log.info(text);
    await ask('prepared');
  }
  const server = await startServer({
    config,
    url,
    log,
    connections: isSupervised ? handedConnections() : ownPort(config.PORT),
  });
  const stopping = new AbortController();
  let sampleData = Promise.resolve();
  stopOnSignals(async () => {
    stopping.abort();
    await Promise.all([server.stop(), sampleData]);
  }, log);
  watchEventLoop({ log, hangSeconds: config.HANG_SECONDS });
  const demo =
    isFirst && config.NODE_ENV !== 'production' ? await createDemo({ url, dataDir: config.DATA_DIR, log }) : null;
  const isFilled = demo !== null && config.SAMPLE_DATA === 'on';
  if (isSupervised) await ask('ready', demo && (await factsOf(demo, isFilled && demo.isNew, server.database)));
  log.info({ pid: process.pid, port: server.port }, 'web process ready');
  // While the product answers already: it takes a second or two.
  if (isFilled)
    sampleData = fillDemo({ config, url, log, isFirstRun: demo.isNew, isTerminal, signal: stopping.signal });
} catch (error) {
  const { code, message, port } = error as { code?: string; message?: string; port?: number };
  if (error instanceof ConfigError || error instanceof MigrationError) console.error(message);
  else if (isUnavailable(error)) console.error(`Cannot use ${databaseName(config)}: ${message || code}`);
  else if (code === 'EADDRINUSE') console.error(`Port ${port} is in use. Set PORT to another one.`);
  else console.error(error);
  process.exit(1);
}

/** @param isFillBegun Whether this process is about to make the sample data. */
async function factsOf(
  { keyFile, passwordFile, secret }: Demo,
  isFillBegun: boolean,
  database: Database,
): Promise<DemoFacts> {
  const profileUuid = isFillBegun ? null : await demoProfileOf(database);
  const state = profileUuid === null ? 'none' : await sampleDataStateOf(database, profileUuid);
  return { username: demoUsername, keyFile, passwordFile, secret, sampleData: isFillBegun ? 'being made' : state };
}
