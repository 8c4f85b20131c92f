import type { Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../platform/logger.ts';
import { type DemoFacts, type Handlers, handleRequests } from './process-messages.ts';
import { gatheredMetrics } from './process-metrics.ts';
import { sharedPort } from './shared-port.ts';
import { supervise } from './supervisor.ts';

/** The web processes, seen from the process that starts them and owns their port. */
export interface Processes {
  /**
   * Lets them begin, over a database that runs, and opens the port when all of them are ready.
   *
   * @throws {ProcessEnded} when one of them ends before.
   */
  open(options: { databaseUrl: string; port: number }): Promise<{ port: number; demo: DemoFacts | null }>;
  /** Asks all of them to stop, and waits until they have. */
  stop(): Promise<void>;
}

/**
 * Starts `count` web processes, which load the product and then wait for the database. A process that ends is
 * restarted; the port stays open in the meantime, and connections wait.
 */
export function startProcesses({ count, log }: { count: number; log: Logger }): Processes {
  const port = sharedPort();
  const database = Promise.withResolvers<string>();
  const prepared = Promise.withResolvers<void>();
  let demo: DemoFacts | null = null;
  let isStopping = false;

  const handlersOf = (index: number): Handlers => ({
    async begin() {
      const databaseUrl = await database.promise;
      if (index > 0) await prepared.promise;
      return { databaseUrl, isFirst: index === 0 };
    },
    async prepared() {
      prepared.resolve();
      return null;
    },
    async ready(sent, worker) {
      demo ??= sent;
      port.add(worker.process);
      supervisor.ready(worker);
      return null;
    },
    async leave(_, worker) {
      if (isStopping) await port.close();
      port.leave(worker.process);
      return null;
    },
    metrics: gatheredMetrics,
  });

  const supervisor = supervise({
    program: fileURLToPath(new URL('./web-process.ts', import.meta.url)),
    count,
    name: 'web process',
    log,
    onStart: (worker: Worker, index) =>
      handleRequests(worker, handlersOf(index), (error) => log.error({ error }, 'a request of a web process failed')),
    onEnd: (worker) => port.lost(worker.process),
  });

  return {
    async open(options) {
      database.resolve(options.databaseUrl);
      await supervisor.started;
      return { port: await port.listen(options.port), demo };
    },
    async stop() {
      isStopping = true;
      await supervisor.stop().finally(port.end);
    },
  };
}
