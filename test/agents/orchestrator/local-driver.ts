import { fileURLToPath } from 'node:url';
import { createLocalOrchestrator } from '../../../src/agents/orchestrator/local/local.ts';
import type { LocalTiming } from '../../../src/agents/orchestrator/local/timing.ts';
import type { Orchestrator } from '../../../src/agents/orchestrator/orchestrator.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { createLogger } from '../../../src/platform/logger.ts';

/** So often and so long that a test need not wait. */
export const quickTiming: LocalTiming = {
  lookMs: 20,
  pollMs: 20,
  probeMs: 20,
  probeTimeoutMs: 5_000,
  graceMs: 5_000,
  firstPauseMs: 10,
  longestPauseMs: 50,
  steadyMs: 60_000,
  progressDeadlineMs: 60_000,
};

/** The programs in local-agents by their names, as `local:<name>`; no other image is known. */
export const findProgram = (image: string): string | null => {
  const name = /^local:([a-z-]+)$/.exec(image)?.[1];
  return name === undefined ? null : fileURLToPath(new URL(`./local-agents/${name}.ts`, import.meta.url));
};

/** A local driver for tests, which looks often and waits little. */
export const openLocalDriver = (
  dataDir: string,
  timing: Partial<LocalTiming> = {},
  clock: Clock = systemClock,
): Orchestrator =>
  createLocalOrchestrator({
    dataDir,
    defaultImage: 'local:works',
    clock,
    log: createLogger('silent'),
    findProgram,
    timing: { ...quickTiming, ...timing },
  });
