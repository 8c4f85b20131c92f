import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandLine } from '../../../platform/command-line.ts';
import { OrchestratorError, type PodEvent } from '../orchestrator.ts';

// The state of local agents, in files below DATA_DIR/agents that every process of the machine can read:
//
// <deployment>/spec.json the desired state; written by `apply`
// <deployment>/drained exists once the agent is drained
// <deployment>/removing exists once the deployment is being removed, with the start of the removal
// <deployment>/pods/<pod>/runner the process id of the pod's runner; written by the process that started it
// <deployment>/pods/<pod>/status.json, log, log.1, errors written by the runner
//
// Each file is replaced as a whole, by rename. They contain no secrets.

/** The desired state of a deployment. */
export interface LocalSpec {
  readonly agentUuid: string;
  readonly revision: number;
  readonly image: string;
  readonly replicas: number;
  /** The pod that runs this revision; null for no replicas. */
  readonly podId: string | null;
}

/** The record of a pod by its runner. */
export interface PodStatus {
  /** `refused`: the image has no program, so there is no runner. */
  readonly phase: 'running' | 'waiting' | 'ending' | 'ended' | 'refused';
  readonly agentPid: number | null;
  /** Where the agent answers on 127.0.0.1. */
  readonly port: number | null;
  /** Whether it passes its health checks. */
  readonly ready: boolean;
  readonly failure: { readonly reason: string; readonly message: string } | null;
  /** At most 50, the newest first. */
  readonly events: readonly PodEvent[];
}

export interface Pod {
  readonly id: string;
  readonly folder: string;
  /** The id of its runner's process while that lives. */
  readonly runnerPid: number | null;
  /** The id of its agent's process while that lives. */
  readonly agentPid: number | null;
  /** Null before the runner has recorded something. */
  readonly status: PodStatus | null;
}

export interface DeploymentFolder {
  readonly path: string;
  readonly spec: LocalSpec | null;
  readonly isDrained: boolean;
  readonly removingSince: Date | null;
  readonly pods: readonly Pod[];
}

/**
 * The folder of a deployment.
 *
 * @throws {OrchestratorError} for a name that is not a DNS label: it could lead to another folder.
 */
export function folderOf(root: string, deployment: string): string {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(deployment))
    throw new OrchestratorError('rejected', 'The name of a deployment must be a DNS label of at most 63 characters.');
  return path.join(root, deployment);
}

export const podFolderOf = (folder: string, podId: string): string => path.join(folder, 'pods', podId);

/** Makes a folder, and those above it, for this user alone. */
export const makeFolder = async (folder: string): Promise<void> =>
  void (await mkdir(folder, { recursive: true, mode: 0o700 }));

/** Writes a file for this user only. Readers see the old text or the new one, even if this process is killed. */
async function replaceFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600 });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

export const writeSpec = (folder: string, spec: LocalSpec): Promise<void> =>
  replaceFile(path.join(folder, 'spec.json'), JSON.stringify(spec));

export const writePodStatus = (podFolder: string, status: PodStatus): Promise<void> =>
  replaceFile(path.join(podFolder, 'status.json'), JSON.stringify(status));

export const writeRunner = (podFolder: string, pid: number): Promise<void> =>
  replaceFile(path.join(podFolder, 'runner'), String(pid));

const markers = { drained: 'drained', removing: 'removing' } as const;

export const mark = (folder: string, marker: keyof typeof markers, at: Date): Promise<void> =>
  writeFile(path.join(folder, markers[marker]), at.toISOString(), { mode: 0o600, flag: 'wx' }).catch(unless('EEXIST'));

/** Forgets that the deployment was drained or removed. */
export async function unmark(folder: string): Promise<void> {
  for (const marker of Object.values(markers)) await rm(path.join(folder, marker), { force: true });
}

/** The desired state of a deployment; null for one that does not exist. */
export const readSpec = (folder: string): Promise<LocalSpec | null> => readJson(path.join(folder, 'spec.json'));

export async function isRemoving(folder: string): Promise<boolean> {
  return (await textOf(path.join(folder, markers.removing))) !== null;
}

/** All records of a deployment; null if it has no folder. */
export async function readFolder(folder: string): Promise<DeploymentFolder | null> {
  const names = await namesIn(folder);
  if (names === null) return null;
  const removing = await textOf(path.join(folder, markers.removing));
  const podIds = (await namesIn(path.join(folder, 'pods'))) ?? [];
  return {
    path: folder,
    spec: await readSpec(folder),
    isDrained: names.includes(markers.drained),
    removingSince: removing === null ? null : new Date(removing),
    pods: await Promise.all(podIds.map((id) => readPod(folder, id))),
  };
}

async function readPod(folder: string, id: string): Promise<Pod> {
  const podFolder = podFolderOf(folder, id);
  const status = await readPodStatus(podFolder);
  const runnerPid = Number(await textOf(path.join(podFolder, 'runner')));
  return {
    id,
    folder: podFolder,
    runnerPid: await living(runnerPid, id),
    agentPid: await living(status?.agentPid ?? 0, id),
    status,
  };
}

export async function readPodStatus(podFolder: string): Promise<PodStatus | null> {
  const status = await readJson<PodStatus>(path.join(podFolder, 'status.json'));
  return status && { ...status, events: status.events.map((event) => ({ ...event, lastAt: new Date(event.lastAt) })) };
}

/** The names of all deployments that exist, whole or in parts. */
export async function deploymentsIn(root: string): Promise<string[]> {
  return ((await namesIn(root)) ?? []).filter((name) => !name.startsWith('.'));
}

/** Removes a deployment's folder so that it is gone at once, although its files go one by one. */
export async function removeFolder(root: string, folder: string): Promise<void> {
  await rename(folder, path.join(root, `.removed-${randomUUID()}`)).catch(unless('ENOENT'));
  // Also what a process has left that was killed here.
  for (const name of (await namesIn(root)) ?? [])
    if (name.startsWith('.removed-')) await rm(path.join(root, name), { recursive: true, force: true });
}

/** The id if a process has it whose command line names the pod: after an end the number may belong to any other process. */
const living = async (pid: number, podId: string): Promise<number | null> =>
  pid > 0 && (await commandLine(pid)).includes(podId) ? pid : null;

const unless = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error;
};

const textOf = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

async function readJson<Content>(file: string): Promise<Content | null> {
  const text = await textOf(file);
  return text === null ? null : (JSON.parse(text) as Content);
}

const namesIn = (folder: string): Promise<string[] | null> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
