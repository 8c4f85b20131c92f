import { describe, expect, it } from 'vitest';
import { eventually } from '../support/deadline.ts';
import { startClusterProduct } from '../support/kubernetes/cluster-product.ts';
import { type ClusterStage, createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';
import { images } from '../support/kubernetes/fake-kubelet.ts';
import { callerOf } from '../support/server.ts';

/** The credential in the Secret of an agent. */
async function credentialOf({ api, namespace }: ClusterStage, deployment: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/secrets/${deployment}-env`;
  const secret = await api.call<{ data: Record<string, string> }>('GET', path, { signal: never });
  return Buffer.from(secret.data.PATCHBAY_API_KEY ?? '', 'base64').toString();
}

describe('an agent of the product', () => {
  it('is deployed, ready, active by its own credential, and gone after its deletion', async () => {
    const cluster = await createClusterStage();
    const { server, call, create, details } = await startClusterProduct(cluster);
    const { agent, deployment } = await create('worker', images.talks);
    expect(deployment).toEqual({
      success: true,
      message: 'Agent worker deployed successfully',
      deploymentName: agent.orchestrator_deployment,
    });
    const ready = await eventually('ready', async () => {
      const body = await details(agent.uuid);
      return body.orchestratorStatus?.ready && body;
    });
    expect(ready.agent.state).toBe('PROVISIONED');
    expect(ready.orchestratorStatus).toMatchObject({ replicas: 1, readyReplicas: 1, unavailableReplicas: 0 });

    const asAgent = callerOf(server, await credentialOf(cluster, agent.orchestrator_deployment));
    const heartbeat = { mode: 'IDLE', uptime_seconds: 1 };
    expect((await asAgent('POST', `/api/agents/${agent.uuid}/heartbeat`, heartbeat)).status).toBe(200);
    expect((await details(agent.uuid)).agent.state).toBe('ACTIVE');

    expect((await call('DELETE', `/api/agents/${agent.uuid}`)).status).toBe(200);
    await eventually('no object', async () => (await cluster.objectsOf(agent.orchestrator_deployment)).length === 0);
    expect((await details(agent.uuid)).agent.state).toBe('TERMINATED');
    expect((await asAgent('POST', `/api/agents/${agent.uuid}/heartbeat`, heartbeat)).status).not.toBe(200);
  });

  it('stays NEW while a quota stops one object, says so, and is deployed when the quota is gone (G04)', async () => {
    const cluster = await createClusterStage();
    const { create, details } = await startClusterProduct(cluster);
    const quota = `/api/v1/namespaces/${cluster.namespace}/resourcequotas/none`;
    await cluster.create('/api/v1', 'resourcequotas', {
      metadata: { name: 'none' },
      spec: { hard: { services: '0' } },
    });
    await eventually('the quota counts', async () => {
      const { status } = await cluster.api.call<{ status?: { hard?: object } }>('GET', quota, { signal: never });
      return status?.hard;
    });
    const { agent, deployment } = await create('worker');
    expect(deployment.success).toBe(false);
    expect(deployment.message).toContain('exceeded quota');
    expect((await details(agent.uuid)).agent.state).toBe('NEW');
    await cluster.api.call('DELETE', quota, { signal: never });
    await eventually('deployed', async () => (await details(agent.uuid)).agent.state === 'PROVISIONED');
  });

  it('leaves nothing when it is deleted while it is being created (G06)', async () => {
    const cluster = await createClusterStage();
    const { call, create } = await startClusterProduct(cluster);
    const names = Array.from({ length: 5 }, (_, index) => `worker-${index}`);
    const bodies = await Promise.all(
      names.map(async (name) => {
        const body = await create(name);
        await call('DELETE', `/api/agents/${body.agent.uuid}`);
        return body;
      }),
    );
    for (const { agent } of bodies)
      await eventually('no object', async () => (await cluster.objectsOf(agent.orchestrator_deployment)).length === 0);
  });

  it('is removed by the sweep when the database does not know it', async () => {
    const cluster = await createClusterStage();
    const other = await startClusterProduct(cluster);
    const { agent } = await other.create('worker');
    await other.server.stop();
    await startClusterProduct(cluster);
    // Two sweeps 30 seconds apart, at most.
    await eventually('no object', async () => (await cluster.objectsOf(agent.orchestrator_deployment)).length === 0);
  });
});
