import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  folderOf,
  makeFolder,
  podFolderOf,
  readFolder,
  writeSpec,
} from '../../../src/agents/orchestrator/local/deployment-folder.ts';
import { freePort } from '../../../src/agents/orchestrator/local/health-check.ts';
import { runPod } from '../../../src/agents/orchestrator/local/pod.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { eventually } from '../../support/deadline.ts';
import { findProgram, quickTiming } from './local-driver.ts';
import { openLocalStage } from './local-stage.ts';
import { actionsOf, quiet } from './orchestrator-stage.ts';

describe('a local agent', () => {
  it('that is not healthy in time fails, and leaves the old revision ready', async () => {
    const stage = await openLocalStage({ progressDeadlineMs: 100 });
    const { deploymentOf, ready, failed } = actionsOf(stage);
    const agent = deploymentOf();
    await ready(agent);
    await stage.orchestrator.apply({ ...agent, revision: 2, image: 'local:silent' }, quiet());
    const status = await failed(agent.deployment);
    expect(status).toMatchObject({ ready: false, readyReplicas: 1, replicas: 2, revision: 2 });
    expect(status.failure).toMatchObject({
      reason: 'ProgressDeadlineExceeded',
      message: 'The agent was not ready within 0.1 seconds.',
    });
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }),
    );
    expect(await ready({ ...agent, revision: 3 })).toMatchObject({ replicas: 1, failure: null });
  });

  it('that answers no more is not ready, is restarted and becomes ready again', async () => {
    const stage = await openLocalStage({ probeTimeoutMs: 50 });
    const { deploymentOf, ready, statusWith } = actionsOf(stage);
    const agent = deploymentOf({ image: 'local:hangs' });
    await ready(agent);
    const [before] = await stage.instances(agent.deployment);
    await statusWith('not ready', agent.deployment, ({ readyReplicas }) => readyReplicas === 0);
    await eventually('another agent', async () => {
      const [after] = await stage.instances(agent.deployment);
      return after !== undefined && after !== before;
    });
    await statusWith('ready', agent.deployment, (status) => status.ready);
    const events = await stage.orchestrator.events(agent.deployment, quiet());
    expect(events.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['Unhealthy', 'Killing', 'Started']));
  });

  it('needs no path for health checks', async () => {
    const { deploymentOf, ready } = actionsOf(await openLocalStage());
    expect(await ready(deploymentOf({ image: 'local:without-health-path' }))).toMatchObject({ ready: true });
  });

  it('that floods its log fills no disk and no memory, and stays ready', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, ready, statusOf } = actionsOf(stage);
    const agent = deploymentOf({ image: 'local:floods' });
    await ready(agent);
    const lengths = await eventually('the line without an end', async () => {
      const found: number[] = [];
      const log = stage.elsewhere.logs(agent.deployment, { tailLines: 3, follow: false }, quiet());
      for await (const { text } of log) found.push(text.length);
      return found.at(-1) !== 99 && found;
    });
    // It comes in pieces; the last one waits for its end.
    expect(lengths).toEqual([99, 16_384, 16_384]);
    const [pod] = await stage.podsOf(agent.deployment);
    for (const name of ['log', 'log.1'])
      expect((await stat(path.join(pod?.folder ?? '', name))).size).toBeLessThanOrEqual(1_000_000);
    expect(await statusOf(agent.deployment)).toMatchObject({ ready: true });
  });

  it('says in its status that nothing isolates it', async () => {
    const { deploymentOf, ready } = actionsOf(await openLocalStage());
    const { conditions } = await ready(deploymentOf());
    expect(conditions).toContainEqual({
      type: 'Isolated',
      status: 'False',
      reason: 'LocalProcess',
      message: expect.stringContaining('Nothing isolates it'),
    });
  });

  it('that finds its port taken gets another one', async () => {
    const { dataDir } = await openLocalStage();
    const taken = createServer().listen(0);
    cleanUp(() => taken.close());
    const ports = [(taken.address() as AddressInfo).port];
    const folder = folderOf(dataDir, 'agent-a');
    await makeFolder(podFolderOf(folder, 'pod'));
    await writeSpec(folder, { agentUuid: 'a', revision: 1, image: 'local:works', replicas: 1, podId: 'pod' });
    const ending = new AbortController();
    const events: string[] = [];
    const running = runPod(
      {
        folder,
        podId: 'pod',
        settings: { program: findProgram('local:works') as string, env: {}, secretEnv: {}, timing: quickTiming },
        clock: systemClock,
        findPort: async () => ports.shift() ?? freePort(),
      },
      ending.signal,
    );
    cleanUp(async () => {
      ending.abort();
      await running;
    });
    await eventually('ready on another port', async () => {
      const pod = (await readFolder(folder))?.pods[0];
      events.splice(0, events.length, ...(pod?.status?.events ?? []).map(({ reason }) => reason));
      return pod?.status?.ready;
    });
    expect(events).toEqual(['Ready', 'Started', 'BackOff']);
  });

  it('gets its environment, its port and the path of programs, and nothing else of the platform', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, ready } = actionsOf(stage);
    const agent = deploymentOf({ image: 'local:tells-environment', env: { PORT: '1', GREETING: 'hello' } });
    await ready(agent);
    const [pod] = await stage.podsOf(agent.deployment);
    const told = await eventually('the environment', async () => {
      for await (const { text } of stage.elsewhere.logs(agent.deployment, { tailLines: 1, follow: false }, quiet()))
        return JSON.parse(text) as Record<string, string>;
      return null;
    });
    expect(told).toEqual({
      GREETING: 'hello',
      PATCHBAY_API_KEY: agent.secretEnv.PATCHBAY_API_KEY,
      PATH: process.env.PATH,
      PORT: String(pod?.status?.port),
    });
  });
});
