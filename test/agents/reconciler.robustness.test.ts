import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { reconcilerStage } from './agent-stage.ts';
import { readyStatus, unreachable } from './scripted-orchestrator.ts';

async function stageOf() {
  const stage = await reconcilerStage();
  const execute = (text: string, ...values: unknown[]) => stage.database.query({ text, values });
  return { ...stage, execute };
}

const never = new AbortController().signal;

describe('clocks that differ', () => {
  it(
    'delay nothing: a process whose clock is an hour ahead makes agents that are due at once',
    verifies('agents.reconcile.clock'),
    async () => {
      const { infrastructure, clock, owner, scripted, reconciler, rowOf } = await stageOf();
      const ahead = {
        now: () => new Date(clock.now().getTime() + 3_600_000),
        pinned: clock.pinned,
      };
      const { agents } = createServices({ ...infrastructure, clock: ahead });
      const { agent } = await agents.create(owner, { name: 'worker' });
      await reconciler.settle();
      expect(await rowOf(agent.uuid)).toMatchObject({ state: 'PROVISIONED', applied_revision: 1 });
      await agents.changes.restart(owner, agent.uuid);
      await reconciler.settle();
      expect(scripted.deployments.get(agent.orchestratorDeployment)).toMatchObject({ revision: 2 });
    },
  );
});

describe('agents beside many whose calls hang', () => {
  it(
    'are deployed meanwhile: repeated attempts hold half of the places',
    verifies('agents.reconcile.isolation'),
    async () => {
      const { made, started, scripted, execute, rowOf } = await stageOf();
      scripted.fail('apply stuck', 'hangs');
      for (let number = 0; number < 20; number++) await made(`stuck-${number}`);
      await execute("UPDATE agents SET attempts = 1 WHERE name LIKE 'stuck%'");
      await started();
      await eventually('some are tried', () => scripted.calls.length >= 8);
      const { uuid } = await made('fine');
      await eventually('it is deployed', async () => (await rowOf(uuid)).state === 'PROVISIONED');
      expect(scripted.calls.filter((call) => call.startsWith('apply stuck'))).toHaveLength(8);
    },
  );
});

describe('a status', () => {
  it('is stored with what an agent may write to its log', verifies('agents.rollout'), async () => {
    const { made, reconciler, rowOf, historyOf } = await stageOf();
    const { uuid, deployment } = await made();
    await reconciler.settle();
    await reconciler.observe(deployment, {
      ...readyStatus(),
      ready: false,
      failure: { reason: 'CrashLoopBackOff', message: 'back-off \u0000', events: [], logLines: ['a\u0000b', '\ud83d'] },
    });
    expect(await historyOf(uuid)).toEqual(['CREATED', 'PROVISIONED', 'ERROR']);
    expect(await rowOf(uuid)).toMatchObject({
      last_error: 'CrashLoopBackOff: back-off \ufffd',
      status: { failure: { logLines: ['a\ufffdb', '\ufffd'] } },
    });
  });

  it('that the database did not take is stored when it does', verifies('agents.status'), async () => {
    const { made, reconciler, started, scripted, execute, rowOf } = await stageOf();
    const { uuid, deployment } = await made();
    await reconciler.settle();
    await started();
    await eventually('it watches', () => scripted.watchers() === 1);
    await execute('ALTER TABLE agents ADD CONSTRAINT away CHECK (status IS NULL)');
    scripted.tell(deployment, readyStatus());
    await delay(300);
    expect((await rowOf(uuid)).status).toBeNull();
    await execute('ALTER TABLE agents DROP CONSTRAINT away');
    await eventually('it is stored', async () => (await rowOf(uuid)).status);
  });

  it('of a process that no longer leads is not stored', verifies('agents.lead'), async () => {
    const { made, reconciler, infrastructure, clock, rowOf } = await stageOf();
    const { uuid, deployment } = await made();
    await reconciler.settle();
    const next = createServices(infrastructure).agents.reconciler;
    await reconciler.lead();
    clock.advance(10_000);
    expect(await next.lead()).toBe(true);
    await next.observe(deployment, readyStatus());
    await reconciler.observe(deployment, { ...readyStatus(), ready: false });
    expect(await rowOf(uuid)).toMatchObject({ status: readyStatus() });
  });

  it(
    'of an earlier revision makes the agent due: a process that had lost the lead has changed it back',
    verifies('agents.sweep'),
    async () => {
      const { made, reconciler, scripted, agents, owner } = await stageOf();
      const { uuid, deployment } = await made();
      await reconciler.settle();
      const early = scripted.deployments.get(deployment);
      if (!early) throw new Error('it is deployed');
      await agents.changes.restart(owner, uuid);
      await reconciler.settle();
      await reconciler.observe(deployment, readyStatus(2));
      expect(await reconciler.sweep(never)).toBe(0);
      scripted.deployments.set(deployment, early);
      await reconciler.observe(deployment, readyStatus(1));
      expect(await reconciler.sweep(never)).toBe(1);
      await reconciler.settle();
      expect(scripted.deployments.get(deployment)).toMatchObject({ revision: 2 });
    },
  );

  it('comes again after a watch that ended with an error', verifies('agents.status'), async () => {
    const { made, reconciler, started, scripted, rowOf } = await stageOf();
    const { uuid, deployment } = await made();
    await reconciler.settle();
    scripted.fail('watch', { before: unreachable() });
    await started();
    await eventually('it has failed', () => scripted.calls.includes('watch '));
    scripted.heal();
    await eventually('it watches', () => scripted.watchers() === 1);
    scripted.tell(deployment, readyStatus());
    await eventually('it is stored', async () => (await rowOf(uuid)).status);
  });
});

