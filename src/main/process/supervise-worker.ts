import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '../../platform/config.ts';
import { createLogger } from '../../platform/logger.ts';
import { handleRequests } from './process-messages.ts';
import { stopOnSignals } from './stop-signals.ts';
import { ProcessEnded, supervise } from './supervisor.ts';

/** Keeps one worker process alive until it is stopped. Exits with code 1 and a sentence if the worker cannot start. */
export async function superviseWorker(): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const config = readConfig(process.env);
    if (!config.DATABASE_URL)
      throw new ConfigError([
        'DATABASE_URL: expected the database of the web processes; the embedded one serves one process',
      ]);
    const log = createLogger(config.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'));
    const supervisor = supervise({
      program: fileURLToPath(new URL('./worker-process.ts', import.meta.url)),
      count: 1,
      name: 'worker process',
      log,
      onStart: (worker) =>
        handleRequests(
          worker,
          {
            async ready() {
              supervisor.ready(worker);
              return null;
            },
          },
          (error) => log.error({ error }, 'a request of a worker process failed'),
        ),
    });
    stopOnSignals(() => supervisor.stop(), log);
    await supervisor.started;
    if (process.stdout.isTTY) console.log('The worker is running; press Ctrl-C to stop it.');
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ProcessEnded)) console.error(error);
    else if (error.message) console.error(error.message);
    process.exit(1);
  }
}
