import { readFileSync } from 'node:fs';
import { type KubernetesObject, loadAllYaml } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { createKubernetesApi } from '../../src/agents/orchestrator/kubernetes/api.ts';
import { loadCluster } from '../../src/agents/orchestrator/kubernetes/cluster.ts';
import type { DeploymentStatus, LogLine } from '../../src/agents/orchestrator/orchestrator.ts';
import { agentDeployment } from '../support/agent-deployment.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';
import { images } from '../support/kubernetes/fake-kubelet.ts';
import { kubeconfigWithToken } from '../support/kubernetes/kubeconfig.ts';

/** The role that deploy/ ships, in the namespace of the test, and a driver that has no other rights. */
async function createRestrictedStage() {
  const stage = await createClusterStage();
  const { namespace, create, kubeconfig } = stage;
  const text = readFileSync(new URL('../../deploy/kubernetes/rbac.yaml', import.meta.url), 'utf8');
  const objects = loadAllYaml(text) as KubernetesObject[];
  const the = (kind: string) => {
    const found = objects.find((object) => object.kind === kind);
    if (!found) throw new Error(`deploy/kubernetes/rbac.yaml has no ${kind}`);
    return found;
  };
  await create('/api/v1', 'serviceaccounts', { metadata: { name: 'patchbay' } });
  for (const [kind, plural] of [
    ['Role', 'roles'],
    ['RoleBinding', 'rolebindings'],
  ] as const) {
    const body = JSON.parse(JSON.stringify(the(kind)).replaceAll(/"namespace":"\w+"/g, `"namespace":"${namespace}"`));
    await create('/apis/rbac.authorization.k8s.io/v1', plural, body);
  }
  const granted = await create<{ status?: { token?: string } }>('/api/v1', 'serviceaccounts/patchbay/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3_600 },
  });
  const restricted = kubeconfigWithToken(kubeconfig, granted.status?.token ?? '');
  const api = createKubernetesApi(loadCluster(restricted));
  cleanUp(() => api.close());
  return { ...stage, restricted, restrictedApi: api };
}

it('the role of deploy/ is enough for everything that the driver does', async () => {
  const { createOrchestrator, restricted, create } = await createRestrictedStage();
  const orchestrator = createOrchestrator({ kubeconfig: restricted });
  const agent = agentDeployment({ image: images.talks });
  const { deployment } = agent;
  const ending = new AbortController();
  const seen: (DeploymentStatus | null)[] = [];
  const watching = orchestrator.watch(
    { onStatus: (_deployment, status) => void seen.push(status), onReachable: () => undefined },
    ending.signal,
  );
  await orchestrator.apply(agent, never);
  await orchestrator.apply({ ...agent, revision: 2 }, never);
  await eventually('ready', async () => (await orchestrator.status(deployment, never))?.ready);
  await eventually('seen', () => seen.some((status) => status?.ready));
  expect(await orchestrator.list(never)).toEqual([{ deployment, agentUuid: agent.agentUuid }]);
  expect((await orchestrator.events(deployment, never)).length).toBeGreaterThan(0);
  await eventually('a line of the log', async () => {
    const lines: LogLine[] = [];
    for await (const line of orchestrator.logs(deployment, { tailLines: 1, follow: false }, never)) lines.push(line);
    return lines.length > 0;
  });
  await orchestrator.drain(deployment, never);
  await create('/api/v1', 'secrets', { metadata: { name: `${deployment}-tls` } });
  await eventually('gone', () => orchestrator.remove(deployment, never));
  await eventually('seen to be gone', () => seen.at(-1) === null);
  ending.abort();
  await watching;
});

it('the role of deploy/ allows nothing else', async () => {
  const { namespace, restrictedApi, create, createOrchestrator, restricted } = await createRestrictedStage();
  const here = `/api/v1/namespaces/${namespace}`;
  await create('/api/v1', 'secrets', { metadata: { name: 'other' } });
  const forbidden: [method: string, path: string, body?: object][] = [
    ['GET', `${here}/secrets`],
    ['GET', `${here}/secrets/other`],
    ['POST', `${here}/pods`, { metadata: { name: 'x' }, spec: { containers: [{ name: 'x', image: 'x' }] } }],
    ['DELETE', `${here}/pods/x`],
    ['POST', `${here}/pods/x/exec`],
    ['POST', `${here}/serviceaccounts/patchbay/token`, { spec: {} }],
    ['GET', '/api/v1/namespaces'],
    ['GET', '/api/v1/nodes'],
    ['GET', '/api/v1/namespaces/default/pods'],
    ['POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`, { metadata: { name: 'x' } }],
  ];
  for (const [method, path, body] of forbidden)
    await expect(restrictedApi.call(method, path, { body, signal: never }), `${method} ${path}`).rejects.toMatchObject({
      status: 403,
    });
  const elsewhere = createOrchestrator({ kubeconfig: restricted, namespace: 'default' });
  await expect(elsewhere.apply(agentDeployment(), never)).rejects.toMatchObject({
    kind: 'rejected',
    message: 'ConfigMap: the platform does not have the rights in the cluster that this needs',
  });
});