describe('an agent that ends', () => {
  it(
    'is terminated at the end of its grace period, also when the orchestrator fails until then',
    verifies('agents.reconcile.removal'),
    async () => {
      const { made, reconciler, agents, owner, scripted, clock, rowOf, execute } = await stageOf();
      const { uuid } = await made();
      await reconciler.settle();
      await execute("UPDATE agents SET state = 'ACTIVE' WHERE uuid = $1", uuid);
      await agents.changes.drain(owner, uuid, { grace_seconds: 30 });
      await execute('UPDATE agents SET attempts = 8 WHERE uuid = $1', uuid);
      scripted.fail('drain', { before: unreachable() });
      scripted.fail('remove', { before: unreachable() });
      await reconciler.settle();
      expect(await rowOf(uuid)).toMatchObject({ state: 'DRAINING', attempts: 9 });
      clock.advance(30_000);
      await reconciler.settle();
      expect((await rowOf(uuid)).state).toBe('TERMINATED');
    },
  );

  it(
    'and whose pods do not end is looked at less and less often, up to once a minute',
    verifies('agents.reconcile.removal'),
    async () => {
      const { made, reconciler, agents, owner, scripted, clock, rowOf } = await stageOf();
      const { uuid } = await made();
      await reconciler.settle();
      scripted.linger(1_000);
      await agents.remove(owner, uuid);
      const looks = () => scripted.calls.filter((call) => call.startsWith('remove')).length;
      for (let second = 0; second < 10; second++) {
        await reconciler.settle();
        clock.advance(1_000);
      }
      expect(looks()).toBeGreaterThanOrEqual(6);
      clock.advance(3_600_000);
      await reconciler.settle();
      const { due_at } = await rowOf(uuid);
      expect(due_at?.getTime()).toBe(clock.now().getTime() + 60_000);
    },
  );
});

describe('a sweep that finds very many deployments without an agent', () => {
  it('removes a hundred at once, and the others with the next ones', verifies('agents.sweep'), async () => {
    const { made, reconciler, scripted } = await stageOf();
    const { deployment } = await made();
    await reconciler.settle();
    const own = scripted.deployments.get(deployment);
    if (!own) throw new Error('it is deployed');
    for (let number = 0; number < 150; number++)
      scripted.deployments.set(`stray-${number}`, { ...own, deployment: `stray-${number}` });
    await reconciler.sweep(never);
    expect(scripted.deployments.size).toBe(51);
    await reconciler.sweep(never);
    expect([...scripted.deployments.keys()]).toEqual([deployment]);
  });
});
