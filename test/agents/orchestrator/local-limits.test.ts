import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInAgents } from '../../../src/agents/orchestrator/local/built-in-agents.ts';
import { OrchestratorError } from '../../../src/agents/orchestrator/orchestrator.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { openLocalStage } from './local-stage.ts';
import { actionsOf, quiet, sampleDeployment } from './orchestrator-stage.ts';

describe('the local orchestrator', () => {
  it('runs 32 agents and no more', async () => {
    const stage = await openLocalStage();
    const { orchestrator } = stage;
    // They count, and need no process.
    const agents = Array.from({ length: 32 }, () => sampleDeployment(stage.images.unavailable));
    for (const agent of agents) await orchestrator.apply(agent, quiet());
    const more = sampleDeployment(stage.images.unavailable);
    await expect(orchestrator.apply(more, quiet())).rejects.toMatchObject({
      kind: 'rejected',
      message: 'At most 32 agents run at once as local processes.',
    });
    expect(await stage.remains(more.deployment)).toEqual([]);
    // One that is suspended, or that runs already, takes no further place.
    await orchestrator.apply({ ...more, replicas: 0 }, quiet());
    const [first, second] = agents as [(typeof agents)[0], (typeof agents)[0]];
    await orchestrator.apply({ ...first, revision: 2 }, quiet());
    await orchestrator.apply({ ...second, revision: 2, replicas: 0 }, quiet());
    await orchestrator.apply({ ...more, revision: 2 }, quiet());
    expect(await orchestrator.list(quiet())).toHaveLength(33);
  });

  it('takes no name that leads out of its folder', async () => {
    const stage = await openLocalStage();
    const { orchestrator, dataDir } = stage;
    for (const deployment of ['../outside', '..', '.', '', 'a/b', 'A', '-a', 'a'.repeat(64), 'a\0', '.removed-a']) {
      const calls: Record<string, () => Promise<unknown>> = {
        apply: () => orchestrator.apply(sampleDeployment(stage.images.unavailable, { deployment }), quiet()),
        status: () => orchestrator.status(deployment, quiet()),
        drain: () => orchestrator.drain(deployment, quiet()),
        remove: () => orchestrator.remove(deployment, quiet()),
        events: () => orchestrator.events(deployment, quiet()),
        logs: () => orchestrator.logs(deployment, { tailLines: 1, follow: false }, quiet()).next(),
      };
      for (const [call, run] of Object.entries(calls))
        await expect(run(), `${call} ${deployment}`).rejects.toBeInstanceOf(OrchestratorError);
    }
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('takes no other process for one of its own, although that has its number', async () => {
    const stage = await openLocalStage();
    const agent = sampleDeployment(stage.images.unavailable);
    await stage.orchestrator.apply(agent, quiet());
    const [pod] = await stage.podsOf(agent.deployment);
    const other = spawn('sleep', ['600'], { stdio: 'ignore' });
    cleanUp(() => other.kill('SIGKILL'));
    const { pid } = other;
    const folder = pod?.folder ?? '';
    await writeFile(path.join(folder, 'runner'), String(pid));
    const status = { phase: 'running', agentPid: pid, port: 1, ready: true, failure: null, events: [] };
    await writeFile(path.join(folder, 'status.json'), JSON.stringify(status));
    expect(await stage.orchestrator.status(agent.deployment, quiet())).toBeNull();
    expect(await stage.orchestrator.remove(agent.deployment, quiet())).toBe(true);
    expect(other.signalCode).toBeNull();
  });

  it('keeps its files from other users of the machine', async () => {
    const stage = await openLocalStage();
    const agent = sampleDeployment(stage.images.unavailable);
    await stage.orchestrator.apply(agent, quiet());
    await stage.orchestrator.drain(agent.deployment, quiet());
    await stage.orchestrator.remove(agent.deployment, AbortSignal.abort()).catch(() => undefined);
    const root = path.join(stage.dataDir, 'agents');
    const files = [root, ...(await readdir(root, { recursive: true })).map((name) => path.join(root, name))];
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect((await stat(file)).mode & 0o077, file).toBe(0);
  });

  it('reports a folder that cannot be read as unreachable, and goes on when it can', async () => {
    const stage = await openLocalStage();
    const { deploymentOf } = actionsOf(stage);
    const agent = deploymentOf({ image: stage.images.unavailable });
    await stage.orchestrator.apply(agent, quiet());
    const spec = path.join(stage.folderOf(agent.deployment), 'spec.json');
    await rename(spec, `${spec}.kept`);
    await mkdir(spec);
    const failure = { kind: 'unreachable', message: 'The state of the local agents cannot be read or changed.' };
    await expect(stage.orchestrator.status(agent.deployment, quiet())).rejects.toMatchObject(failure);
    await expect(
      stage.orchestrator.logs(agent.deployment, { tailLines: 1, follow: false }, quiet()).next(),
    ).rejects.toMatchObject(failure);
    const reachable: boolean[] = [];
    const ending = new AbortController();
    const watching = stage.orchestrator.watch(
      {
        onReachable: (isReachable) => {
          reachable.push(isReachable);
          if (isReachable) ending.abort();
          else void rmdir(spec).then(() => rename(`${spec}.kept`, spec));
        },
        onStatus: () => undefined,
      },
      ending.signal,
    );
    await watching;
    expect(reachable).toEqual([false, true]);
  });
});

describe('the built-in agents', () => {
  it('are the example agent, for the default image and for its own names; nothing else runs', () => {
    const find = builtInAgents('docker.io/nginx:1');
    const example = find('local:example-agent');
    expect(example).toMatch(/deploy\/example-agent\/agent\.ts$/);
    expect(existsSync(example ?? '')).toBe(true);
    const names = [
      'docker.io/nginx:1',
      'patchbay/example-agent',
      'patchbay/example-agent:2',
      'docker.io/patchbay/example-agent@sha256:0',
    ];
    for (const image of names) expect(find(image), image).toBe(example);
    const others = [
      'docker.io/nginx:2',
      'local:/bin/sh',
      'local:../../agent',
      'evil/patchbay/example-agent',
      'patchbay/example-agent-of-another',
      'patchbay/example-agent/../../evil',
      '',
    ];
    for (const image of others) expect(find(image), image).toBeNull();
  });
});
