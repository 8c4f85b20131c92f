import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import type { AgentDeployment, DeploymentStatus } from '../../../src/agents/orchestrator/orchestrator.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { eventually } from '../../support/deadline.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { type LocalStage, openLocalStage } from './local-stage.ts';
import { actionsOf, quiet } from './orchestrator-stage.ts';

/** A process that applies and removes over the folder of a stage (local-parent.ts). */
async function startParent(stage: LocalStage) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'local-parent.ts'), stage.dataDir], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUp(() => kill(child));
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout });
  return {
    /** Gives an order and does not wait for it. */
    order: (order: AgentDeployment | string) => void child.stdin.write(`${JSON.stringify(order)}\n`),
    done: () => once(lines, 'line'),
    kill: () => kill(child),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const theOnly = <Item>(items: readonly Item[]): Item => {
  expect(items).toHaveLength(1);
  return items[0] as Item;
};

describe('kill -9', () => {
  it('of the process that applied an agent leaves no process, and the deployment is gone until it is applied again', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, statusWith, statusOf, ready } = actionsOf(stage);
    const agent = deploymentOf();
    const { deployment } = agent;
    const parent = await startParent(stage);
    parent.order(agent);
    await parent.done();
    await statusWith('ready', deployment, (status) => status.ready);
    expect(await stage.processesOf(deployment)).toHaveLength(1);

    await parent.kill();
    await eventually('no process', async () => (await stage.processesOf(deployment)).length === 0);
    expect(await stage.instances(deployment)).toEqual([]);
    expect(await statusOf(deployment)).toBeNull();
    expect(await stage.orchestrator.list(quiet())).toEqual([]);
    await ready(agent);
    expect(await stage.podsOf(deployment)).toHaveLength(1);
  });

  it('of a runner ends its agent, and the watch reports it', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, ready } = actionsOf(stage);
    const agent = deploymentOf();
    await ready(agent);
    const seen: (DeploymentStatus | null)[] = [];
    const ending = new AbortController();
    cleanUp(() => ending.abort());
    void stage.elsewhere.watch(
      { onStatus: (_, status) => void seen.push(status), onReachable: () => undefined },
      ending.signal,
    );
    await eventually('the first state', () => seen.at(-1)?.ready);

    const { runnerPid } = theOnly(await stage.podsOf(agent.deployment));
    process.kill(runnerPid as number, 'SIGKILL');
    await eventually('the end of the agent', async () => (await stage.instances(agent.deployment)).length === 0);
    await eventually('the watch reports it', () => seen.at(-1) === null);
    expect(await stage.orchestrator.list(quiet())).toEqual([]);
    await ready(agent);
    await eventually('the watch reports the new one', () => seen.at(-1)?.ready);
  });

  it('of a runner whose agent runs on is made good by apply and by remove', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, ready, removed } = actionsOf(stage);
    const agent = deploymentOf();
    for (const repair of [() => ready(agent), () => removed(agent.deployment)]) {
      await ready(agent);
      const { runnerPid, agentPid } = theOnly(await stage.podsOf(agent.deployment));
      // An agent that is stopped does not see the end of its runner.
      process.kill(agentPid as number, 'SIGSTOP');
      process.kill(runnerPid as number, 'SIGKILL');
      await eventually(
        'the end of the runner',
        async () => (await stage.podsOf(agent.deployment))[0]?.runnerPid === null,
      );
      expect(await stage.instances(agent.deployment)).toEqual([String(agentPid)]);
      await repair();
      expect(await stage.instances(agent.deployment)).not.toContain(String(agentPid));
    }
  });

  it('of an agent starts it again', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, ready, statusWith } = actionsOf(stage);
    const agent = deploymentOf();
    await ready(agent);
    const [before] = await stage.instances(agent.deployment);
    process.kill(Number(before), 'SIGKILL');
    await eventually('another agent', async () => {
      const [after] = await stage.instances(agent.deployment);
      return after !== undefined && after !== before;
    });
    await statusWith('ready', agent.deployment, ({ ready, failure }) => ready && failure === null);
    const [event] = (await stage.orchestrator.events(agent.deployment, quiet())).filter(
      ({ type }) => type === 'Warning',
    );
    expect(event).toMatchObject({ reason: 'BackOff', count: 1, message: expect.stringContaining('SIGKILL') });
  });

  it.each([
    ['the folder', () => true],
    ['the pod', (names: readonly string[]) => names.includes('pods')],
    ['the runner', (names: readonly string[]) => names.some((name) => name.endsWith('runner'))],
    ['the specification', (names: readonly string[]) => names.includes('spec.json')],
  ])('of a process that has just made %s leaves what the same call finishes', async (_, isMade) => {
    const stage = await openLocalStage();
    const { deploymentOf, statusOf, removed } = actionsOf(stage);
    const agent = deploymentOf();
    const parent = await startParent(stage);
    parent.order(agent);
    await made(stage.folderOf(agent.deployment), isMade);
    await parent.kill();
    // Its runner ends a moment later, so one apply may come too early; the reconciler repeats it too.
    await eventually('ready', async () => {
      await stage.orchestrator.apply(agent, quiet());
      return (await statusOf(agent.deployment))?.ready;
    });
    await eventually('one instance', async () => (await stage.instances(agent.deployment)).length === 1);
    expect(await stage.processesOf(agent.deployment)).toHaveLength(1);
    await removed(agent.deployment);
    expect(await stage.remains(agent.deployment)).toEqual([]);
  });

  it('of a process that has just begun to remove an agent leaves what the same call finishes', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, ready, removed } = actionsOf(stage);
    const agent = deploymentOf();
    await ready(agent);
    const { runnerPid } = theOnly(await stage.podsOf(agent.deployment));
    // A runner that is stopped does not end, so the mark of a removal stays until it is seen.
    process.kill(runnerPid as number, 'SIGSTOP');
    const parent = await startParent(stage);
    parent.order(agent.deployment);
    await made(stage.folderOf(agent.deployment), (names) => names.includes('removing'));
    await parent.kill();
    expect(await stage.orchestrator.list(quiet())).toMatchObject([{ deployment: agent.deployment }]);
    process.kill(runnerPid as number, 'SIGCONT');
    await removed(agent.deployment);
    expect(await stage.remains(agent.deployment)).toEqual([]);
  });

  it('of a process amid the removal of files is made good by the next remove', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, removed } = actionsOf(stage);
    const rest = path.join(stage.dataDir, 'agents', '.removed-by-a-process-that-was-killed');
    await mkdir(path.join(rest, 'pods'), { recursive: true });
    const agent = deploymentOf({ replicas: 0 });
    await stage.orchestrator.apply(agent, quiet());
    expect(await stage.orchestrator.list(quiet())).toHaveLength(1);
    await removed(agent.deployment);
    expect(existsSync(rest)).toBe(false);
  });
});

