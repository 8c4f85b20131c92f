import { describe, expect, it } from 'vitest';
import type { DeploymentStatus } from '../../src/agents/index.ts';
import { createServices } from '../../src/main/services.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { reconcilerStage } from './agent-stage.ts';
import { readyStatus } from './scripted-orchestrator.ts';

async function stageOf() {
  const stage = await reconcilerStage();
  return {
    ...stage,
    isDeployed: (uuid: string) =>
      eventually('it is deployed', async () => (await stage.rowOf(uuid)).state === 'PROVISIONED'),
  };
}

const failing = (over: Partial<NonNullable<DeploymentStatus['failure']>> = {}): DeploymentStatus => ({
  ...readyStatus(),
  ready: false,
  failure: { reason: 'CrashLoopBackOff', message: 'back-off 10s', events: [], logLines: ['boom'], ...over },
});

describe('agents beside one whose calls hang', () => {
  it('are deployed and removed meanwhile', verifies('agents.reconcile.isolation'), async () => {
    const { made, isDeployed, started, scripted, agents, owner, rowOf } = await stageOf();
    scripted.fail('apply stuck', 'hangs');
    await made('stuck');
    await started();
    const { uuid } = await made('fine');
    await isDeployed(uuid);
    await agents.remove(owner, uuid);
    await eventually('it is removed', async () => (await rowOf(uuid)).removed_at);
  });

  it(
    'are handled while the orchestrator cannot list its deployments',
    verifies('agents.reconcile.isolation'),
    async () => {
      const { made, isDeployed, started, scripted } = await stageOf();
      scripted.fail('list', 'hangs');
      await started();
      await eventually('it lists', () => scripted.calls.some((call) => call.startsWith('list')));
      await isDeployed((await made()).uuid);
    },
  );
});

describe('the sweep', () => {
  it(
    'removes deployments without an agent, also beside one that cannot be removed',
    verifies('agents.sweep'),
    async () => {
      const { made, reconciler, scripted } = await stageOf();
      const { deployment } = await made();
      await reconciler.settle();
      const [own] = scripted.deployments.values();
      if (!own) throw new Error('it is deployed');
      for (const name of ['a-stuck', 'b-stray', 'c-stray'])
        scripted.deployments.set(name, { ...own, deployment: name });
      scripted.fail('remove a-stuck', 'hangs');
      const patience = new AbortController();
      const sweeping = reconciler.sweep(patience.signal);
      await eventually('the others are gone', () => scripted.deployments.size === 2);
      patience.abort();
      expect(await sweeping).toBe(3);
      expect([...scripted.deployments.keys()]).toEqual([deployment, 'a-stuck']);
    },
  );

  it(
    'finds a deployment that has disappeared, which is then made again; so does the watch',
    verifies('agents.sweep'),
    async () => {
      const { made, reconciler, scripted } = await stageOf();
      const { deployment } = await made();
      await reconciler.settle();
      scripted.deployments.clear();
      expect(await reconciler.sweep(new AbortController().signal)).toBe(1);
      await reconciler.settle();
      expect(scripted.deployments.has(deployment)).toBe(true);
      await reconciler.observe(deployment, readyStatus());
      scripted.deployments.clear();
      await reconciler.observe(deployment, null);
      await reconciler.settle();
      expect(scripted.deployments.has(deployment)).toBe(true);
      expect(await reconciler.sweep(new AbortController().signal)).toBe(0);
    },
  );

  it(
    'removes what belonged to a profile that was deleted, frees its host, and comes to rest',
    verifies('agents.sweep'),
    async () => {
      const { made, reconciler, scripted, database, owner, rowOf } = await stageOf();
      const { uuid, deployment } = await made();
      await reconciler.settle();
      await reconciler.observe(deployment, readyStatus());
      const text = 'UPDATE profiles SET deleted_at = now() WHERE uuid = $1';
      await database.query({ text, values: [owner.profileUuid] });
      expect(await reconciler.sweep(new AbortController().signal)).toBe(1);
      expect(scripted.deployments.size).toBe(0);
      await reconciler.observe(deployment, null);
      // One that never comes to rest would be due for ever.
      await reconciler.settle(AbortSignal.timeout(5_000));
      expect(await rowOf(uuid)).toMatchObject({ due_at: null, holds_host: false, removed_at: expect.any(Date) });
    },
  );
});

