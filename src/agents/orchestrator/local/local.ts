import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import {
  type AgentDeployment,
  type DeploymentStatus,
  type LogLine,
  type Orchestrator,
  OrchestratorError,
  type StatusListener,
} from '../orchestrator.ts';
import { builtInAgents, type FindProgram } from './built-in-agents.ts';
import {
  type DeploymentFolder,
  deploymentsIn,
  folderOf,
  type LocalSpec,
  makeFolder,
  mark,
  podFolderOf,
  readFolder,
  readSpec,
  removeFolder,
  unmark,
  writePodStatus,
  writeSpec,
} from './deployment-folder.ts';
import { eventsOf, isCounted, statusOf } from './deployment-status.ts';
import { lastLines, type PodLogReader, readPodLog } from './pod-log.ts';
import { withEvent } from './pod-record.ts';
import { createRunners, kill, runnerGraceMs } from './runners.ts';
import { defaultTiming, type LocalTiming } from './timing.ts';

/** So many agents run at once: each is two processes of some 50 MB. */
const agentsMax = 32;

export interface LocalOptions {
  /** Its folder `agents` holds the state of all local agents of the machine. */
  readonly dataDir: string;
  /** The image of agents that name none; the example agent runs for it. */
  readonly defaultImage: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** The programs that run. Default: the built-in example agent. */
  readonly findProgram?: FindProgram;
  readonly timing?: Partial<LocalTiming>;
}

/**
 * Runs agents as processes of this machine, for development: with the conditions, restarts and health checks of Kubernetes, and
 * without its isolation. It runs only programs that come with the platform, whatever image an agent names.
 *
 * An agent ends with the process that applied it. Every process of the machine with the same folder can do everything else with
 * it: drain and remove it, and read its status, log and events.
 */
