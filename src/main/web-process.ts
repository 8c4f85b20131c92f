import { ConfigError, readConfig } from '../platform/config.ts';
import { createLogger } from '../platform/logger.ts';
import { startServer } from './server.ts';
import { stopOnSignals } from './stop-signals.ts';

// One of several web processes (`PROCESSES`). src/main/processes.ts starts it, over a database that is ready.

const config = readConfig(process.env);
const log = createLogger(config.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'));
try {
  const server = await startServer({ config, url: config.DATABASE_URL as string, log });
  stopOnSignals(() => server.stop(), log);
  log.info({ port: server.port }, 'web process ready');
} catch (error) {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') console.error(`Port ${port} is in use. Set PORT to another one.`);
  else console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
