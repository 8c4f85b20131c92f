import type { Logger } from './logger.ts';

/** Work that comes round again. A job must bear that two processes run it at once. */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** @returns How many things it dealt with, for the log. */
  run(): Promise<number>;
}

/**
 * Runs each job on its interval, never twice at once in this process. A job that fails is logged and comes round again.
 *
 * @returns Stops the clock and waits for what is running.
 */
export function startJobs(jobs: readonly Job[], log: Logger): () => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const timers = jobs.map((job) =>
    setInterval(() => {
      if (running.has(job.name)) return;
      const round = runOnce(job, log).finally(() => running.delete(job.name));
      running.set(job.name, round);
    }, job.everySeconds * 1_000).unref(),
  );
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running.values());
  };
}

async function runOnce(job: Job, log: Logger): Promise<void> {
  try {
    const count = await job.run();
    if (count > 0) log.info({ job: job.name, count }, 'job done');
  } catch (error) {
    log.error({ job: job.name, error }, 'job failed');
  }
}
