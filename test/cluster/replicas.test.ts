import { Client } from 'pg';
import { expect, it } from 'vitest';
import type { WireDeployment, WireList, WireObject } from '../../src/agents/orchestrator/kubernetes/wire.ts';
import { startProducts } from '../services/products.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/deadline.ts';
import { openEventStream } from '../support/event-stream.ts';
import { type ClusterStage, createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';
import { startControlPlane } from '../support/kubernetes/control-plane.ts';
import type { Product } from '../support/product.ts';
import { callerOf } from '../support/server.ts';

/** Products over one database and one cluster. At most one of them reconciles at a time. */
async function createReplicas(cluster: ClusterStage) {
  const url = await createTestDatabase();
  const database = new Client({ connectionString: url });
  await database.connect();
  cleanUp(() => database.end());
  const start = (count: number) =>
    startProducts(count, {
      DATABASE_URL: url,
      ORCHESTRATOR: 'kubernetes',
      KUBECONFIG: cluster.kubeconfig,
      AGENT_NAMESPACE: cluster.namespace,
      AGENT_INSTALLATION: 'test',
      AGENT_DRAIN_SECONDS: '1',
    });
  const [first, second] = (await start(2)) as [Product, Product];
  const key = demoKeyOf([first, second]);
  const callOf = (product: Product) => callerOf(product, key);
  const lease = async () => {
    const text = 'SELECT holder, expires_at, clock_timestamp() AS now FROM agent_orchestrator_lease';
    const { rows } = await database.query<{ holder: string; expires_at: Date; now: Date }>(text);
    return rows[0];
  };
  return {
    products: [first, second],
    start,
    key,
    callOf,
    /** Kills a leader. @returns When another leads, and how many milliseconds after the end of the lease that was. */
    async killedLeader(product: Product) {
      await product.kill();
      const old = await lease();
      if (!old) throw new Error('a process that was killed leaves its lease');
      return async () => {
        const next = await eventually('another leads', async () => {
          const now = await lease();
          return now && now.holder !== old.holder && now;
        });
        // The lease lasts 10 seconds from its renewal.
        return next.expires_at.getTime() - 10_000 - old.expires_at.getTime();
      };
    },
    /** The events of each agent in their order, of all agents in the order of their ids. */
    async history() {
      const text =
        'SELECT id::text, agent_uuid AS agent, event_type AS type FROM agent_events ORDER BY agent_events.id';
      return (await database.query<{ id: string; agent: string; type: string }>(text)).rows;
    },
    async create(product: Product, name: string) {
      const { body, status } = await callOf(product)('POST', '/api/agents', { name, image: 'registry.test/works:1' });
      expect(status).toBe(200);
      return { uuid: body.agent.uuid as string, deployment: body.agent.orchestrator_deployment as string };
    },
    stateOf: async (product: Product, uuid: string) =>
      (await callOf(product)('GET', `/api/agents/${uuid}`)).body.agent.state as string,
    /** Reports as an agent whose credential the cluster has. */
    async heartbeat(product: Product, { uuid, deployment }: { uuid: string; deployment: string }) {
      const path = `/api/v1/namespaces/${cluster.namespace}/secrets/${deployment}-env`;
      const secret = await cluster.api.call<{ data: { PATCHBAY_API_KEY: string } }>('GET', path, { signal: never });
      const asAgent = callerOf(product, Buffer.from(secret.data.PATCHBAY_API_KEY, 'base64').toString());
      const { status } = await asAgent('POST', `/api/agents/${uuid}/heartbeat`, { mode: 'SLEEP', uptime_seconds: 1 });
      expect(status).toBe(200);
    },
    /** What would change if a deployment was made or changed again: its identity, its generation, and its pods. */
    async traces() {
      const list = async <Item extends WireObject>(path: string) =>
        (await cluster.api.call<WireList<Item>>('GET', path, { signal: never })).items ?? [];
      const deployments = await list<WireDeployment>(`/apis/apps/v1/namespaces/${cluster.namespace}/deployments`);
      const pods = await list(`/api/v1/namespaces/${cluster.namespace}/pods`);
      return [...deployments, ...pods].map(({ metadata: { name, uid, generation = 0 } }) => ({
        name,
        uid,
        generation,
      }));
    },
  };
}

/** The key of the product that made the demo account. */
function demoKeyOf(products: readonly Product[]): string {
  const keys = products.flatMap((product) => {
    try {
      return [product.demoKey()];
    } catch {
      return [];
    }
  });
  if (!keys[0]) throw new Error('one product makes the demo account');
  return keys[0];
}

const leads = ({ lines }: Product) => lines.some((line) => line.includes('this process reconciles agents'));

it('another replica takes over when the leader is killed, also while the API server is away, and nothing is lost or repeated', async () => {
  // A plane of its own: its API server is killed. Without a kubelet, pods wait.
  const plane = await startControlPlane();
  cleanUp(plane.stop);
  const cluster = await createClusterStage(plane.kubeconfig);
  const replicas = await createReplicas(cluster);
  const { products, start, create, stateOf, heartbeat, history, traces } = replicas;
  const leader = await eventually('one leads', () => products.find(leads));
  const follower = products.find((product) => product !== leader) as Product;
  expect(leads(follower)).toBe(false);

  const stream = await openEventStream(follower.base, 'subscription { agentLifecycle(sinceId: "0") { id } }', {
    Authorization: `Bearer ${replicas.key}`,
  });
  cleanUp(stream.close);
  const seen: string[] = [];
  const watching = (async () => {
    for (let event = await stream.next(); event; event = await stream.next())
      if (event.event === 'next') seen.push(event.data.data.agentLifecycle.id);
  })().catch(() => undefined);

  const active = async (product: Product, agents: readonly { uuid: string; deployment: string }[]) => {
    for (const agent of agents) {
      await eventually('it is deployed', async () => (await stateOf(product, agent.uuid)) === 'PROVISIONED');
      await heartbeat(product, agent);
      expect(await stateOf(product, agent.uuid)).toBe('ACTIVE');
    }
  };
  const before = await Promise.all(['a1', 'a2', 'a3'].map((name) => create(follower, name)));
  const [deleted, ...kept] = before as [(typeof before)[number], ...typeof before];
  await active(leader, before);
  const made = await traces();
  const keptTraces = async () =>
    (await traces()).filter(({ name }) => kept.some((agent) => name.startsWith(agent.deployment)));
  const expected = made.filter(({ name }) => kept.some((agent) => name.startsWith(agent.deployment)));
  expect(expected.length).toBe(2 * kept.length);

  // The leader dies amid creations and a deletion.
  const creating = Promise.all(['b1', 'b2', 'b3', 'b4', 'b5'].map((name) => create(follower, name)));
  const deleting = replicas.callOf(follower)('DELETE', `/api/agents/${deleted.uuid}`);
  await eventually('the first of them is there', async () => (await traces()).length > made.length);
  const isTakenOver = await replicas.killedLeader(leader);
  const third = start(1);
  const lateMs = await isTakenOver();
  // Not before the lease has ended: two leaders would apply the same things. Others look once a second.
  expect(lateMs).toBeGreaterThanOrEqual(0);
  expect(lateMs).toBeLessThan(10_000);
  const amid = await creating;
  expect((await deleting).status).toBe(200);
  await active(follower, amid);
  await eventually('the deleted one is gone', async () => (await cluster.objectsOf(deleted.deployment)).length === 0);
  const late = await create(follower, 'late');
  await active(follower, [late]);
  expect(await keptTraces()).toEqual(expected);

  // The next leader dies while the cluster is unreachable.
  const both = [follower, ...(await third)];
  const second = await eventually('one leads', () => both.find(leads));
  const last = both.find((product) => product !== second) as Product;
  await plane.killApiServer();
  const isTakenOverAgain = await replicas.killedLeader(second);
  const meanwhile = await create(last, 'meanwhile');
  expect(await isTakenOverAgain()).toBeGreaterThanOrEqual(0);
  expect(await stateOf(last, meanwhile.uuid)).toBe('NEW');
  await plane.startApiServer();
  await active(last, [meanwhile]);
  expect(await keptTraces()).toEqual(expected);

  const events = await history();
  // An attempt that fails is repeated: a call to a busy or absent API server may.
  const typesOf = ({ uuid }: { uuid: string }) =>
    events.filter(({ agent, type }) => agent === uuid && type !== 'ERROR').map(({ type }) => type);
  const usual = ['CREATED', 'PROVISIONED', 'ACTIVATED'];
  for (const agent of [...kept, ...amid, late, meanwhile]) expect(typesOf(agent)).toEqual(usual);
  expect(typesOf(deleted)).toEqual([...usual, 'DRAINING', 'TERMINATED']);
  // The subscription of the follower ended with it where it was the second leader.
  stream.close();
  await watching;
  expect(seen).toEqual(events.slice(0, seen.length).map(({ id }) => id));
  expect(seen.length).toBeGreaterThanOrEqual(3 * (before.length + amid.length));
});
