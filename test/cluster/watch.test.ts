import { expect, it } from 'vitest';
import type { KubernetesApi } from '../../src/agents/orchestrator/kubernetes/api.ts';
import { ApiFailure } from '../../src/agents/orchestrator/kubernetes/api-failure.ts';
import { type Following, follow, usualTiming } from '../../src/agents/orchestrator/kubernetes/following.ts';
import type { WireObject } from '../../src/agents/orchestrator/kubernetes/wire.ts';
import type { DeploymentStatus } from '../../src/agents/orchestrator/orchestrator.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { agentDeployment } from '../support/agent-deployment.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { startClusterProduct } from '../support/kubernetes/cluster-product.ts';
import { createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';
import { type ControlPlane, startControlPlane } from '../support/kubernetes/control-plane.ts';

// A plane of its own: its history is forgotten after seconds, and its API server is killed.
let plane: Promise<ControlPlane> | undefined;
function ownPlane(): Promise<ControlPlane> {
  plane ??= startControlPlane({ apiServer: ['--watch-cache=false', '--etcd-compaction-interval=2s'] }).then(
    (started) => {
      stops.push(started.stop);
      return started;
    },
  );
  return plane;
}
const stops: (() => Promise<void>)[] = [];
cleanUp(() => Promise.all(stops.map((stop) => stop())));

/** Follows ConfigMaps of a namespace, and notes what it sees. */
function following(api: KubernetesApi, namespace: string, timing: Partial<Following<WireObject>['timing']> = {}) {
  const ending = new AbortController();
  const seen = new Map<string, string>();
  const gone: string[] = [];
  const reachable: boolean[] = [];
  const failures: number[] = [];
  let lists = 0;
  const watched: KubernetesApi = {
    ...api,
    call(method, path, request) {
      lists++;
      return api.call(method, path, request);
    },
    async *lines(path, request) {
      try {
        // What an ERROR event of the stream says is what follow() makes of it.
        for await (const line of api.lines(path, request)) {
          const { type, object } = JSON.parse(line);
          if (type === 'ERROR') failures.push(object.code);
          yield line;
        }
      } catch (error) {
        if (error instanceof ApiFailure) failures.push(error.status);
        throw error;
      }
    },
  };
  const ended = follow<WireObject>({
    api: watched,
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    labelSelector: 'followed=yes',
    clock: systemClock,
    timing: { ...usualTiming, backoffMinMs: 20, backoffMaxMs: 100, ...timing },
    signal: ending.signal,
    onItem: ({ metadata }) => void seen.set(metadata.name, metadata.resourceVersion ?? ''),
    onGone({ metadata }) {
      seen.delete(metadata.name);
      gone.push(metadata.name);
    },
    onReachable: (isReachable) => void reachable.push(isReachable),
    onSign: () => undefined,
  });
  cleanUp(async () => {
    ending.abort();
    await ended;
  });
  return { seen, gone, reachable, failures, lists: () => lists, ending, ended };
}

const configMap = (name: string) => ({ metadata: { name, labels: { followed: 'yes' } } });

it('lists again when its place in the history is forgotten (410), and misses nothing meanwhile', async () => {
  const { kubeconfig, api } = await ownPlane();
  const { namespace, create } = await createClusterStage(kubeconfig);
  await create('/api/v1', 'configmaps', configMap('first'));
  // The watch ends every 4 seconds and goes on from its place, which other objects' changes have left behind by then.
  const { seen, gone, failures, lists } = following(api, namespace, { watchSeconds: 4 });
  await eventually('the first is seen', () => seen.has('first'));
  expect(lists()).toBe(1);
  let others = 0;
  await eventually(
    'the place is forgotten',
    async () => {
      await create('/api/v1', 'configmaps', { metadata: { name: `other-${others++}` } });
      return failures.includes(410);
    },
    { everyMs: 250 },
  );
  await create('/api/v1', 'configmaps', configMap('second'));
  await api.call('DELETE', `/api/v1/namespaces/${namespace}/configmaps/first`, { signal: never });
  await eventually('both changes are seen', () => seen.has('second') && gone.includes('first'));
  expect(lists()).toBeGreaterThan(1);
});

it('says once that the server is away, however often it tries, and pauses between the tries', async () => {
  const { namespace, api } = await createClusterStage();
  let tries = 0;
  let isAway = false;
  const failing: KubernetesApi = {
    ...api,
    async call(method, path, request) {
      if (isAway) {
        tries++;
        throw new Error('connect ECONNREFUSED');
      }
      return api.call(method, path, request);
    },
    async *lines(path, request) {
      if (isAway) throw new Error('connect ECONNREFUSED');
      yield* api.lines(path, request);
    },
  };
  const { reachable } = following(failing, namespace, { watchSeconds: 1 });
  await eventually('it is there', () => reachable.includes(true));
  isAway = true;
  await eventually('five tries', () => tries >= 5);
  expect(reachable.slice(reachable.indexOf(false)).includes(true)).toBe(false);
  isAway = false;
  await eventually('it is back', () => reachable.at(-1));
});

it('lists again from time to time, whatever the watch says', async () => {
  const { namespace, api, create } = await createClusterStage();
  await create('/api/v1', 'configmaps', configMap('first'));
  const { seen, lists } = following(api, namespace, { watchSeconds: 1, relistMs: 1_500 });
  await eventually('three lists', () => lists() >= 3);
  expect([...seen.keys()]).toEqual(['first']);
});

it('ends a watch whose connection is dead, and goes on', async () => {
  const { namespace, api, create } = await createClusterStage();
  let watches = 0;
  // The first watch never gets a line, as behind a connection that died without an end.
  const unsubscribe: KubernetesApi = {
    ...api,
    async *lines(path, request) {
      if (++watches > 1) return yield* api.lines(path, request);
      await new Promise((_resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true });
      });
    },
  };
  const { seen } = following(unsubscribe, namespace, { watchSeconds: 1, graceMs: 100 });
  await eventually('the first watch', () => watches === 1);
  await create('/api/v1', 'configmaps', configMap('meanwhile'));
  await eventually('it is seen', () => seen.has('meanwhile'));
});

