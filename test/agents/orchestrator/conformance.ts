import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  AgentDeployment,
  DeploymentStatus,
  LogLine,
  Orchestrator,
} from '../../../src/agents/orchestrator/orchestrator.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';

/** A driver to describe, and what can be seen of its orchestrator from outside. */
export interface OrchestratorStage {
  readonly orchestrator: Orchestrator;
  /** A driver over the same orchestrator, as another process of the platform has it. */
  readonly elsewhere: Orchestrator;
  readonly images: {
    /** Becomes ready, and ends within its grace period. */
    readonly works: string;
    /** Becomes ready and writes `line 1`, `line 2` … to its log, at least one each 100 ms. Null where there are no logs. */
    readonly talks: string | null;
    /** Ends right after its start, again and again. It writes `about to crash` to its log before. */
    readonly crashes: string;
    /** Cannot be had. */
    readonly unavailable: string;
  };
  /** An id of each instance of the agent that runs, ready or not: a pod's uid, a process's id. */
  instances(deployment: string): Promise<readonly string[]>;
  /** Whether a request to the agent's Service reaches an instance. */
  isServed(deployment: string): Promise<boolean>;
  /** Whatever exists of a deployment: objects, files, processes. Empty when all is gone. */
  remains(deployment: string): Promise<readonly string[]>;
  /** All that other users of the orchestrator can read of a deployment: manifests, files, command lines. */
  readableText(deployment: string): Promise<string>;
}

const quiet = () => new AbortController().signal;

async function linesOf(log: AsyncIterable<LogLine>): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of log) lines.push(line);
  return lines;
}

/** A call that was aborted ends "at once": so much is for a busy machine. */
const atOnceMs = 5_000;

/**
 * What every driver that runs agents keeps to (src/agents/orchestrator/orchestrator.ts).
 *
 * @param open Starts the orchestrator, once for all tests. It registers its end with `cleanUp`.
 */
