import { describe, expect, it } from 'vitest';
import { OrchestratorError } from '../../src/agents/orchestrator/orchestrator.ts';
import { createServices } from '../../src/main/services.ts';
import { verifies } from '../requirements.ts';
import { ownerOf, reconcilerStage } from './agent-stage.ts';
import { unreachable } from './scripted-orchestrator.ts';

async function stageOf() {
  const stage = await reconcilerStage();
  const { settle } = stage.reconciler;
  return {
    ...stage,
    settle,
    /** Settles again and again while the back-off passes. */
    async settleFor(seconds: number) {
      for (let second = 0; second <= seconds; second++) {
        await settle();
        stage.clock.advance(1_000);
      }
    },
  };
}

const rejected = (message: string) => new OrchestratorError('rejected', message);

describe('a deployment', () => {
  it('makes the agent PROVISIONED, once, and is left alone from then on', verifies('agents.reconcile'), async () => {
    const { made, settle, rowOf, historyOf, scripted, clock } = await stageOf();
    const { uuid, deployment } = await made();
    await settle();
    expect(await rowOf(uuid)).toMatchObject({ state: 'PROVISIONED', due_at: null, attempts: 0, applied_revision: 1 });
    expect(scripted.deployments.get(deployment)).toMatchObject({
      agentUuid: uuid,
      host: 'worker.agents.localhost',
      env: { PATCHBAY_AGENT_UUID: uuid, PATCHBAY_URL: expect.any(String) },
      secretEnv: { PATCHBAY_API_KEY: expect.stringMatching(/^pba_/) },
    });
    clock.advance(3_600_000);
    await settle();
    expect(scripted.calls).toEqual([`apply ${deployment}`]);
    expect(await historyOf(uuid)).toEqual(['CREATED', 'PROVISIONED']);
  });

  it(
    "G03: of another profile's host is refused, says so, and is made once the host is free",
    verifies('agents.host'),
    async () => {
      const stage = await stageOf();
      const { made, settle, settleFor, rowOf, agents, owner, scripted, historyOf } = stage;
      const other = await ownerOf(stage);
      const first = await made();
      await settle();
      const second = await made('worker', other);
      await settle();
      expect(await rowOf(second.uuid)).toMatchObject({
        state: 'NEW',
        holds_host: false,
        last_error: 'The host worker.agents.localhost belongs to another agent',
      });
      expect([...scripted.deployments.keys()]).toEqual([first.deployment]);
      await agents.remove(owner, first.uuid);
      await settle();
      expect(await rowOf(first.uuid)).toMatchObject({ holds_host: false });
      await settleFor(5);
      expect(await rowOf(second.uuid)).toMatchObject({ state: 'PROVISIONED', holds_host: true, last_error: null });
      expect(await historyOf(second.uuid)).toEqual(['CREATED', 'ERROR', 'PROVISIONED']);
    },
  );

  it(
    'G04: that fails in part leaves the agent NEW with the reason, and is finished later, or removed',
    verifies('agents.reconcile.partial'),
    async () => {
      const { made, settle, settleFor, rowOf, agents, owner, scripted } = await stageOf();
      scripted.fail('apply', { after: rejected('Ingress: exceeded quota') });
      const [kept, ended] = [await made('kept'), await made('ended')];
      await settle();
      for (const { uuid } of [kept, ended])
        expect(await rowOf(uuid)).toMatchObject({ state: 'NEW', attempts: 1, last_error: 'Ingress: exceeded quota' });
      await agents.remove(owner, ended.uuid);
      await settle();
      expect(await rowOf(ended.uuid)).toMatchObject({ state: 'TERMINATED', removed_at: expect.any(Date) });
      expect([...scripted.deployments.keys()]).toEqual([kept.deployment]);
      scripted.heal();
      await settleFor(4);
      expect(await rowOf(kept.uuid)).toMatchObject({ state: 'PROVISIONED', attempts: 0, last_error: null });
    },
  );

  it(
    'that fails for one reason is one ERROR event, however often; for another reason another',
    verifies('agents.reconcile.errors'),
    async () => {
      const { made, settleFor, rowOf, historyOf, scripted, services, owner } = await stageOf();
      scripted.fail('apply', { before: unreachable() });
      const { uuid } = await made();
      await settleFor(20);
      expect((await rowOf(uuid)).attempts).toBeGreaterThan(2);
      expect(await historyOf(uuid)).toEqual(['CREATED', 'ERROR']);
      scripted.fail('apply', { before: new Error('password=secret at 10.0.0.1') });
      await settleFor(40);
      const [[latest] = []] = await services.agents.events.latest([uuid], {});
      expect(latest).toMatchObject({
        eventType: 'ERROR',
        fromState: 'NEW',
        toState: 'NEW',
        metadata: { triggered_by: 'system', reason: 'internal', message: 'The deployment failed' },
      });
      expect(await historyOf(uuid)).toEqual(['CREATED', 'ERROR', 'ERROR']);
      expect((await services.agents.find(owner, uuid)).lastError).toBe('The deployment failed');
    },
  );

  it(
    'is tried again after ever longer pauses, at most five minutes and a quarter',
    verifies('agents.reconcile.back-off'),
    async () => {
      const { made, settle, rowOf, scripted, clock } = await stageOf();
      scripted.fail('apply', { before: unreachable() });
      const { uuid } = await made();
      for (const pause of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
        await settle();
        const waits = ((await rowOf(uuid)).due_at?.getTime() ?? 0) - clock.now().getTime();
        expect(waits).toBeGreaterThanOrEqual(pause * 1_000);
        expect(waits).toBeLessThanOrEqual(pause * 1_250);
        clock.advance(waits);
      }
    },
  );

  it('of an agent that was changed meanwhile is made again with the change', async () => {
    const { made, settle, settleFor, rowOf, agents, owner, scripted } = await stageOf();
    const { uuid, deployment } = await made();
    await settle();
    await agents.changes.redeploy(owner, uuid, { image: 'ghcr.io/acme/agent:2' });
    const meanwhile = async () => {
      scripted.heal();
      await agents.changes.redeploy(owner, uuid, { image: 'ghcr.io/acme/agent:3' });
    };
    scripted.fail('apply', { before: unreachable(), meanwhile });
    await settle();
    expect(scripted.deployments.get(deployment)).toMatchObject({ image: 'ghcr.io/acme/agent:3', revision: 3 });
    expect(await rowOf(uuid)).toMatchObject({ applied_revision: 3, due_at: null, last_error: null });
    await settleFor(1);
  });
});

