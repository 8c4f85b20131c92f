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
import { type Actions, atOnceMs, type OrchestratorStage, quiet } from './orchestrator-stage.ts';

/** All lines of a log, to its end. */
export async function linesOf(log: AsyncIterable<LogLine>): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of log) lines.push(line);
  return lines;
}

/** The part of the suite on what goes on until it is aborted, and on aborted calls. @param opened To be called once tests run. */
export function describeStreams(opened: () => { stage: OrchestratorStage; actions: Actions }): void {
  let stage: OrchestratorStage;
  let orchestrator: Orchestrator;
  let deploymentOf: Actions['deploymentOf'];
  let statusOf: Actions['statusOf'];
  let ready: Actions['ready'];
  let removed: Actions['removed'];

  beforeAll(() => {
    const { stage: open, actions } = opened();
    stage = open;
    ({ orchestrator } = stage);
    ({ deploymentOf, statusOf, ready, removed } = actions);
  });

  describe('watch', () => {
    it('reports existing, changed and removed deployments, until it is aborted', async () => {
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
}
