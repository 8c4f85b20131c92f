import { beforeAll, describe, expect, it } from 'vitest';
import type { DeploymentStatus, Orchestrator } from '../../../src/agents/orchestrator/orchestrator.ts';
import { eventually } from '../../support/deadline.ts';
import { describeStreams, linesOf } from './conformance-streams.ts';
import { type Actions, actionsOf, type OrchestratorStage, quiet } from './orchestrator-stage.ts';

/**
 * What every driver that runs agents keeps to (src/agents/orchestrator/orchestrator.ts).
 *
 * @param open Starts the orchestrator, once for all tests. It registers its end with `cleanUp`.
 */
export function describeOrchestrator(name: string, open: () => Promise<OrchestratorStage>): void {
  describe(`the ${name} orchestrator`, () => {
    let stage: OrchestratorStage;
    let orchestrator: Orchestrator;
    let actions: Actions;

    beforeAll(async () => {
      stage = await open();
      ({ orchestrator } = stage);
      actions = actionsOf(stage);
    });

    const deploymentOf: Actions['deploymentOf'] = (facts) => actions.deploymentOf(facts);
    const statusOf: Actions['statusOf'] = (deployment) => actions.statusOf(deployment);
    const statusWith: Actions['statusWith'] = (...wanted) => actions.statusWith(...wanted);
    const ready: Actions['ready'] = (deployment) => actions.ready(deployment);
    const failed: Actions['failed'] = (deployment) => actions.failed(deployment);
    const removed: Actions['removed'] = (deployment) => actions.removed(deployment);

    describe('apply', () => {
      it('runs an agent and reports it as ready, to every process', async () => {
        const agent = deploymentOf();
        const status = await ready(agent);
        expect(status).toMatchObject({
          ready: true,
          replicas: 1,
          readyReplicas: 1,
          unavailableReplicas: 0,
          revision: 1,
          failure: null,
        });
        expect(status.conditions.find(({ type }) => type === 'Available')).toMatchObject({ status: 'True' });
        for (const condition of status.conditions)
          expect(condition).toEqual({
            type: expect.stringMatching(/./),
            status: expect.stringMatching(/^(True|False|Unknown)$/),
            reason: expect.any(String),
            message: expect.any(String),
          });
        expect(await stage.elsewhere.status(agent.deployment, quiet())).toMatchObject({
          ready: true,
          readyReplicas: 1,
        });
        expect(await stage.instances(agent.deployment)).toHaveLength(1);
        expect(await eventually('it is served', () => stage.isServed(agent.deployment))).toBe(true);
      });

      it('changes nothing where all is as described', async () => {
        const agent = deploymentOf();
        await ready(agent);
        const before = await stage.instances(agent.deployment);
        await orchestrator.apply(agent, quiet());
        await stage.elsewhere.apply(agent, quiet());
        expect(await statusOf(agent.deployment)).toMatchObject({ ready: true, replicas: 1 });
        expect(await stage.instances(agent.deployment)).toEqual(before);
      });

      it('replaces the instance for a new revision, without a moment that has none ready', async () => {
        const agent = deploymentOf();
        await ready(agent);
        const before = await stage.instances(agent.deployment);
        await orchestrator.apply({ ...agent, revision: 2, env: { ...agent.env, CHANGED: 'yes' } }, quiet());
        const seen: DeploymentStatus[] = [];
        await statusWith('rolled out', agent.deployment, (status) => {
          seen.push(status);
          return status.ready && status.revision === 2;
        });
        expect(seen.filter(({ readyReplicas }) => readyReplicas === 0)).toEqual([]);
        const after = await eventually('one instance', async () => {
          const instances = await stage.instances(agent.deployment);
          return instances.length === 1 && instances;
        });
        expect(after).not.toEqual(before);
      });

      it('replaces the instance for a new restartedAt', async () => {
        const agent = deploymentOf();
        await ready(agent);
        const before = await stage.instances(agent.deployment);
        await ready({ ...agent, revision: 2, restartedAt: new Date('2026-03-01T12:00:00.000Z') });
        await eventually('another instance', async () => {
          const instances = await stage.instances(agent.deployment);
          return instances.length === 1 && instances[0] !== before[0];
        });
      });

      it('scales to zero and back', async () => {
        const agent = deploymentOf();
        await ready(agent);
        expect(await ready({ ...agent, revision: 2, replicas: 0 })).toMatchObject({ readyReplicas: 0, failure: null });
        await eventually('no instance', async () => (await stage.instances(agent.deployment)).length === 0);
        expect(await statusOf(agent.deployment)).toMatchObject({
          replicas: 0,
          readyReplicas: 0,
          unavailableReplicas: 0,
        });
        expect(await ready({ ...agent, revision: 3 })).toMatchObject({ replicas: 1, readyReplicas: 1 });
      });

      it('finishes what a call began that was interrupted', async () => {
        const agent = deploymentOf();
        for (const afterMs of [0, 1, 2, 4, 8, 16, 32])
          await orchestrator.apply(agent, AbortSignal.timeout(afterMs)).catch(() => undefined);
        await ready(agent);
        await eventually('one instance', async () => (await stage.instances(agent.deployment)).length === 1);
        for (const afterMs of [0, 1, 2, 4, 8, 16, 32])
          await orchestrator.remove(agent.deployment, AbortSignal.timeout(afterMs)).catch(() => undefined);
        await removed(agent.deployment);
        expect(await stage.remains(agent.deployment)).toEqual([]);
      });

      it('brings a secret to the agent, and to nothing that others can read', async () => {
        const agent = deploymentOf();
        const broken = deploymentOf({ image: stage.images.crashes });
        await ready(agent);
        await orchestrator.apply(broken, quiet());
        await failed(broken.deployment);
        for (const { deployment, secretEnv } of [agent, broken]) {
          const shown = [
            await stage.readableText(deployment),
            JSON.stringify(await statusOf(deployment)),
            JSON.stringify(await orchestrator.events(deployment, quiet())),
            JSON.stringify(await orchestrator.list(quiet())),
          ].join('\n');
          expect(shown).toContain(deployment);
          expect(shown).not.toContain(secretEnv.PATCHBAY_API_KEY);
        }
      });
    });

    describe('a failure', () => {
      it('names the reason of an image that cannot be had, and ends with one that can', async () => {
        const agent = deploymentOf({ image: stage.images.unavailable });
        await orchestrator.apply(agent, quiet());
        const { failure, ready: isReady, readyReplicas, unavailableReplicas } = await failed(agent.deployment);
        expect({ isReady, readyReplicas, unavailableReplicas }).toEqual({
          isReady: false,
          readyReplicas: 0,
          unavailableReplicas: 1,
        });
        expect(failure?.reason).toMatch(/Image/);
        expect(failure?.message).toContain(stage.images.unavailable);
        expect(failure?.events).not.toEqual([]);
        expect(await ready({ ...agent, revision: 2, image: stage.images.works })).toMatchObject({ failure: null });
      });

      it('comes with the last events and log lines of an agent that ends again and again', async () => {
        const agent = deploymentOf({ image: stage.images.crashes });
        await orchestrator.apply(agent, quiet());
        const { failure } = await statusWith(
          'crashed',
          agent.deployment,
          (status) => status.failure?.reason === 'CrashLoopBackOff',
        );
        expect(failure?.message).not.toBe('');
        const events = failure?.events ?? [];
        expect(events.length).toBeGreaterThan(0);
        expect(events.length).toBeLessThanOrEqual(10);
        expect(events.map(({ lastAt }) => lastAt)).toEqual(
          events.map(({ lastAt }) => lastAt).toSorted((a, b) => b.getTime() - a.getTime()),
        );
        if (stage.images.talks === null) return;
        expect(failure?.logLines).toContain('about to crash');
        expect(failure?.logLines.length).toBeLessThanOrEqual(20);
      });

      it('of a new revision leaves the instance of the old one ready', async () => {
        const agent = deploymentOf();
        await ready(agent);
        const before = await stage.instances(agent.deployment);
        await orchestrator.apply({ ...agent, revision: 2, image: stage.images.unavailable }, quiet());
        const status = await failed(agent.deployment);
        expect(status).toMatchObject({ ready: false, readyReplicas: 1, revision: 2 });
        expect(await stage.instances(agent.deployment)).toEqual(expect.arrayContaining([...before]));
      });
    });

    describe('drain', () => {
      it('takes the agent out of its Service while it runs on', async () => {
        const agent = deploymentOf();
        await ready(agent);
        await eventually('it is served', () => stage.isServed(agent.deployment));
        const before = await stage.instances(agent.deployment);
        await orchestrator.drain(agent.deployment, quiet());
        await stage.elsewhere.drain(agent.deployment, quiet());
        await eventually('it is not served', async () => !(await stage.isServed(agent.deployment)));
        expect(await stage.instances(agent.deployment)).toEqual(before);
      });

      it('of what does not exist does nothing', async () => {
        await orchestrator.drain('agent-that-is-unknown', quiet());
        expect(await stage.remains('agent-that-is-unknown')).toEqual([]);
      });
    });

    describe('remove', () => {
      it('leaves nothing, and may be called again', async () => {
        const agent = deploymentOf();
        await ready(agent);
        await removed(agent.deployment);
        expect(await stage.remains(agent.deployment)).toEqual([]);
        expect(await statusOf(agent.deployment)).toBeNull();
        expect(await orchestrator.list(quiet())).not.toContainEqual(
          expect.objectContaining({ deployment: agent.deployment }),
        );
        expect(await orchestrator.remove(agent.deployment, quiet())).toBe(true);
      });

      it('removes a deployment that has failed, that is drained, and that another process has applied', async () => {
        const broken = deploymentOf({ image: stage.images.crashes });
        const drained = deploymentOf();
        await orchestrator.apply(broken, quiet());
        await ready(drained);
        await failed(broken.deployment);
        await orchestrator.drain(drained.deployment, quiet());
        for (const { deployment } of [broken, drained]) {
          await eventually('gone', () => stage.elsewhere.remove(deployment, quiet()));
          expect(await stage.remains(deployment)).toEqual([]);
        }
      });

      it('makes place for a deployment of the same name', async () => {
        const agent = deploymentOf();
        await ready(agent);
        await orchestrator.remove(agent.deployment, quiet());
        await removed(agent.deployment);
        expect(await ready({ ...agent, revision: 2 })).toMatchObject({ ready: true, replicas: 1 });
      });

      it('of what does not exist is done', async () => {
        expect(await orchestrator.remove('agent-that-is-unknown', quiet())).toBe(true);
      });
    });

    describe('what does not exist', () => {
      it('has no status, no events and no log', async () => {
        expect(await statusOf('agent-that-is-unknown')).toBeNull();
        expect(await orchestrator.events('agent-that-is-unknown', quiet())).toEqual([]);
        const lines = orchestrator.logs('agent-that-is-unknown', { tailLines: 10, follow: false }, quiet());
        expect(await linesOf(lines)).toEqual([]);
      });
    });

    describe('list', () => {
      it('holds every deployment with its agent, also one that has failed or has no instance', async () => {
        const agents = [
          deploymentOf(),
          deploymentOf({ image: stage.images.unavailable }),
          deploymentOf({ replicas: 0 }),
        ];
        for (const agent of agents) await orchestrator.apply(agent, quiet());
        expect(await stage.elsewhere.list(quiet())).toEqual(
          expect.arrayContaining(agents.map(({ deployment, agentUuid }) => ({ deployment, agentUuid }))),
        );
      });
    });

    describeStreams(() => ({ stage, actions }));
  });
}
