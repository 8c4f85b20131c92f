import { cleanUp } from './cleanup.ts';

const periodMs = 10;

/**
 * Starts a clock that stands still while a busy machine gives this process no time, so that a test may claim how long the
 * product lets a client wait. It ticks every 10 ms; of a longer gap between two ticks it counts 20 ms.
 *
 * It says nothing about work that blocks the process: for that, measure `process.cpuUsage()`.
 *
 * @returns A function that gives the milliseconds since the start.
 */
export function startStopwatch(): () => number {
  let countedMs = 0;
  let last = performance.now();
  const count = () => {
    const now = performance.now();
    countedMs += Math.min(now - last, 2 * periodMs);
    last = now;
    return countedMs;
  };
  const timer = setInterval(count, periodMs);
  cleanUp(() => clearInterval(timer));
  return count;
}
