/** How often the local driver looks and how long it waits, all in milliseconds. */
export interface LocalTiming {
  /** Between two reads of the desired state by a runner. */
  readonly lookMs: number;
  /** Between two looks of `watch` and of a log that is followed. */
  readonly pollMs: number;
  /** Between two health checks; before the first success at most 100 ms. */
  readonly probeMs: number;
  /** In which a health check must be answered. */
  readonly probeTimeoutMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Before the first restart of an agent that has ended; it doubles with each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** An agent that ran for so long begins again with the first pause. */
  readonly steadyMs: number;
  /** In which a new revision must become ready. */
  readonly progressDeadlineMs: number;
}

export const defaultTiming: LocalTiming = {
  lookMs: 1_000,
  pollMs: 1_000,
  probeMs: 1_000,
  probeTimeoutMs: 1_000,
  graceMs: 10_000,
  firstPauseMs: 1_000,
  longestPauseMs: 30_000,
  steadyMs: 60_000,
  progressDeadlineMs: 60_000,
};
