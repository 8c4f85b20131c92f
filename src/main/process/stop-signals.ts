import type { Logger } from '../../platform/logger.ts';

/** A stop that hangs is ended by force, a little after requests under way had their time (server.ts). */
const stopTimeoutMs = 30_000;
/** npm passes a terminal's Ctrl-C on to a process that already received it: the echo is not a second request. */
const echoMs = 1_000;

/**
 * Stops on SIGTERM, SIGINT and SIGHUP with exit code 0, and on an error that nothing caught with 1. A second signal ends at
 * once, for who does not want to wait.
 */
export function stopOnSignals(stop: () => Promise<void>, log: Logger): void {
  let stoppingSince: number | null = null;

  async function begin(exitCode: number): Promise<void> {
    stoppingSince = performance.now();
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    try {
      await stop();
      process.exit(exitCode);
    } catch (error) {
      log.fatal({ error }, 'the stop failed');
      process.exit(1);
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSince === null) {
        log.info({ signal }, 'stopping');
        void begin(0);
      } else if (performance.now() - stoppingSince > echoMs) {
        process.exit(1);
      }
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ error }, 'stopping after an error that nothing caught');
      if (stoppingSince === null) void begin(1);
    });
  }
}
