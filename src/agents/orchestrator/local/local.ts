import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Platform } from '../../../platform/platform.ts';
import {
  type AgentDeployment,
  type DeploymentStatus,
  type LogLine,
  type Orchestrator,
  OrchestratorError,
  type OwnedDeployment,
} from '../orchestrator.ts';
import { builtInAgents, type FindProgram } from './built-in-agents.ts';
import {
  type DeploymentFolder,
  deploymentsIn,
  folderOf,
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
import { readLog } from './deployment-log.ts';
import { eventsOf, isThere, statusOf } from './deployment-status.ts';
import { watchStatuses } from './deployment-watch.ts';
import { lastLines } from './pod-log.ts';
import { withEvent } from './pod-record.ts';
import { createRunners, kill, runnerGraceMs } from './runners.ts';
import { defaultTiming, type LocalTiming } from './timing.ts';

/** Agents that run at once: each is two processes, a runner of 65 MB and the agent of 100 MB. */
const agentsMax = 32;

export interface LocalOptions extends Pick<Platform, 'clock' | 'log'> {
  /** Its folder `agents` holds the state of all local agents of the machine. */
  readonly dataDir: string;
  /** The image of agents that name none; the example agent runs for it. */
  readonly defaultImage: string;
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
  const runners = createRunners(timing.graceMs);
  log.info({ folder: root }, 'agents run as local processes without isolation; only built-in agents run');

  async function apply(desired: AgentDeployment, signal: AbortSignal): Promise<void> {
    const folder = folderOf(root, desired.deployment);
    const found = await readFolder(folder);
    if (found !== null && isAsDesired(found, desired)) return;
    if (desired.replicas > 0) await checkCount(desired.deployment);
    signal.throwIfAborted();

    const { agentUuid, revision, image, replicas } = desired;
    const podId = replicas > 0 ? randomUUID() : null;
    await makeFolder(podId === null ? folder : podFolderOf(folder, podId));
    const runner = podId === null ? null : await startPod(folder, podId, desired);
    try {
      signal.throwIfAborted();
      if (found?.removingSince) await unmark(folder);
      await writeSpec(folder, { agentUuid, revision, image, replicas, podId });
    } catch (error) {
      runner?.abandon();
      throw error;
    }
    runner?.begin();
    if (found !== null) await sweep(found);
  }

  /** Makes a pod that does nothing yet: it must not run before the deployment names it. */
  async function startPod(folder: string, podId: string, { image, env, secretEnv }: AgentDeployment) {
    const program = findProgram(image);
    if (program === null) {
      await refuse(podFolderOf(folder, podId), image);
      return null;
    }
    const { begin, abandon } = await runners.start(folder, podId);
    return { begin: () => begin({ program, env, secretEnv, timing }), abandon };
  }

  const isAsDesired = (found: DeploymentFolder, { revision, replicas }: AgentDeployment) =>
    found.removingSince === null &&
    found.spec?.revision === revision &&
    found.spec.replicas === replicas &&
    isThere(found);

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
    if (found === null || found.spec === null || !isThere(found)) return null;
    const current = found.pods.find(({ id }) => id === found.spec?.podId);
    const lines = current?.status?.failure ? await lastLines(current.folder, 20) : [];
    return statusOf(found, found.spec, lines);
  }

  async function list(): Promise<OwnedDeployment[]> {
    const owned: OwnedDeployment[] = [];
    for (const deployment of await deploymentsIn(root)) {
      const found = await readFolder(path.join(root, deployment));
      if (found === null || found.spec === null) continue;
      // The remains of a deployment that ended unexpectedly are overwritten by the next `apply`.
      if (isThere(found) || found.removingSince !== null) owned.push({ deployment, agentUuid: found.spec.agentUuid });
    }
    return owned;
  }

  async function statuses(): Promise<Map<string, DeploymentStatus | null>> {
    const found = new Map<string, DeploymentStatus | null>();
    for (const deployment of await deploymentsIn(root))
      found.set(deployment, await statusIn(path.join(root, deployment)));
    return found;
  }

  return {
    kind: 'local',
    namespace: 'local',
    apply: (desired, signal) => orchestrated(signal, () => apply(desired, signal)),
    status: (deployment, signal) => orchestrated(signal, () => statusIn(folderOf(root, deployment))),
    drain: (deployment, signal) =>
      orchestrated(signal, async () => {
        const folder = folderOf(root, deployment);
        if ((await readSpec(folder)) !== null) await mark(folder, 'drained', clock.now());
      }),
    remove: (deployment, signal) => orchestrated(signal, () => remove(deployment)),
    list: (signal) => orchestrated(signal, list),
    watch: (listener, signal) => watchStatuses(statuses, timing.pollMs, listener, signal),
    logs: (deployment, { tailLines, follow }, signal) =>
      readable(() =>
        readLog(folderOf(root, deployment), { tailLines, followMs: follow ? timing.pollMs : null }, signal),
      ),
    events: (deployment, signal) =>
      orchestrated(signal, async () => {
        const found = await readFolder(folderOf(root, deployment));
        return found === null ? [] : eventsOf(found);
      }),
    close: runners.close,
  };
}

/** The result of a call. @throws {OrchestratorError} @throws The reason of the signal if it is aborted. */
async function orchestrated<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  try {
    return await ask();
  } catch (error) {
    throw signal.aborted ? error : failureOf(error);
  }
}

async function* readable(open: () => AsyncGenerator<LogLine, void, void>): AsyncGenerator<LogLine, void, void> {
  try {
    yield* open();
  } catch (error) {
    throw failureOf(error);
  }
}

const failureOf = (error: unknown) =>
  error instanceof OrchestratorError
    ? error
    : new OrchestratorError('unreachable', 'The state of the local agents cannot be read or changed.', {
        cause: error,
      });
