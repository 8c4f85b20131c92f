import { existsSync } from 'node:fs';
import { createLocalOrchestrator, createOffOrchestrator, defaultImage, type Orchestrator } from '../agents/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';

/** Every pod of a cluster that may talk to its API server has this file. */
const serviceAccountToken = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * The driver that ORCHESTRATOR names. Left out: `kubernetes` where a cluster is configured, else `local` in development. Local agents
 * are processes of this machine without isolation, so production never runs them.
 */
export function orchestratorOf({
  ORCHESTRATOR,
  KUBECONFIG,
  NODE_ENV,
}: Pick<Config, 'ORCHESTRATOR' | 'KUBECONFIG' | 'NODE_ENV'>): Orchestrator['kind'] {
  if (ORCHESTRATOR) return ORCHESTRATOR;
  if (KUBECONFIG || existsSync(serviceAccountToken)) return 'kubernetes';
  return NODE_ENV === 'development' ? 'local' : 'off';
}

/** Opens it. Nothing connects before it is used. */
export function openOrchestrator(options: { config: Config; clock: Clock; log: Logger }): Orchestrator {
  const { config, clock, log } = options;
  switch (orchestratorOf(config)) {
    case 'local':
      return createLocalOrchestrator({ dataDir: config.DATA_DIR, defaultImage, clock, log });
    default:
      return createOffOrchestrator();
  }
}
