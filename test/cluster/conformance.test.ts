import type { WireList, WirePod } from '../../src/agents/orchestrator/kubernetes/wire.ts';
import { agentLabel } from '../../src/agents/orchestrator/manifests/labels.ts';
import { describeOrchestrator } from '../agents/orchestrator/conformance.ts';
import { createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';
import { images } from '../support/kubernetes/fake-kubelet.ts';

describeOrchestrator('kubernetes', async () => {
  const { orchestrator, createOrchestrator, api, namespace, objectsOf } = await createClusterStage();
  const podsOf = async (deployment: string) => {
    const { items } = await api.call<WireList<WirePod>>('GET', `/api/v1/namespaces/${namespace}/pods`, {
      query: { labelSelector: `app.kubernetes.io/instance=${deployment},${agentLabel}` },
      signal: never,
    });
    return items ?? [];
  };
  return {
    orchestrator,
    elsewhere: createOrchestrator(),
    images,
    instances: async (deployment) => (await podsOf(deployment)).map(({ metadata }) => metadata.uid),
    async isServed(deployment) {
      const endpoints: { subsets?: { addresses?: unknown[] }[] } = await api
        .call<object>('GET', `/api/v1/namespaces/${namespace}/endpoints/${deployment}`, { signal: never })
        .catch(() => ({}));
      return endpoints.subsets?.some(({ addresses = [] }) => addresses.length > 0) ?? false;
    },
    remains: objectsOf,
    async readableText(deployment) {
      const groups = {
        '/api/v1': ['configmaps', 'serviceaccounts', 'services', 'pods', 'events'],
        '/apis/apps/v1': ['deployments', 'replicasets'],
        '/apis/networking.k8s.io/v1': ['ingresses', 'networkpolicies'],
      };
      const lists = Object.entries(groups).flatMap(([group, kinds]) =>
        kinds.map((kind) =>
          api.call<WireList<WirePod>>('GET', `${group}/namespaces/${namespace}/${kind}`, { signal: never }),
        ),
      );
      const items = (await Promise.all(lists)).flatMap((list) => list.items ?? []);
      return items
        .map((item) => JSON.stringify(item))
        .filter((text) => text.includes(deployment))
        .join('\n');
    },
  };
});
