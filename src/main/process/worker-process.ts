import { ConfigError, readConfig } from '../../platform/config.ts';
import { createLogger } from '../../platform/logger.ts';
import { eventsSetAside, oldestEventSeconds } from '../../platform/messaging/outbox.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { openInfrastructure } from '../infrastructure.ts';
import { createServices, jobsOf } from '../services.ts';
import { watchEventLoop } from './event-loop-watch.ts';
import { ask } from './process-messages.ts';
import { stopOnSignals } from './stop-signals.ts';
import { serveWorkerStatus } from './worker-status.ts';
import { startWorkers } from './workers.ts';

// The process of `npm run worker` that works (supervise-worker.ts).

try {
  const config = readConfig(process.env);
  const log = createLogger(config.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'));
  const infrastructure = await openInfrastructure({ config, url: config.DATABASE_URL as string, log, isWorker: true });
  const services = createServices(infrastructure);
  const stopWorkers = startWorkers({ services, infrastructure, jobs: jobsOf(services, infrastructure) });
  const { registry, database } = infrastructure;
  createMetrics({
    registry,
    pool: database.pool,
    outboxSeconds: () => oldestEventSeconds(infrastructure),
    outboxSetAside: () => eventsSetAside(infrastructure),
  });
  const status =
    config.WORKER_PORT === undefined ? null : await serveWorkerStatus({ port: config.WORKER_PORT, database, registry });
  stopOnSignals(async () => {
    status?.close();
    await stopWorkers();
    await infrastructure.close();
  }, log);
  watchEventLoop({ log, hangSeconds: config.HANG_SECONDS });
  await ask('ready');
  log.info({ pid: process.pid, port: status?.port }, 'worker ready');
} catch (error) {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') console.error(`Port ${port} is in use. Set WORKER_PORT to another one.`);
  else console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
