import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKubernetesOrchestrator } from '../../src/agents/orchestrator/kubernetes/kubernetes.ts';
import type { WireDeployment, WireObject } from '../../src/agents/orchestrator/kubernetes/wire.ts';
import { agentDeployment, manifestSettings } from '../support/agent-deployment.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';
import { images } from '../support/kubernetes/fake-kubelet.ts';
import { quickFolder } from '../support/quick-folder.ts';

const agentOf = (changes: Parameters<typeof agentDeployment>[0] = {}) =>
  agentDeployment({ image: images.works, ...changes });

const groups = {
  ConfigMap: ['/api/v1', 'configmaps'],
  ServiceAccount: ['/api/v1', 'serviceaccounts'],
  Service: ['/api/v1', 'services'],
  Deployment: ['/apis/apps/v1', 'deployments'],
  Ingress: ['/apis/networking.k8s.io/v1', 'ingresses'],
  NetworkPolicy: ['/apis/networking.k8s.io/v1', 'networkpolicies'],
} as const;

describe('apply', () => {
  it('makes every object, as the property of one owner', async () => {
    const { orchestrator, object, objectsOf } = await createClusterStage();
    const agent = agentOf();
    const { deployment } = agent;
    await orchestrator.apply(agent, never);
    const found = await Promise.all(
      Object.entries(groups).map(async ([kind, [group, plural]]) => {
        const one = await object(group, `${plural}/${deployment}`);
        return [kind, one?.metadata] as const;
      }),
    );
    const [[, owner], ...owned] = found as [(typeof found)[number], ...typeof found];
    expect(owner?.ownerReferences).toBeUndefined();
    for (const [kind, metadata] of owned) {
      expect(metadata?.ownerReferences, kind).toEqual([
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: deployment,
          uid: owner?.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
    }
    expect((await objectsOf(deployment)).filter((name) => !name.startsWith('Pod/')).sort()).toEqual(
      [...Object.keys(groups).map((kind) => `${kind}/${deployment}`), `Secret/${deployment}-env`].sort(),
    );
  });

  it('changes nothing when it is repeated, also over another spelling of the same quantities', async () => {
    const { orchestrator, object } = await createClusterStage();
    const agent = agentOf();
    const versions = async () =>
      Promise.all(
        Object.values(groups).map(async ([group, plural]) => {
          const one = await object(group, `${plural}/${agent.deployment}`);
          return one?.metadata.generation ?? one?.metadata.resourceVersion;
        }),
      );
    await orchestrator.apply(agent, never);
    const before = await versions();
    await orchestrator.apply(agent, never);
    await orchestrator.apply({ ...agent, resources: { ...agent.resources, cpuLimit: '1' } }, never);
    expect(await versions()).toEqual(before);
  });

  it('stops at a field that another manager has set, and names both', async () => {
    const { orchestrator, api, namespace } = await createClusterStage();
    const agent = agentOf();
    await orchestrator.apply(agent, never);
    await api.call('PATCH', `/apis/apps/v1/namespaces/${namespace}/deployments/${agent.deployment}`, {
      query: { fieldManager: 'somebody-else', force: true },
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: agent.deployment },
        spec: { replicas: 3 },
      },
      signal: never,
    });
    await expect(orchestrator.apply(agent, never)).rejects.toMatchObject({
      name: 'OrchestratorError',
      kind: 'conflict',
      message: expect.stringMatching(/^Deployment: .*"somebody-else".*\.spec\.replicas/),
    });
  });

  it('does not take an object that another controller owns', async () => {
    const { orchestrator, create, object } = await createClusterStage();
    const agent = agentOf();
    const other = await create('/api/v1', 'configmaps', { metadata: { name: 'other' } });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: other.metadata.uid, controller: true };
    await create('/api/v1', 'services', {
      metadata: { name: agent.deployment, ownerReferences: [owner] },
      spec: { ports: [{ port: 80, protocol: 'TCP' }], selector: { app: 'other' } },
    });
    await expect(orchestrator.apply(agent, never)).rejects.toMatchObject({ kind: 'conflict' });
    const service = await object<WireObject & { spec: object }>('/api/v1', `services/${agent.deployment}`);
    expect(service?.spec).toMatchObject({ selector: { app: 'other' } });

    const third = agentOf();
    const metadata = { name: third.deployment, ownerReferences: [owner] };
    await create('/api/v1', 'serviceaccounts', { metadata });
    await expect(orchestrator.apply(third, never)).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/^ServiceAccount: .*[Oo]nly one reference can have Controller/),
    });
  });

  it('says what the cluster does not accept, without the credential', async () => {
    const { orchestrator } = await createClusterStage();
    const agent = agentOf({ host: 'Not A Host', secretEnv: { 'not a name': 'pbk_canary' } });
    const error = await orchestrator.apply(agent, never).then(
      () => null,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({
      name: 'OrchestratorError',
      kind: 'rejected',
      message: expect.stringMatching(/^Secret: /),
    });
    expect(`${error?.message} ${JSON.stringify(error)}`).not.toMatch(/pbk_canary|cGJrX2NhbmFyeQ/);
    const other = agentOf({ host: 'Not A Host' });
    await expect(orchestrator.apply(other, never)).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/^Ingress: .*Not A Host/),
    });
  });

  it('finishes after a quota that stopped one object has gone', async () => {
    const { orchestrator, create, api, namespace, objectsOf } = await createClusterStage();
    const agent = agentOf();
    await create('/api/v1', 'resourcequotas', { metadata: { name: 'none' }, spec: { hard: { services: '0' } } });
    await eventually('the quota counts', async () => {
      const path = `/api/v1/namespaces/${namespace}/resourcequotas/none`;
      const quota = await api.call<{ status?: { hard?: object } }>('GET', path, { signal: never });
      return quota.status?.hard;
    });
    await expect(orchestrator.apply(agent, never)).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/^Service: .*exceeded quota/),
    });
    expect(await objectsOf(agent.deployment)).not.toContain(`Service/${agent.deployment}`);
    expect(await orchestrator.list(never)).toEqual([{ deployment: agent.deployment, agentUuid: agent.agentUuid }]);
    await api.call('DELETE', `/api/v1/namespaces/${namespace}/resourcequotas/none`, { signal: never });
    await eventually('it is applied', () =>
      orchestrator.apply(agent, never).then(
        () => true,
        () => false,
      ),
    );
    await eventually('ready', async () => (await orchestrator.status(agent.deployment, never))?.ready);
  });

  it('names the namespace that does not exist', async () => {
    const { createOrchestrator } = await createClusterStage();
    const orchestrator = createOrchestrator({ namespace: 'no-such-namespace' });
    await expect(orchestrator.apply(agentOf(), never)).rejects.toMatchObject({
      kind: 'rejected',
      message: 'ConfigMap: namespaces "no-such-namespace" not found',
    });
    expect(await orchestrator.status('x', never)).toBeNull();
    expect(await orchestrator.remove('x', never)).toBe(true);
  });
});

