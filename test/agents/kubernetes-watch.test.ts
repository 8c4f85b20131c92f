import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { KubernetesApi } from '../../src/agents/orchestrator/kubernetes/api.ts';
import { usualTiming } from '../../src/agents/orchestrator/kubernetes/following.ts';
import { watchStatuses } from '../../src/agents/orchestrator/kubernetes/status-watch.ts';
import type { DeploymentStatus } from '../../src/agents/orchestrator/orchestrator.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';

const revision = { 'agents.patchbay.dev/revision': '1' };
const counts = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

/** A cluster with these deployments, whose nodes answer no request for a log, and whose API server answers none for events. */
function clusterOf(failing: readonly string[], ready: readonly string[]): KubernetesApi {
  const deployments = [...failing, ...ready].map((name) => ({
    metadata: { name, uid: name, generation: 1, annotations: revision, labels: {} },
    spec: { replicas: 1 },
    status: failing.includes(name) ? { ...counts, availableReplicas: 0 } : counts,
  }));
  const pods = failing.map((name) => ({
    metadata: { name: `${name}-pod`, uid: name, annotations: revision, labels: { 'app.kubernetes.io/instance': name } },
    spec: { containers: [{ image: 'x' }] },
    status: { containerStatuses: [{ name: 'agent', state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
  }));
  const listOf = (items: readonly object[]) => ({ metadata: { resourceVersion: '1' }, items });
  const hangs = async (signal: AbortSignal): Promise<never> => {
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  };
  return {
    async call<Response>(_method: string, path: string, { query, signal }: { query?: object; signal: AbortSignal }) {
      // The pods first, so that every failure is known when the deployments come.
      if (path.endsWith('/pods') && String(Object.values(query ?? {})).includes('managed-by'))
        return listOf(pods) as Response;
      if (path.endsWith('/deployments')) return listOf(deployments) as Response;
      return hangs(signal);
    },
    // biome-ignore lint/correctness/useYield: it never comes to a line
    async *lines(_path, { signal }) {
      await hangs(signal);
    },
    close: () => undefined,
  };
}

it('deployments without a failure are reported while the logs of very many others do not come', async () => {
  const failing = Array.from({ length: 50 }, (_, number) => `failing-${number}`);
  const ready = ['ready-1', 'ready-2'];
  const seen = new Map<string, DeploymentStatus | null>();
  const ending = new AbortController();
  const watching = watchStatuses(
    {
      source: { api: clusterOf(failing, ready), namespace: 'agents', callMs: 6_000 },
      labelSelector: 'app.kubernetes.io/managed-by=patchbay',
      clock: systemClock,
      timing: usualTiming,
      hasCertificates: false,
      signs: new Map(),
    },
    { onStatus: (name, status) => void seen.set(name, status), onReachable: () => undefined },
    ending.signal,
  );
  cleanUp(async () => {
    ending.abort();
    await watching;
  });
  await eventually('they are reported', () => ready.every((name) => seen.get(name)?.ready));
  // One that has failed takes two seconds, a third of its time, and four are described at once.
  expect([...seen.values()].filter((status) => status?.failure).length).toBeLessThan(20);
  const failure = await eventually('a failure', () => [...seen.values()].find((status) => status?.failure)?.failure);
  expect(failure).toMatchObject({ reason: 'CrashLoopBackOff', events: [], logLines: [] });
});
