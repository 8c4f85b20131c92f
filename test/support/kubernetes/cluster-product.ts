import type { KubernetesOptions } from '../../../src/agents/orchestrator/kubernetes/kubernetes.ts';
import { cleanUp } from '../cleanup.ts';
import { startTestServer, tenantOf } from '../server.ts';
import type { ClusterStage } from './cluster-stage.ts';
import { images } from './fake-kubelet.ts';

/** The product over a namespace of the cluster, with a reconciler that works until the test is over. */
export async function startClusterProduct(cluster: ClusterStage, options: Partial<KubernetesOptions> = {}) {
  const server = await startTestServer({ AGENT_DRAIN_SECONDS: '0' }, undefined, {
    isRealTime: true,
    orchestrator: cluster.createOrchestrator(options),
  });
  cleanUp(await server.services.agents.reconciler.start());
  const { call } = await tenantOf(server);
  const create = async (name: string, image: string = images.works) =>
    (await call('POST', '/api/agents', { name, image })).body;
  const details = async (uuid: string) => (await call('GET', `/api/agents/${uuid}`)).body;
  return { server, call, create, details };
}