describe('a rollout that fails', () => {
  it(
    "is one ERROR event with the pod's events and log lines; a success clears it",
    verifies('agents.rollout'),
    async () => {
      const { made, reconciler, agents, owner, rowOf, historyOf } = await stageOf();
      const { uuid, deployment } = await made();
      await reconciler.settle();
      const event = { type: 'Warning', reason: 'BackOff', message: 'restarting', count: 3, lastAt: new Date(0) };
      await reconciler.observe(deployment, failing({ events: [event] }));
      await reconciler.observe(deployment, failing({ events: [{ ...event, count: 4 }] }));
      expect(await historyOf(uuid)).toEqual(['CREATED', 'PROVISIONED', 'ERROR']);
      const [[latest] = []] = await agents.events.latest([uuid], {});
      expect(latest).toMatchObject({
        fromState: 'PROVISIONED',
        toState: 'PROVISIONED',
        metadata: {
          triggered_by: 'system',
          reason: 'CrashLoopBackOff',
          message: 'back-off 10s',
          events: [{ ...event, lastAt: event.lastAt.toISOString() }],
          log_lines: ['boom'],
        },
      });
      expect((await agents.find(owner, uuid)).lastError).toBe('CrashLoopBackOff: back-off 10s');
      await reconciler.observe(deployment, failing({ reason: 'ImagePullBackOff' }));
      expect(await historyOf(uuid)).toEqual(['CREATED', 'PROVISIONED', 'ERROR', 'ERROR']);
      await reconciler.observe(deployment, readyStatus());
      expect(await rowOf(uuid)).toMatchObject({ last_error: null, status: readyStatus() });
    },
  );

  it('of an agent that cannot be changed either is one ERROR event', verifies('agents.rollout'), async () => {
    const { made, reconciler, historyOf, database } = await stageOf();
    const { uuid, deployment } = await made();
    await reconciler.settle();
    const text = "UPDATE agents SET attempts = 2, last_error = 'The cluster does not answer' WHERE uuid = $1";
    await database.query({ text, values: [uuid] });
    for (const logLines of [['a'], ['b'], ['c']]) await reconciler.observe(deployment, failing({ logLines }));
    expect(await historyOf(uuid)).toEqual(['CREATED', 'PROVISIONED', 'ERROR']);
  });
});

describe('the lead', () => {
  it('is with one process, and passes on ten seconds after its last renewal', verifies('agents.lead'), async () => {
    const { reconciler: first, infrastructure, clock } = await stageOf();
    const second = createServices(infrastructure).agents.reconciler;
    expect([await first.lead(), await second.lead()]).toEqual([true, false]);
    clock.advance(9_999);
    expect([await second.lead(), await first.lead()]).toEqual([false, true]);
    clock.advance(10_000);
    expect([await second.lead(), await first.lead()]).toEqual([true, false]);
  });

  it('passes on at once when its process stops; each agent is deployed once', verifies('agents.lead'), async () => {
    const { made, isDeployed, started, infrastructure, scripted } = await stageOf();
    const stopFirst = await started();
    await eventually('it leads', () => scripted.watchers() === 1);
    await started(createServices(infrastructure));
    await isDeployed((await made('one')).uuid);
    expect(scripted.watchers()).toBe(1);
    await stopFirst();
    await isDeployed((await made('two')).uuid);
    await eventually('the other leads', () => scripted.watchers() === 1);
    expect(scripted.calls.filter((call) => call.startsWith('apply'))).toHaveLength(2);
  });

  it(
    'carries the status, which is null while no process leads and while the orchestrator is away',
    verifies('agents.status'),
    async () => {
      const { made, isDeployed, started, scripted, agents, clock } = await stageOf();
      const stop = await started();
      const { uuid, deployment } = await made();
      await isDeployed(uuid);
      const status = async () => (await agents.statuses.of([uuid]))[0] ?? null;
      scripted.tell(deployment, readyStatus());
      expect(await eventually('it is stored', status)).toEqual(readyStatus());
      scripted.reachable(false);
      await eventually('it is null', async () => (await status()) === null);
      scripted.reachable(true);
      await eventually('it is back', status);
      await stop();
      expect(await status()).toBeNull();
      expect(await agents.reconciler.lead()).toBe(true);
      expect(await status()).toEqual(readyStatus());
      clock.advance(10_000);
      expect(await status()).toBeNull();
    },
  );
});
