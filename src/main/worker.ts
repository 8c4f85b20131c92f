import { existsSync } from 'node:fs';
import { ConfigError, readConfig } from '../platform/config.ts';
import { createLogger } from '../platform/logger.ts';
import { createMetrics } from '../platform/metrics.ts';
import { oldestEventSeconds } from '../platform/outbox.ts';
import { openPlatform } from './platform.ts';
import { createServices, jobsOf } from './services.ts';
import { stopOnSignals } from './stop-signals.ts';
import { serveWorkerStatus } from './worker-status.ts';
import { startWorkers } from './workers.ts';

// `npm run worker`: delivers webhooks and mail and runs what is scheduled, without a web server. Any number may run, over
// the database that the web processes have migrated.

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  if (!config.DATABASE_URL)
    throw new ConfigError([
      'DATABASE_URL: expected the database of the web processes; the embedded one serves one process',
    ]);
  const log = createLogger(config.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'));
  const platform = await openPlatform({ config, url: config.DATABASE_URL, log, isWorker: true });
  const services = createServices(platform);
  const stopWorkers = startWorkers({ services, platform, jobs: jobsOf(services, platform) });
  const { registry, database } = platform;
  createMetrics({ registry, pool: database.pool, outboxSeconds: () => oldestEventSeconds(platform) });
  const status =
    config.WORKER_PORT === undefined ? null : await serveWorkerStatus({ port: config.WORKER_PORT, database, registry });
  stopOnSignals(async () => {
    status?.close();
    await stopWorkers();
    await platform.close();
  }, log);
  if (process.stdout.isTTY) console.log('Delivering; Ctrl-C ends it.');
  else log.info({ port: status?.port }, 'worker ready');
} catch (error) {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') console.error(`Port ${port} is in use. Set WORKER_PORT to another one.`);
  else console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