export function describeOrchestrator(name: string, open: () => Promise<OrchestratorStage>): void {
  describe(`the ${name} orchestrator`, () => {
    let stage: OrchestratorStage;
    let orchestrator: Orchestrator;

    beforeAll(async () => {
      stage = await open();
      ({ orchestrator } = stage);
    });

    const removed = (deployment: string) =>
      eventually(`${deployment} is gone`, () => orchestrator.remove(deployment, quiet()));

    /** A deployment that no other test has; it is removed after the test. */
    function deploymentOf(facts: Partial<AgentDeployment> = {}): AgentDeployment {
      const id = randomUUID().slice(0, 8);
      const deployment = facts.deployment ?? `agent-${id}`;
      cleanUp(() => removed(deployment));
      return {
        agentUuid: randomUUID(),
        profileUuid: randomUUID(),
        projectUuid: randomUUID(),
        name: `agent-${id}`,
        deployment,
        host: `agent-${id}.agents.example.com`,
        revision: 1,
        image: stage.images.works,
        resources: { cpuRequest: '100m', memoryRequest: '64Mi', cpuLimit: '1', memoryLimit: '256Mi' },
        replicas: 1,
        restartedAt: null,
        env: { PATCHBAY_URL: 'http://127.0.0.1:9', PATCHBAY_AGENT_UUID: randomUUID() },
        secretEnv: { PATCHBAY_API_KEY: `secret-${randomUUID()}` },
        ...facts,
      };
    }

    const statusOf = (deployment: string) => orchestrator.status(deployment, quiet());

    async function statusWith(
      what: string,
      deployment: string,
      isWanted: (status: DeploymentStatus) => boolean,
    ): Promise<DeploymentStatus> {
      let last: DeploymentStatus | null = null;
      return eventually(`${deployment}: ${what}`, async () => {
        last = await statusOf(deployment);
        return last !== null && isWanted(last) && last;
      }).catch((error: Error) => {
        throw new Error(`${error.message}, but ${JSON.stringify(last)}`);
      });
    }

    /** Applies it and waits until its revision is rolled out. */
    async function ready(deployment: AgentDeployment): Promise<DeploymentStatus> {
      await orchestrator.apply(deployment, quiet());
      return statusWith(
        'ready',
        deployment.deployment,
        (status) => status.ready && status.revision === deployment.revision,
      );
    }

    const failed = (deployment: string) => statusWith('failed', deployment, (status) => status.failure !== null);

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

    describe('watch', () => {
      it('tells what exists, what changes and what is gone, until it is aborted', async () => {
        const known = deploymentOf();
        await ready(known);
        const seen: [deployment: string, status: DeploymentStatus | null][] = [];
        const reachable: boolean[] = [];
        const ending = new AbortController();
        const watching = orchestrator.watch(
          {
            onStatus: (deployment, status) => void seen.push([deployment, status]),
            onReachable: (isReachable) => void reachable.push(isReachable),
          },
          ending.signal,
        );
        const statusesOf = ({ deployment }: AgentDeployment) =>
          seen.filter(([of]) => of === deployment).map(([, status]) => status);
        cleanUp(() => ending.abort());

        await eventually('the first state', () => statusesOf(known).some((status) => status?.ready));
        expect(reachable).toEqual([true]);
        const added = deploymentOf();
        await orchestrator.apply(added, quiet());
        await eventually('a new one', () => statusesOf(added).some((status) => status?.ready));
        await orchestrator.apply({ ...known, revision: 2, replicas: 0 }, quiet());
        await eventually('a change', () => statusesOf(known).some((status) => status?.revision === 2 && status.ready));
        await removed(known.deployment);
        await eventually('the end', () => statusesOf(known).at(-1) === null);

        ending.abort();
        await within('the end of the watch', atOnceMs, watching);
        const count = seen.length;
        await removed(added.deployment);
        expect(seen).toHaveLength(count);
      });
    });

    describe('logs', () => {
      const numbersOf = (lines: readonly LogLine[]) =>
        lines.map(({ text }) => Number(/^line (\d+)$/.exec(text)?.[1] ?? Number.NaN));

      it('hold the last lines, the oldest first', async ({ skip }) => {
        if (stage.images.talks === null) return skip();
        const agent = deploymentOf({ image: stage.images.talks });
        await ready(agent);
        const lines = await eventually('five lines', async () => {
          const found = await linesOf(stage.elsewhere.logs(agent.deployment, { tailLines: 5, follow: false }, quiet()));
          return found.length === 5 && found;
        });
        const [first = Number.NaN] = numbersOf(lines);
        expect(numbersOf(lines)).toEqual([0, 1, 2, 3, 4].map((offset) => first + offset));
        for (const { at } of lines) expect(at === null || !Number.isNaN(at.getTime())).toBe(true);
      });

      it('go on with each new line, once and in order, until they are aborted', async ({ skip }) => {
        if (stage.images.talks === null) return skip();
        const agent = deploymentOf({ image: stage.images.talks });
        await ready(agent);
        const ending = new AbortController();
        const lines: LogLine[] = [];
        const following = (async () => {
          const log = stage.elsewhere.logs(agent.deployment, { tailLines: 1, follow: true }, ending.signal);
          for await (const line of log) if (lines.push(line) === 5) ending.abort();
        })();
        await within(
          'five lines',
          patienceMs,
          following.catch(() => undefined),
        );
        const [first = Number.NaN] = numbersOf(lines);
        expect(numbersOf(lines)).toEqual([0, 1, 2, 3, 4].map((offset) => first + offset));
      });

      it('end at once where they are aborted while no line comes', async () => {
        const agent = deploymentOf();
        await ready(agent);
        const ending = new AbortController();
        const following = linesOf(
          orchestrator.logs(agent.deployment, { tailLines: 0, follow: true }, ending.signal),
        ).catch(() => undefined);
        await delay(20);
        ending.abort();
        await within('the end of the log', atOnceMs, following);
      });
    });

    describe('an aborted signal', () => {
      it('ends every call before it does something', async () => {
        const agent = deploymentOf();
        const aborted = AbortSignal.abort();
        await expect(orchestrator.apply(agent, aborted)).rejects.toThrow();
        expect(await stage.remains(agent.deployment)).toEqual([]);
        await ready(agent);
        const instances = await stage.instances(agent.deployment);
        const calls = {
          status: () => orchestrator.status(agent.deployment, aborted),
          drain: () => orchestrator.drain(agent.deployment, aborted),
          remove: () => orchestrator.remove(agent.deployment, aborted),
          list: () => orchestrator.list(aborted),
          events: () => orchestrator.events(agent.deployment, aborted),
        };
        for (const [call, run] of Object.entries(calls)) await expect(run(), call).rejects.toThrow();
        expect(await statusOf(agent.deployment)).toMatchObject({ ready: true });
        expect(await stage.instances(agent.deployment)).toEqual(instances);
        const nothing = { onStatus: () => undefined, onReachable: () => undefined };
        await within('the end of the watch', atOnceMs, orchestrator.watch(nothing, aborted));
      });

      it('ends a call that is under way', async () => {
        const agent = deploymentOf();
        await ready(agent);
        const { deployment } = agent;
        const calls: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
          apply: (signal) => orchestrator.apply({ ...agent, revision: 2 }, signal),
          status: (signal) => orchestrator.status(deployment, signal),
          drain: (signal) => orchestrator.drain(deployment, signal),
          list: (signal) => orchestrator.list(signal),
          events: (signal) => orchestrator.events(deployment, signal),
          remove: (signal) => orchestrator.remove(deployment, signal),
        };
        for (const [call, run] of Object.entries(calls)) {
          const ending = new AbortController();
          const outcome = run(ending.signal).catch(() => undefined);
          ending.abort();
          await within(`the end of ${call}`, atOnceMs, outcome);
        }
      });
    });
  });
}
