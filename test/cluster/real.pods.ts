import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { LogLine } from '../../src/agents/orchestrator/orchestrator.ts';
import { defaultImage } from '../../src/agents/orchestrator/policy.ts';
import { agentDeployment } from '../support/agent-deployment.ts';
import { eventually } from '../support/deadline.ts';
import { createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';

// `npm run test:cluster -- --kubeconfig FILE`: in a cluster with a kubelet and a container runtime, such as kind or k3s. It makes a
// namespace of its own and removes it.
const kubeconfig = process.env.KUBECONFIG_OF_TESTS ?? '';
/** A first pull of an image takes minutes. */
const withinMs = 300_000;

it('runs the default image as a real pod, serves it, drains it and removes it', { timeout: 2 * withinMs }, async () => {
  const { orchestrator, api, namespace, objectsOf } = await createClusterStage(kubeconfig);
  // The cluster itself enforces the standard that test/agents/manifests.test.ts describes.
  await api.call('PATCH', `/api/v1/namespaces/${namespace}`, {
    contentType: 'application/merge-patch+json',
    body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
    signal: never,
  });
  const agent = agentDeployment({ image: process.env.IMAGE_OF_TESTS ?? defaultImage });
  const { deployment } = agent;
  await orchestrator.apply(agent, never);
  const status = await eventually(
    'ready',
    async () => {
      const current = await orchestrator.status(deployment, never);
      expect(current?.failure).toBeNull();
      return current?.ready && current;
    },
    { withinMs, everyMs: 1_000 },
  );
  expect(status).toMatchObject({ replicas: 1, readyReplicas: 1, unavailableReplicas: 0 });
  const addresses = async () => {
    const endpoints = await api.call<{ subsets?: { addresses?: unknown[] }[] }>(
      'GET',
      `/api/v1/namespaces/${namespace}/endpoints/${deployment}`,
      { signal: never },
    );
    return endpoints.subsets?.flatMap((subset) => subset.addresses ?? []).length ?? 0;
  };
  await eventually('it is served', async () => (await addresses()) === 1);
  const lines: LogLine[] = [];
  for await (const line of orchestrator.logs(deployment, { tailLines: 5, follow: false }, never)) lines.push(line);
  expect(lines.length).toBeLessThanOrEqual(5);

  // A revision whose image is missing fails, while the pod of the one before stays ready.
  await orchestrator.apply({ ...agent, revision: 2, image: 'registry.invalid/none:1' }, never);
  const failed = await eventually('failed', async () => (await orchestrator.status(deployment, never))?.failure, {
    withinMs,
    everyMs: 1_000,
  });
  expect(failed.reason).toMatch(/Image/);
  expect(await orchestrator.status(deployment, never)).toMatchObject({ readyReplicas: 1 });

  await orchestrator.drain(deployment, never);
  await eventually('it is not served', async () => (await addresses()) === 0);
  await eventually('it is gone', () => orchestrator.remove(deployment, never), { withinMs, everyMs: 1_000 });
  await delay(100);
  expect(await objectsOf(deployment)).toEqual([]);
});