it('goes on by itself after the API server was killed, and says meanwhile that it is away', async () => {
  const { kubeconfig, killApiServer, startApiServer } = await ownPlane();
  const { createOrchestrator } = await createClusterStage(kubeconfig);
  const orchestrator = createOrchestrator({ timing: { backoffMinMs: 20, backoffMaxMs: 200 } });
  const agent = agentDeployment({ replicas: 0 });
  const { deployment } = agent;
  await orchestrator.apply(agent, never);
  const statuses: (DeploymentStatus | null)[] = [];
  const reachable: boolean[] = [];
  const ending = new AbortController();
  expect(orchestrator.watchAgeSeconds()).toBeNull();
  const watching = orchestrator.watch(
    {
      onStatus: (_deployment, status) => void statuses.push(status),
      onReachable: (isReachable) => void reachable.push(isReachable),
    },
    ending.signal,
  );
  await eventually('the status', () => statuses.some((status) => status?.revision === 1));
  expect(orchestrator.watchAgeSeconds()).toBeLessThan(60);

  await killApiServer();
  await eventually('it is noticed', () => reachable.at(-1) === false);
  for (const call of [
    orchestrator.status(deployment, never),
    orchestrator.apply({ ...agent, revision: 2 }, never),
    orchestrator.remove(deployment, never),
  ])
    await expect(call).rejects.toMatchObject({ name: 'OrchestratorError', kind: 'unreachable' });

  await startApiServer();
  await orchestrator.apply({ ...agent, revision: 3 }, never);
  await eventually('the change', () => statuses.some((status) => status?.revision === 3));
  // While it starts it may fail again.
  expect(reachable.slice(0, 2)).toEqual([true, false]);
  expect(reachable.at(-1)).toBe(true);
  await eventually('it is gone', () => orchestrator.remove(deployment, never));
  await eventually('the end', () => statuses.at(-1) === null);
  ending.abort();
  await watching;
  expect(orchestrator.watchAgeSeconds()).toBeNull();
});

it('reports other deployments while the log of one that has failed does not come', async () => {
  const { createOrchestrator, api, namespace } = await createClusterStage();
  const orchestrator = createOrchestrator();
  const broken = agentDeployment({ image: 'registry.test/unavailable:1' });
  const usual = agentDeployment({ replicas: 0 });
  const seen = new Map<string, DeploymentStatus | null>();
  const ending = new AbortController();
  const watching = orchestrator.watch(
    { onStatus: (name, status) => void seen.set(name, status), onReachable: () => undefined },
    ending.signal,
  );
  await orchestrator.apply(broken, never);
  await orchestrator.apply(usual, never);
  const failure = await eventually('the failure', () => seen.get(broken.deployment)?.failure);
  expect(failure).toMatchObject({ reason: 'ImagePullBackOff' });
  await eventually('the other', () => seen.get(usual.deployment)?.ready);
  await api.call('DELETE', `/apis/apps/v1/namespaces/${namespace}/deployments/${usual.deployment}`, { signal: never });
  await eventually('its end', () => seen.get(usual.deployment) === null);
  ending.abort();
  await watching;
});

it('a product whose cluster is away creates, shows and deletes agents, and catches up when it is back (G05)', async () => {
  const { kubeconfig, killApiServer, startApiServer } = await ownPlane();
  const cluster = await createClusterStage(kubeconfig);
  const { call, create, details } = await startClusterProduct(cluster, {
    timing: { backoffMinMs: 20, backoffMaxMs: 200 },
  });
  const old = (await create('old')).agent;
  await eventually('deployed', async () => (await details(old.uuid)).agent.state === 'PROVISIONED');

  await killApiServer();
  const { agent, deployment } = await create('new');
  expect(agent.state).toBe('NEW');
  expect(deployment).toMatchObject({
    success: false,
    message: expect.stringMatching(/cluster cannot be reached|not answer/),
  });
  await eventually('no status', async () => {
    const asked = performance.now();
    const { orchestratorStatus } = await details(old.uuid);
    expect(performance.now() - asked).toBeLessThan(2_000);
    return orchestratorStatus === null;
  });
  const deleted = await call('DELETE', `/api/agents/${old.uuid}`);
  expect(deleted.status).toBe(200);

  await startApiServer();
  await eventually('the new one is deployed', async () => (await details(agent.uuid)).agent.state === 'PROVISIONED');
  await eventually(
    'nothing of the old one is left',
    async () => (await cluster.objectsOf(old.orchestrator_deployment)).length === 0,
  );
  expect((await details(old.uuid)).agent.state).toBe('TERMINATED');
});
