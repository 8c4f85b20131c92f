import { existsSync } from 'node:fs';
import { Gauge, type Registry } from 'prom-client';
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

/** Seconds after which a rollout of an agent without progress has failed. */
const progressDeadlineSeconds = 300;

/**
 * Opens it. Nothing connects before it is used.
 *
 * @throws {Error} when KUBECONFIG names a file that cannot be read.
 */
export async function openOrchestrator(options: {
  config: Config;
  clock: Clock;
  log: Logger;
  registry: Registry;
}): Promise<Orchestrator> {
  const { config, clock, log, registry } = options;
  switch (orchestratorOf(config)) {
    case 'kubernetes': {
      // The client takes 0.4 s and 80 MB to load: only where it is used.
      const { createKubernetesOrchestrator } = await import('../agents/orchestrator/kubernetes/kubernetes.ts');
      const platformNamespace = config.AGENT_PLATFORM_NAMESPACE;
      const orchestrator = createKubernetesOrchestrator({
        kubeconfig: config.KUBECONFIG,
        namespace: config.AGENT_NAMESPACE,
        installation: config.AGENT_INSTALLATION,
        ingressClass: config.AGENT_INGRESS_CLASS,
        ingressNamespace: config.AGENT_INGRESS_NAMESPACE,
        certIssuer: config.AGENT_CERT_ISSUER,
        egress: config.AGENT_EGRESS,
        platform: platformNamespace ? { namespace: platformNamespace, port: config.PORT } : undefined,
        pods: config.AGENT_PODS,
        progressDeadlineSeconds,
        clock,
      });
      registerWatchAge(registry, () => orchestrator.watchAgeSeconds() ?? 0);
      return orchestrator;
    }
    case 'local':
      return createLocalOrchestrator({ dataDir: config.DATA_DIR, defaultImage, clock, log });
    default:
      return createOffOrchestrator();
  }
}

/** Shows on /metrics whether the watch of the cluster still receives something. @param seconds Since it last did; 0 where it does not run. */
export function registerWatchAge(registry: Registry, seconds: () => number): void {
  new Gauge({
    name: 'patchbay_agent_watch_age_seconds',
    help: 'Seconds since the watch of the cluster received something, in the process that watches. Above 300 the statuses of agents are stale.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(seconds());
    },
  });
}
