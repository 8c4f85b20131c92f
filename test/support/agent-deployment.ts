import { randomUUID } from 'node:crypto';
import type { ManifestSettings } from '../../src/agents/orchestrator/manifests/manifest-settings.ts';
import type { AgentDeployment } from '../../src/agents/orchestrator/orchestrator.ts';

/** A deployment of its own, whose uuid and name no other has. */
export function agentDeployment(changes: Partial<AgentDeployment> = {}): AgentDeployment {
  const agentUuid = changes.agentUuid ?? randomUUID();
  return {
    agentUuid,
    profileUuid: '22222222-2222-4222-8222-222222222222',
    projectUuid: '33333333-3333-4333-8333-333333333333',
    name: 'worker',
    deployment: `worker-${agentUuid.slice(0, 8)}`,
    host: `worker-${agentUuid.slice(0, 8)}.agents.example.com`,
    revision: 1,
    image: 'ghcr.io/acme/agent:1.2',
    resources: { cpuRequest: '100m', memoryRequest: '256Mi', cpuLimit: '1000m', memoryLimit: '1Gi' },
    replicas: 1,
    restartedAt: null,
    env: { PATCHBAY_URL: 'https://patchbay.example.com', PATCHBAY_AGENT_UUID: agentUuid },
    secretEnv: { PATCHBAY_API_KEY: 'pbk_canary_of_the_tests' },
    ...changes,
  };
}

export const manifestSettings: ManifestSettings = {
  namespace: 'agents',
  installation: 'patchbay',
  ingressClass: 'nginx',
  ingressNamespace: 'ingress-nginx',
  certIssuer: 'letsencrypt',
  egress: [],
  pods: {},
  progressDeadlineSeconds: 300,
};
