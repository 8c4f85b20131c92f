import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { isUnavailable } from './unavailable.ts';

const probeEveryMs = 1_000;

/**
 * Logs that background work failed: a warning with the error. While the database is away, failures that say so are not logged, since they
 * come with every look of every worker: the log has one line when it goes and one when it is back.
 *
 * @param message What failed.
 * @param facts What else the line has.
 */
export type ReportFailure = (error: unknown, message: string, facts?: Readonly<Record<string, unknown>>) => void;

/** @param options.ping Fails when the database does not answer. */
export function createOutages({ ping, log }: { ping(): Promise<unknown>; log: Logger }): {
  report: ReportFailure;
  close(): void;
} {
  const closing = new AbortController();
  const { signal } = closing;
  let isAway = false;
  let probing: Promise<void> | null = null;

  /** Finds out whether the database is away, or only one of its statements was too slow. Then says when it is back. */
  async function probe(): Promise<void> {
    const reason = await reasonOf(ping());
    if (reason === null || signal.aborted) return;
    isAway = true;
    log.warn({ reason }, 'the database does not answer; background work waits for it');
    void watch();
  }

  async function watch(): Promise<void> {
    const since = performance.now();
    do {
      await delay(probeEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    } while ((await reasonOf(ping())) !== null);
    isAway = false;
    log.info({ seconds: Math.round((performance.now() - since) / 1_000) }, 'the database answers again');
  }

  function report(error: unknown, message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    const warn = () => log.warn({ ...facts, error }, message);
    if (!isUnavailable(error)) warn();
    if (!isUnavailable(error) || isAway || signal.aborted) return;
    probing ??= probe().finally(() => {
      probing = null;
    });
    void probing.then(() => {
      if (!isAway && !signal.aborted) warn();
    });
  }

  return { report, close: () => closing.abort() };
}

/** Why something failed, in the words of the innermost error; null when it did not. */
const reasonOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: unknown) => {
      let innermost = error;
      while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
      const { message, code } = innermost as { message?: string; code?: unknown };
      return message || String(code ?? innermost);
    },
  );
