import { openInfrastructure } from '../../src/main/infrastructure.ts';
import { stopOnSignals } from '../../src/main/process/stop-signals.ts';
import { startWorkers } from '../../src/main/process/workers.ts';
import { createServices, jobsOf } from '../../src/main/services.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createFastClock } from './fast-clock.ts';

// src/cli/worker.ts at another speed: a process that a run of faults kills and starts again.

const { CLOCK_SINCE = '', CLOCK_FACTOR = '1', ...environment } = process.env;
const config = readConfig(environment);
const log = createLogger(config.LOG_LEVEL ?? 'error');
const clock = createFastClock(new Date(CLOCK_SINCE), Number(CLOCK_FACTOR));
const infrastructure = await openInfrastructure({
  config,
  url: String(config.DATABASE_URL),
  log,
  isWorker: true,
  clock,
});
const services = createServices(infrastructure);
const stopWorkers = startWorkers({ services, infrastructure, jobs: jobsOf(services, infrastructure) });
stopOnSignals(async () => {
  await stopWorkers();
  await infrastructure.close();
}, log);
process.stdout.write('ready\n');