describe('status', () => {
  it('fails with the reason why no pod can be made', async () => {
    const { orchestrator, create, api, namespace } = await createClusterStage();
    const agent = agentOf();
    await create('/api/v1', 'resourcequotas', { metadata: { name: 'none' }, spec: { hard: { pods: '0' } } });
    await eventually('the quota counts', async () => {
      const path = `/api/v1/namespaces/${namespace}/resourcequotas/none`;
      const quota = await api.call<{ status?: { hard?: object } }>('GET', path, { signal: never });
      return quota.status?.hard;
    });
    await orchestrator.apply(agent, never);
    const failure = await eventually(
      'failed',
      async () => (await orchestrator.status(agent.deployment, never))?.failure,
    );
    expect(failure).toMatchObject({
      reason: 'FailedCreate',
      message: expect.stringContaining('exceeded quota'),
      logLines: [],
    });
    expect(failure.events.map(({ reason }) => reason)).toContain('FailedCreate');
  });

  it('fails when a rollout makes no progress within its deadline', async () => {
    const { createOrchestrator } = await createClusterStage();
    const orchestrator = createOrchestrator({ progressDeadlineSeconds: 1 });
    const agent = agentOf({ image: images.unready });
    await orchestrator.apply(agent, never);
    const failure = await eventually(
      'failed',
      async () => (await orchestrator.status(agent.deployment, never))?.failure,
    );
    expect(failure).toMatchObject({ reason: 'ProgressDeadlineExceeded' });
  });

  it('is not ready while the controllers have not seen the latest revision', async () => {
    const { orchestrator, object } = await createClusterStage();
    const agent = agentOf();
    await orchestrator.apply(agent, never);
    await eventually('ready', async () => (await orchestrator.status(agent.deployment, never))?.ready);
    const seen = [];
    for (let revision = 2; revision < 12; revision++) {
      await orchestrator.apply({ ...agent, revision }, never);
      const [status, live] = [
        await orchestrator.status(agent.deployment, never),
        await object<WireDeployment>('/apis/apps/v1', `deployments/${agent.deployment}`),
      ];
      seen.push({ revision: status?.revision, ready: status?.ready });
      expect(live?.metadata.generation).toBe(revision);
    }
    // A pod of the new revision takes longer than the call that reads the status.
    expect(seen).toEqual(seen.map((_, index) => ({ revision: index + 2, ready: false })));
  });

  it('masks addresses of the cluster in events', async () => {
    const { orchestrator } = await createClusterStage();
    const agent = agentOf({ image: images.unavailable });
    await orchestrator.apply(agent, never);
    const events = await eventually('an event', async () => {
      const found = await orchestrator.events(agent.deployment, never);
      return found.find(({ reason }) => reason === 'Failed');
    });
    expect(events).toMatchObject({ type: 'Warning', count: 2, message: expect.stringContaining('on <address>:') });
  });
});