export function createLocalOrchestrator(options: LocalOptions): Orchestrator {
  const { clock, log, findProgram = builtInAgents(options.defaultImage) } = options;
  const timing: LocalTiming = { ...defaultTiming, ...options.timing };
  const root = path.resolve(options.dataDir, 'agents');
  const runners = createRunners(log);
  log.info({ folder: root }, 'agents run as local processes without isolation; only built-in agents run');

  async function apply(desired: AgentDeployment, signal: AbortSignal): Promise<void> {
    const folder = folderOf(root, desired.deployment);
    const found = await readFolder(folder);
    if (found !== null && isAsDesired(found, desired)) return;
    if (desired.replicas > 0) await checkCount(desired.deployment);
    signal.throwIfAborted();

    const podId = desired.replicas > 0 ? randomUUID() : null;
    const program = findProgram(desired.image);
    await makeFolder(podId === null ? folder : podFolderOf(folder, podId));
    if (podId !== null && program === null) await refuse(podFolderOf(folder, podId), desired.image);
    if (found?.removingSince) await unmark(folder);
    const { agentUuid, revision, image, replicas } = desired;
    await writeSpec(folder, { agentUuid, revision, image, replicas, podId });
    if (found !== null) await sweep(found);
    signal.throwIfAborted();

    if (podId === null || program === null) return;
    const { env, secretEnv } = desired;
    await runners.start(folder, podId, { program, env, secretEnv, timing });
  }

  function isAsDesired({ spec, pods, removingSince }: DeploymentFolder, desired: AgentDeployment): boolean {
    if (removingSince !== null || spec?.revision !== desired.revision || spec.replicas !== desired.replicas)
      return false;
    return spec.podId === null || pods.some((pod) => pod.id === spec.podId && isCounted(pod));
  }

  async function checkCount(deployment: string): Promise<void> {
    const specs = await Promise.all(
      (await deploymentsIn(root)).map((name) => (name === deployment ? null : readSpec(path.join(root, name)))),
    );
    if (specs.filter((spec) => spec !== null && spec.replicas > 0).length < agentsMax) return;
    throw new OrchestratorError('rejected', `At most ${agentsMax} agents run at once as local processes.`);
  }

  /** Records that an image cannot be had. No process is needed for that. */
  async function refuse(podFolder: string, image: string): Promise<void> {
    const message = `The image ${image} is not available: only the example agent, patchbay/example-agent, runs as a local process. Other images need a cluster.`;
    const failure = { reason: 'ImageNotAvailable', message };
    const events = withEvent([], { type: 'Warning', ...failure, lastAt: clock.now() });
    await writePodStatus(podFolder, { phase: 'refused', agentPid: null, port: null, ready: false, failure, events });
  }

  /** Removes the pods that have ended, or of which a process that was killed has left something. */
  async function sweep({ pods }: DeploymentFolder): Promise<void> {
    for (const { runnerPid, agentPid, folder } of pods) {
      if (runnerPid !== null) continue;
      if (agentPid !== null) kill(agentPid);
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function remove(deployment: string): Promise<boolean> {
    const folder = folderOf(root, deployment);
    const found = await readFolder(folder);
    if (found === null) return true;
    // The runners see it and end.
    await mark(folder, 'removing', clock.now());
    const { removingSince, pods } = found;
    const isOverdue =
      removingSince !== null && clock.now().getTime() - removingSince.getTime() > timing.graceMs + runnerGraceMs;
    const living = pods.filter(({ runnerPid, agentPid }) => runnerPid !== null || agentPid !== null);
    for (const { runnerPid, agentPid } of living) {
      if (runnerPid !== null && isOverdue) kill(-runnerPid);
      else if (runnerPid === null && agentPid !== null) kill(agentPid);
    }
    if (living.length > 0) return false;
    await removeFolder(root, folder);
    return true;
  }

  async function statusIn(folder: string): Promise<DeploymentStatus | null> {
    const found = await readFolder(folder);
    if (found === null || found.spec === null) return null;
    const current = found.pods.find(({ id }) => id === found.spec?.podId);
    const lines = current?.status?.failure ? await lastLines(current.folder, 20) : [];
    return statusOf(found, found.spec, lines);
  }

  async function list(): Promise<(LocalSpec & { deployment: string })[]> {
    const found = await Promise.all(
      (await deploymentsIn(root)).map(async (deployment) => ({
        deployment,
        spec: await readSpec(path.join(root, deployment)),
      })),
    );
    return found.flatMap(({ deployment, spec }) => (spec === null ? [] : [{ deployment, ...spec }]));
  }

  async function watch(listener: StatusListener, signal: AbortSignal): Promise<void> {
    const seen = new Map<string, string>();
    let isReachable: boolean | null = null;
    while (!signal.aborted) {
      const statuses = await statusesOfAll().catch(() => null);
      if (signal.aborted) return;
      if (isReachable !== (statuses !== null)) {
        isReachable = statuses !== null;
        listener.onReachable(isReachable);
      }
      for (const [deployment, status] of statuses ?? []) {
        const text = JSON.stringify(status);
        if (seen.get(deployment) === text) continue;
        seen.set(deployment, text);
        listener.onStatus(deployment, status);
      }
      for (const deployment of statuses === null ? [] : [...seen.keys()]) {
        if (statuses?.has(deployment)) continue;
        seen.delete(deployment);
        listener.onStatus(deployment, null);
      }
      await delay(timing.pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async function statusesOfAll(): Promise<Map<string, DeploymentStatus>> {
    const statuses = new Map<string, DeploymentStatus>();
    for (const deployment of await deploymentsIn(root)) {
      const status = await statusIn(path.join(root, deployment));
      if (status !== null) statuses.set(deployment, status);
    }
    return statuses;
  }

  async function* logs(
    deployment: string,
    { tailLines, follow }: { readonly tailLines: number; readonly follow: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<LogLine, void, void> {
    const folder = folderOf(root, deployment);
    let podId: string | null = null;
    let reader: PodLogReader | null = null;
    try {
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        const current = (await readSpec(folder))?.podId ?? null;
        if (current !== podId) {
          yield* (await reader?.rest()) ?? [];
          await reader?.close();
          podId = current;
          reader = podId === null ? null : readPodLog(podFolderOf(folder, podId));
        }
        const lines = (await reader?.rest()) ?? [];
        yield* isFirst ? lines.slice(Math.max(0, lines.length - tailLines)) : lines;
        if (!follow) return;
        await delay(timing.pollMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      await reader?.close();
    }
  }

  return {
    kind: 'local',
    namespace: 'local',
    apply: (desired, signal) => answered(signal, () => apply(desired, signal)),
    status: (deployment, signal) => answered(signal, () => statusIn(folderOf(root, deployment))),
    drain: (deployment, signal) =>
      answered(signal, async () => {
        const folder = folderOf(root, deployment);
        if ((await readSpec(folder)) !== null) await mark(folder, 'drained', clock.now());
      }),
    remove: (deployment, signal) => answered(signal, () => remove(deployment)),
    list: (signal) =>
      answered(signal, async () => (await list()).map(({ deployment, agentUuid }) => ({ deployment, agentUuid }))),
    watch,
    logs,
    events: (deployment, signal) =>
      answered(signal, async () => {
        const found = await readFolder(folderOf(root, deployment));
        return found === null ? [] : eventsOf(found);
      }),
    close: runners.close,
  };
}

/** The answer of a call, or an error of the orchestrator. @throws The reason of the signal if that was aborted before or meanwhile. */
async function answered<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  signal.throwIfAborted();
  try {
    return await ask();
  } catch (error) {
    if (error instanceof OrchestratorError || signal.aborted) throw error;
    throw new OrchestratorError('unreachable', 'The state of the local agents cannot be read or changed.', {
      cause: error,
    });
  }
}
