import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { createKubernetesApi, type KubernetesApi } from '../../../src/agents/orchestrator/kubernetes/api.ts';
import { isStatus } from '../../../src/agents/orchestrator/kubernetes/api-failure.ts';
import { loadCluster } from '../../../src/agents/orchestrator/kubernetes/cluster.ts';
import {
  createKubernetesOrchestrator,
  type KubernetesOptions,
  type KubernetesOrchestrator,
} from '../../../src/agents/orchestrator/kubernetes/kubernetes.ts';
import type { WireList, WireObject } from '../../../src/agents/orchestrator/kubernetes/wire.ts';
import { manifestSettings } from '../agent-deployment.ts';
import { cleanUp } from '../cleanup.ts';

export interface ClusterStage {
  readonly namespace: string;
  readonly kubeconfig: string;
  /** As the administrator. */
  readonly api: KubernetesApi;
  readonly orchestrator: KubernetesOrchestrator;
  /** A further driver over the same namespace. */
  createOrchestrator(changes?: Partial<KubernetesOptions>): KubernetesOrchestrator;
  /** An object, or null. @param path Below the namespace's, such as `/apis/apps/v1`, `deployments/x`. */
  object<Item extends WireObject>(group: string, path: string): Promise<Item | null>;
  create<Item = WireObject>(group: string, path: string, body: object): Promise<Item>;
  /** The objects of an agent, as `Kind/name`, Secrets and pods included. */
  objectsOf(deployment: string): Promise<string[]>;
}

export const never = new AbortController().signal;

const kinds = [
  ['/api/v1', 'configmaps', 'ConfigMap'],
  ['/api/v1', 'secrets', 'Secret'],
  ['/api/v1', 'serviceaccounts', 'ServiceAccount'],
  ['/api/v1', 'services', 'Service'],
  ['/api/v1', 'pods', 'Pod'],
  ['/apis/apps/v1', 'deployments', 'Deployment'],
  ['/apis/networking.k8s.io/v1', 'ingresses', 'Ingress'],
  ['/apis/networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy'],
] as const;

/** A namespace of its own, and a driver over it. */
export async function createClusterStage(kubeconfig = inject('kubeconfig')): Promise<ClusterStage> {
  const api = createKubernetesApi(loadCluster(kubeconfig));
  const namespace = `test-${randomBytes(4).toString('hex')}`;
  await api.call('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } }, signal: never });
  const path = (group: string, rest: string) => `${group}/namespaces/${namespace}/${rest}`;
  const createOrchestrator = (changes: Partial<KubernetesOptions> = {}) => {
    const orchestrator = createKubernetesOrchestrator({ ...manifestSettings, namespace, kubeconfig, ...changes });
    cleanUp(() => orchestrator.close());
    return orchestrator;
  };
  cleanUp(async () => {
    await api.call('DELETE', `/api/v1/namespaces/${namespace}`, { signal: never }).catch(() => undefined);
    api.close();
  });
  return {
    namespace,
    kubeconfig,
    api,
    orchestrator: createOrchestrator(),
    createOrchestrator,
    async object<Item extends WireObject>(group: string, rest: string) {
      try {
        return await api.call<Item>('GET', path(group, rest), { signal: never });
      } catch (error) {
        if (isStatus(error, 404)) return null;
        throw error;
      }
    },
    create: (group, rest, body) => api.call('POST', path(group, rest), { body, signal: never }),
    async objectsOf(deployment) {
      const lists = await Promise.all(
        kinds.map(async ([group, plural, kind]) => {
          const { items } = await api.call<WireList<WireObject>>('GET', path(group, plural), { signal: never });
          return (
            (items ?? [])
              .filter(({ metadata: { name } }) => name === deployment || name.startsWith(`${deployment}-`))
              // The API server makes a token for each account by itself.
              .filter(({ metadata: { name } }) => kind !== 'Secret' || !name.includes('-token-'))
              .map(({ metadata: { name } }) => `${kind}/${name}`)
          );
        }),
      );
      return lists.flat();
    },
  };
}