describe('drain', () => {
  it('leaves everything but the selector of the Service, which selects no pod', async () => {
    const { orchestrator, object } = await createClusterStage();
    const agent = agentOf();
    await orchestrator.apply(agent, never);
    const service = () =>
      object<WireObject & { spec: { selector: object; ports: object[] } }>('/api/v1', `services/${agent.deployment}`);
    const before = await service();
    await orchestrator.drain(agent.deployment, never);
    const after = await service();
    expect(after?.spec.selector).toEqual({
      'agents.patchbay.dev/agent': agent.agentUuid,
      'agents.patchbay.dev/drained': 'true',
    });
    expect(after?.spec.ports).toEqual(before?.spec.ports);
    expect(after?.metadata.labels).toEqual(before?.metadata.labels);
    expect(after?.metadata.ownerReferences).toEqual(before?.metadata.ownerReferences);
    await orchestrator.apply(agent, never);
    expect((await service())?.spec.selector).toEqual(before?.spec.selector);
  });
});

describe('remove', () => {
  it('removes the TLS secret, which cert-manager leaves', async () => {
    const { orchestrator, create, objectsOf } = await createClusterStage();
    const agent = agentOf();
    await orchestrator.apply(agent, never);
    await create('/api/v1', 'secrets', { metadata: { name: `${agent.deployment}-tls` } });
    await eventually('it is gone', () => orchestrator.remove(agent.deployment, never));
    expect(await objectsOf(agent.deployment)).toEqual([]);
  });

  it('removes objects without an owner', async () => {
    const { orchestrator, api, namespace, objectsOf } = await createClusterStage();
    const agent = agentOf();
    await orchestrator.apply(agent, never);
    await api.call('DELETE', `/api/v1/namespaces/${namespace}/configmaps/${agent.deployment}`, {
      body: { propagationPolicy: 'Orphan' },
      signal: never,
    });
    await eventually(
      'the owner is gone',
      async () => !(await objectsOf(agent.deployment)).some((name) => name.startsWith('ConfigMap/')),
    );
    expect(await orchestrator.list(never)).toEqual([{ deployment: agent.deployment, agentUuid: agent.agentUuid }]);
    await eventually('all is gone', () => orchestrator.remove(agent.deployment, never));
    expect(await objectsOf(agent.deployment)).toEqual([]);
  });

  it('is not done while a pod still ends, and holds back a deployment of the same name', async () => {
    const { orchestrator, api, namespace } = await createClusterStage();
    const agent = agentOf();
    await orchestrator.apply(agent, never);
    await api.call('PATCH', `/api/v1/namespaces/${namespace}/configmaps/${agent.deployment}`, {
      contentType: 'application/merge-patch+json',
      body: { metadata: { finalizers: ['test.example.com/held'] } },
      signal: never,
    });
    expect(await orchestrator.remove(agent.deployment, never)).toBe(false);
    expect(await orchestrator.remove(agent.deployment, never)).toBe(false);
    await expect(orchestrator.apply(agent, never)).rejects.toMatchObject({ kind: 'conflict' });
    await api.call('PATCH', `/api/v1/namespaces/${namespace}/configmaps/${agent.deployment}`, {
      contentType: 'application/merge-patch+json',
      body: { metadata: { finalizers: null } },
      signal: never,
    });
    await eventually('it is gone', () => orchestrator.remove(agent.deployment, never));
  });
});

describe('list', () => {
  it('does not hold what another installation has made', async () => {
    const { orchestrator, createOrchestrator } = await createClusterStage();
    const agent = agentOf({ replicas: 0 });
    await createOrchestrator({ installation: 'staging' }).apply(agent, never);
    expect(await orchestrator.list(never)).toEqual([]);
  });
});

describe('a cluster that does not answer', () => {
  const kubeconfigOf = (server: string, user: object = {}): string => {
    const folder = mkdtempSync(path.join(quickFolder(), 'patchbay-kubeconfig-'));
    cleanUp(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'config');
    const config = {
      'current-context': 'c',
      clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  };
  const orchestratorAt = (server: string, user?: object, callMs = 9_000) => {
    const kubeconfig = kubeconfigOf(server, user);
    const orchestrator = createKubernetesOrchestrator({ ...manifestSettings, kubeconfig, callMs });
    cleanUp(() => orchestrator.close());
    return orchestrator;
  };

  it('is unreachable, and its address is not shown', async () => {
    await expect(orchestratorAt('https://127.0.0.1:1').status('x', never)).rejects.toMatchObject({
      name: 'OrchestratorError',
      kind: 'unreachable',
      message: 'the cluster cannot be reached',
    });
  });

  it('is unreachable when it is silent', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    cleanUp(() => silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const orchestrator = orchestratorAt(`https://127.0.0.1:${port}`, {}, 50);
    await expect(orchestrator.apply(agentOf(), never)).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'ConfigMap: the cluster did not answer in time',
    });
    await expect(orchestrator.list(never)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('rejects a credential that is not good', async () => {
    const { kubeconfig } = await createClusterStage();
    const { server } = JSON.parse(readFileSync(kubeconfig, 'utf8')).clusters[0].cluster;
    await expect(orchestratorAt(server, { token: 'wrong' }).list(never)).rejects.toMatchObject({
      kind: 'rejected',
      message: 'the cluster does not accept the credentials of the platform',
    });
  });
});
