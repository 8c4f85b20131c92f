import { readFileSync } from 'node:fs';

/**
 * For how many milliseconds processes could have worked and a busy machine gave them no core, so far and all together. A timer of a process
 * fires so much later: subtract what was withheld during a wait from the time of the wait. 0 where the system does not count it.
 *
 * @see https://docs.kernel.org/scheduler/sched-stats.html, /proc/<pid>/schedstat
 */
export function withheldMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + withheldOf(pid), 0);
}

/** Of its main thread, which is where Node runs JavaScript. */
function withheldOf(pid: number): number {
  try {
    const [, waitingNanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitingNanoseconds) / 1e6;
  } catch {
    return 0;
  }
}
