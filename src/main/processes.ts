import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Logger } from '../platform/logger.ts';

/** Several web processes that share one port, seen from the process that keeps them. */
export interface Processes {
  readonly port: number;
  /** Asks all of them to stop, and waits until they have. */
  stop(): Promise<void>;
}

/** A process that ends sooner than this is not replaced before. */
const leastLifeMs = 2_000;

/**
 * Starts `count` web processes and replaces each that ends unasked. The kernel knows one listener; Node hands its connections
 * to the processes in turn.
 *
 * @param options.databaseUrl Of the database, which is migrated.
 * @throws {Error} when one of them ends before all of them listen. It has said why.
 */
export async function startProcesses(options: { count: number; databaseUrl: string; log: Logger }): Promise<Processes> {
  const { count, databaseUrl, log } = options;
  const metrics = new AggregatorRegistry();
  let isStopping = false;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./web-process.ts', import.meta.url)) });
  const fork = () => cluster.fork({ DATABASE_URL: databaseUrl });

  async function replace(worker: Worker, since: number): Promise<void> {
    const [code, signal] = await once(worker, 'exit');
    if (isStopping) return;
    log.error({ pid: worker.process.pid, code, signal }, 'a web process ended; another takes its place');
    await delay(Math.max(0, leastLifeMs - (performance.now() - since)));
    if (!isStopping) void replace(fork(), performance.now());
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (!worker || worker.isDead()) return;
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  }

  cluster.on('message', async (worker, message: unknown) => {
    if (!isQuestion(message)) return;
    const text = await metrics.clusterMetrics().catch(() => '');
    if (worker.isConnected()) worker.send({ ...message, type: answerType, text });
  });

  const workers = Array.from({ length: count }, fork);
  try {
    const addresses = await Promise.all(workers.map(listening));
    for (const worker of workers) void replace(worker, performance.now());
    return { port: addresses[0] as number, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A web process could not start. Its own output tells why. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded';
}

function listening(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }) => resolve(port));
    worker.once('exit', (code) => reject(new ProcessEnded(`A web process ended with ${code} before it listened.`)));
  });
}

const questionType = 'patchbay:metrics?';
const answerType = 'patchbay:metrics';

interface MetricsMessage {
  readonly type: string;
  readonly id: number;
  readonly text?: string;
}

const isQuestion = (message: unknown): message is MetricsMessage =>
  (message as Partial<MetricsMessage> | null)?.type === questionType;

/**
 * What `/metrics` shows: the figures of all web processes together, whichever of them is asked. Counters are summed; a process
 * that was replaced takes its own with it.
 *
 * @returns A function that gives the text; in a process that is alone, its own figures.
 */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  const { worker } = cluster;
  if (!worker) return () => registry.metrics();
  // This one answers when the first process asks.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries(registry as never);
  const waiting = new Map<number, (text: string) => void>();
  let asked = 0;
  worker.on('message', (message: MetricsMessage | null) => {
    if (message?.type !== answerType) return;
    waiting.get(message.id)?.(message.text || '');
    waiting.delete(message.id);
  });
  return async () => {
    const id = ++asked;
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    worker.send({ type: questionType, id });
    return (await answer) || registry.metrics();
  };
}