describe('a removal', () => {
  it(
    'G05: is tried again until nothing is left, and says so only then',
    verifies('agents.reconcile.removal'),
    async () => {
      const { made, settle, settleFor, rowOf, agents, owner, scripted, clock } = await stageOf();
      const { uuid, deployment } = await made();
      await settle();
      scripted.fail('remove', { before: unreachable() });
      await agents.remove(owner, uuid);
      await settleFor(10);
      expect(await rowOf(uuid)).toMatchObject({
        state: 'TERMINATED',
        removed_at: null,
        last_error: unreachable().message,
      });
      expect(scripted.deployments.has(deployment)).toBe(true);
      scripted.heal();
      scripted.linger(3);
      clock.advance(300_000);
      await settle();
      expect(await rowOf(uuid)).toMatchObject({ removed_at: null });
      // Three looks, a minute apart: it has taken long already.
      await settleFor(200);
      expect(await rowOf(uuid)).toMatchObject({ removed_at: expect.any(Date), last_error: null, due_at: null });
      expect(scripted.deployments.size).toBe(0);
    },
  );

  it(
    'G06: during a failing deployment waits for no back-off, and is not an error',
    verifies('agents.reconcile.removal'),
    async () => {
      const { made, settle, settleFor, rowOf, historyOf, agents, owner, scripted } = await stageOf();
      scripted.fail('apply', { before: unreachable() });
      const { uuid } = await made();
      await settleFor(100);
      const meanwhile = () => agents.remove(owner, uuid);
      scripted.fail('apply', { after: unreachable('Another reason'), meanwhile });
      await settleFor(200);
      expect(await rowOf(uuid)).toMatchObject({ state: 'TERMINATED', removed_at: expect.any(Date) });
      expect(await historyOf(uuid)).toEqual(['CREATED', 'ERROR', 'TERMINATED']);
      expect(scripted.deployments.size).toBe(0);
      await settle();
    },
  );

  it('G06: during a deployment that succeeds removes it', verifies('agents.reconcile.removal'), async () => {
    const { made, settle, rowOf, historyOf, agents, owner, scripted } = await stageOf();
    const { uuid } = await made();
    const { apply } = scripted.orchestrator;
    scripted.orchestrator.apply = async (...args) => {
      await apply(...args);
      await agents.remove(owner, uuid);
    };
    await settle();
    await settle();
    expect(await rowOf(uuid)).toMatchObject({ state: 'TERMINATED', removed_at: expect.any(Date), due_at: null });
    expect(await historyOf(uuid)).toEqual(['CREATED', 'TERMINATED']);
    expect(scripted.deployments.size).toBe(0);
  });
});

describe('a process that dies', () => {
  const after = { after: new Error('died') };
  const before = { before: new Error('died') };
  it.each([
    ['before it deploys', 'apply', before],
    ['between the deployment and its record', 'apply', after],
    ['before it drains', 'drain', before],
    ['after it has drained', 'drain', after],
    ['between the termination and the removal', 'remove', before],
    ['between the removal and its record', 'remove', after],
  ] as const)(
    'G07: %s is followed by one that finishes',
    verifies('agents.reconcile.crash'),
    async (_when, call, fault) => {
      const { made, settle, rowOf, historyOf, agents, owner, scripted, infrastructure, clock } = await stageOf();
      const { uuid, deployment } = await made();
      const crashing = async () => {
        const dying = new AbortController();
        scripted.fail(call, { ...fault, meanwhile: () => dying.abort() });
        await settle(dying.signal);
        expect(dying.signal.aborted).toBe(true);
        scripted.heal();
      };
      const successor = createServices(infrastructure).agents.reconciler;
      if (call === 'apply') await crashing();
      await successor.settle();
      expect(await rowOf(uuid)).toMatchObject({ state: 'PROVISIONED', attempts: 0, last_error: null });
      await agents.reports.heartbeat(owner, uuid, { mode: 'IDLE', uptime_seconds: 1 });
      await agents.changes.drain(owner, uuid, { grace_seconds: 20 });
      if (call === 'drain') await crashing();
      await successor.settle();
      expect([...scripted.drained]).toEqual([deployment]);
      expect(await rowOf(uuid)).toMatchObject({ state: 'DRAINING' });
      clock.advance(20_000);
      if (call === 'remove') await crashing();
      await successor.settle();
      expect(await rowOf(uuid)).toMatchObject({ state: 'TERMINATED', removed_at: clock.now(), due_at: null });
      expect(scripted.deployments.size).toBe(0);
      expect(await historyOf(uuid)).toEqual(['CREATED', 'PROVISIONED', 'ACTIVATED', 'DRAINING', 'TERMINATED']);
    },
  );
});
