import { createOffOrchestrator, type Orchestrator } from '../agents/index.ts';
import type { Config } from '../platform/config.ts';

/** The driver that ORCHESTRATOR names. */
export function openOrchestrator(_config: Config): Orchestrator {
  return createOffOrchestrator();
}