/** Waits until files of a deployment are made, to the millisecond. */
async function made(folder: string, isMade: (names: readonly string[]) => boolean): Promise<void> {
  const isThere = () => existsSync(folder) && isMade(readdirSync(folder, { recursive: true }).map(String));
  await eventually(`files in ${folder}`, isThere, { everyMs: 1 });
}

describe('an apply that is aborted', () => {
  it.each([1, 2, 3])('at look %i at the signal leaves no process, and can be repeated', async (look) => {
    const stage = await openLocalStage();
    const { deploymentOf, ready, statusOf } = actionsOf(stage);
    const agent = deploymentOf();
    await expect(stage.orchestrator.apply(agent, abortedAt(look))).rejects.toThrow('aborted by the test');
    await eventually('no process', async () => (await stage.processesOf(agent.deployment)).length === 0);
    expect(await statusOf(agent.deployment)).toBeNull();
    await ready(agent);
    expect(await stage.podsOf(agent.deployment)).toHaveLength(1);
  });
});

/** A signal that is aborted when it is looked at for the nth time. */
function abortedAt(look: number): AbortSignal {
  const abort = new AbortController();
  let looks = 0;
  return Object.assign(abort.signal, {
    throwIfAborted() {
      looks += 1;
      if (looks < look) return;
      abort.abort(new Error('aborted by the test'));
      throw abort.signal.reason;
    },
  });
}

describe('what does not end by itself', () => {
  it('is killed after the grace period', async () => {
    const stage = await openLocalStage({ graceMs: 100 });
    const { deploymentOf, ready, removed, statusWith } = actionsOf(stage);
    const agent = deploymentOf({ image: 'local:stubborn' });
    await ready(agent);
    const [pid] = await stage.instances(agent.deployment);
    expect(await stage.orchestrator.remove(agent.deployment, quiet())).toBe(false);
    await removed(agent.deployment);
    expect(await stage.remains(agent.deployment)).toEqual([]);
    expect(() => process.kill(Number(pid), 0)).toThrow();

    await ready(agent);
    await ready({ ...agent, revision: 2 });
    await statusWith('rolled out', agent.deployment, ({ ready }) => ready);
    await eventually('one instance', async () => (await stage.instances(agent.deployment)).length === 1);
  });

  it('and has a runner that hangs is killed with it by remove, some seconds later', async () => {
    const clock = createManualClock();
    const stage = await openLocalStage();
    const { deploymentOf, ready } = actionsOf(stage);
    const agent = deploymentOf();
    await ready(agent);
    const { runnerPid } = theOnly(await stage.podsOf(agent.deployment));
    process.kill(runnerPid as number, 'SIGSTOP');
    const remover = stage.open({}, clock);
    expect(await remover.remove(agent.deployment, quiet())).toBe(false);
    clock.advance(10_000);
    expect(await remover.remove(agent.deployment, quiet())).toBe(false);
    expect(await stage.podsOf(agent.deployment)).toMatchObject([{ runnerPid }]);
    clock.advance(1);
    expect(await remover.remove(agent.deployment, quiet())).toBe(false);
    await eventually('gone', () => remover.remove(agent.deployment, quiet()));
    expect(await stage.remains(agent.deployment)).toEqual([]);
  });
});

describe('close', () => {
  it('ends what this driver has started and nothing else', async () => {
    const stage = await openLocalStage();
    const { deploymentOf, ready, statusOf } = actionsOf(stage);
    const [ours, theirs] = [deploymentOf(), deploymentOf()];
    const another = stage.open();
    await ready(ours);
    await another.apply(theirs, quiet());
    await another.close();
    expect(await stage.processesOf(theirs.deployment)).toEqual([]);
    expect(await statusOf(theirs.deployment)).toBeNull();
    expect(await statusOf(ours.deployment)).toMatchObject({ ready: true });
  });
});
