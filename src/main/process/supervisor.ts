import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/logger.ts';
import { reasonOf } from './ending.ts';

/** Processes of one program that are started again when they end. */
export interface Supervisor {
  /**
   * Resolves when each process has called {@link ready} for the first time.
   *
   * @throws {ProcessEnded} when one ends before.
   */
  readonly started: Promise<void>;
  /** Reports that a process is ready. */
  ready(worker: Worker): void;
  /**
   * Asks all of them to stop, and waits until they have.
   *
   * @throws {Error} when the stop of one failed.
   */
  stop(): Promise<void>;
}

/** A process ended before it was ready. Its standard error has the reason, unless `message` does. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded';
}

/** A process that lived this long is not part of a crash loop. */
const steadyMs = 60_000;
const firstPauseMs = 1_000;
const pauseMsMax = 30_000;

/**
 * How long to wait before a process is started again: not at all the first time, then 1, 2, 4 … up to 30 seconds, until one
 * has lived for a minute.
 *
 * @param livedMs How long the process that ended has lived.
 * @param previousMs The pause before that process; null for the first.
 * @returns Milliseconds.
 */
export function pauseBefore(livedMs: number, previousMs: number | null): number {
  if (previousMs === null || livedMs >= steadyMs) return 0;
  return Math.min(pauseMsMax, Math.max(firstPauseMs, previousMs * 2));
}

/** Bytes of a process's standard error that are kept to explain its end. V8 writes some 5 kB when its heap is full. */
const stderrCharactersKept = 20_000;

/** glibc otherwise keeps an arena of freed memory for each thread. */
const environment = { MALLOC_ARENA_MAX: '2' };

/**
 * Starts `count` processes of a program, and restarts each that ends, with growing pauses. This process must stay
 * small: it remains when memory runs out.
 *
 * @param options.name Name of one of them in the log, such as "web process".
 * @param options.onStart Is called with each new process, also with replacements.
 * @param options.onEnd Is called with each process that ended.
 */
export function supervise(options: {
  program: string;
  count: number;
  name: string;
  log: Logger;
  onStart?: (worker: Worker, index: number) => void;
  onEnd?: (worker: Worker) => void;
}): Supervisor {
  const { program, count, name, log, onStart, onEnd } = options;
  const stopping = new AbortController();
  const hasStarted = Promise.withResolvers<void>();
  // Awaited later: until then its rejection must not count as unhandled.
  hasStarted.promise.catch(() => undefined);
  const readyOnes = new Set<Worker>();
  const living = new Map<Worker, Promise<number | null>>();
  const alreadyStarted = () => readyIndexes.size === count;
  const readyIndexes = new Set<number>();
  const indexes = new Map<Worker, number>();
  cluster.setupPrimary({ exec: program, args: [], stdio: ['inherit', 'inherit', 'pipe', 'ipc'] });

  function start(index: number, pauseMs: number | null): void {
    const since = performance.now();
    const worker = cluster.fork(environment);
    indexes.set(worker, index);
    let stderr = '';
    worker.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text);
      stderr = (stderr + text).slice(-stderrCharactersKept);
    });
    const ended = Promise.withResolvers<number | null>();
    living.set(worker, ended.promise);
    // Unlike `exit`, it comes after all that the process wrote.
    worker.process.once('close', (code, signal) => {
      living.delete(worker);
      indexes.delete(worker);
      const wasReady = readyOnes.delete(worker);
      onEnd?.(worker);
      ended.resolve(wasReady ? code : 0);
      if (stopping.signal.aborted) return;
      const reason = reasonOf({ code, signal, stderr });
      if (!alreadyStarted()) {
        const isSaid = signal === null && stderr !== '';
        hasStarted.reject(new ProcessEnded(isSaid ? '' : `A ${name} ended before it was ready. ${reason}`));
        return;
      }
      const nextPauseMs = pauseBefore(performance.now() - since, pauseMs);
      const facts = { pid: worker.process.pid, code, signal, reason, pauseMs: nextPauseMs };
      log.error(facts, `a ${name} stopped; a replacement is started`);
      void delay(nextPauseMs, undefined, { signal: stopping.signal }).then(
        () => start(index, nextPauseMs),
        () => undefined,
      );
    });
    onStart?.(worker, index);
  }

  for (let index = 0; index < count; index++) start(index, null);

  return {
    started: hasStarted.promise,
    ready(worker) {
      const index = indexes.get(worker);
      if (index === undefined) return;
      readyOnes.add(worker);
      readyIndexes.add(index);
      if (alreadyStarted()) hasStarted.resolve();
    },
    async stop() {
      stopping.abort();
      for (const worker of living.keys()) worker.process.kill('SIGTERM');
      const codes = await Promise.all(living.values());
      const failed = codes.filter((code) => code !== 0).length;
      if (failed > 0) throw new Error(`${failed} of ${codes.length} processes did not stop in order`);
    },
  };
}
