import { watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import { type AgentProcess, startAgent } from './agent-process.ts';
import { isRemoving, podFolderOf, readPodStatus, readSpec } from './deployment-folder.ts';
import { freePort, isHealthy } from './health-check.ts';
import { openPodLog } from './pod-log.ts';
import { openPodRecord, type PodRecord } from './pod-record.ts';
import type { LocalTiming } from './timing.ts';

/** The configuration of a runner. Secrets reach it over its standard input, and stand in no file and on no command line. */
export interface PodSettings {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secretEnv: Readonly<Record<string, string>>;
  readonly timing: LocalTiming;
}

/** An agent that has ended so often without a steady run is in a crash loop. */
const endsMax = 3;
/** Consecutive failed health checks after which a ready agent is not ready. */
const failuresUntilUnready = 3;
/** And so many before it is restarted. */
const failuresUntilRestart = 10;
/** An agent that starts is checked at least so often. */
const startProbeMs = 100;

/**
 * Runs the agent of one pod: restarts it with growing pauses, checks its health, and records events. It polls the
 * folder of the deployment, so it needs no messages from other processes:
 *
 * - A pod ends when its deployment is removed, has no replicas, or has another ready pod.
 * - A pod that is not ready ends as soon as there is another pod.
 *
 * @param options.findPort Finds a port for each start.
 * @param signal Ends the pod as well.
 */
export async function runPod(
  options: {
    folder: string;
    podId: string;
    settings: PodSettings;
    clock: Clock;
    findPort?: () => Promise<number>;
  },
  signal: AbortSignal,
): Promise<void> {
  const { folder, podId, settings, clock, findPort = freePort } = options;
  const { timing } = settings;
  const podFolder = podFolderOf(folder, podId);
  const record = await openPodRecord(podFolder, clock);
  const log = openPodLog(podFolder, clock);
  const unwanted = new AbortController();
  const ending = AbortSignal.any([signal, unwanted.signal]);
  const looking = lookUntilUnwanted(folder, podId, record, timing.lookMs, ending).then((reason) => {
    if (reason !== null) record.event('Normal', 'Killing', reason);
    unwanted.abort();
  });
  const deadline = setTimeout(() => {
    if (record.status().failure !== null) return;
    const message = `The agent was not ready within ${timing.progressDeadlineMs / 1_000} seconds.`;
    record.event('Warning', 'ProgressDeadlineExceeded', message);
    record.change({ failure: { reason: 'ProgressDeadlineExceeded', message } });
  }, timing.progressDeadlineMs);

  let ends = 0;
  while (!ending.aborted) {
    const port = await findPort();
    const since = performance.now();
    const agent = startAgent({
      program: settings.program,
      podId,
      environment: { ...settings.env, ...settings.secretEnv, PATH: process.env.PATH ?? '', PORT: String(port) },
      onLine: log.write,
    });
    record.change({ phase: 'running', agentPid: agent.pid ?? null, port });
    record.event('Normal', 'Started', 'The agent was started.');
    const outcome = await superviseAgent(agent, port, { record, timing, deadline, ending });
    record.change({ ready: false, agentPid: null, port: null });
    if (ending.aborted) break;

    ends = performance.now() - since < timing.steadyMs ? ends + 1 : 1;
    const pauseMs = Math.min(timing.longestPauseMs, timing.firstPauseMs * 2 ** (ends - 1));
    const message = `The agent ended too often: ${outcome}. It is started again after a pause.`;
    record.event('Warning', 'BackOff', message);
    record.change({
      phase: 'waiting',
      ...(ends >= endsMax && { failure: { reason: 'CrashLoopBackOff', message } }),
    });
    await delay(pauseMs, undefined, { signal: ending }).catch(() => undefined);
  }

  clearTimeout(deadline);
  unwanted.abort();
  await looking;
  record.change({ phase: 'ended' });
  await record.flush();
  log.close();
}

/**
 * Checks the health of an agent until it has ended. It is stopped when `ending` is aborted, and when it answers no more.
 *
 * @returns How it ended.
 */
async function superviseAgent(
  agent: AgentProcess,
  port: number,
  deps: { record: PodRecord; timing: LocalTiming; deadline: NodeJS.Timeout; ending: AbortSignal },
): Promise<string> {
  const { record, timing, deadline, ending } = deps;
  const over = new AbortController();
  void agent.ended.then(() => over.abort());
  const stopping = AbortSignal.any([over.signal, ending]);
  let wasReady = false;
  let failures = 0;
  while (!stopping.aborted) {
    const isGood = await isHealthy(port, timing.probeTimeoutMs, stopping);
    if (stopping.aborted) break;
    failures = isGood ? 0 : failures + 1;
    if (isGood && !record.status().ready) {
      wasReady = true;
      clearTimeout(deadline);
      record.event('Normal', 'Ready', 'The agent passes its health checks.');
      record.change({ ready: true, failure: null });
    }
    if (failures === failuresUntilUnready && wasReady) {
      record.event('Warning', 'Unhealthy', 'The agent does not answer its health checks.');
      record.change({ ready: false });
    }
    if (failures === failuresUntilRestart && wasReady) {
      record.event('Normal', 'Killing', 'The agent is restarted, because it does not answer its health checks.');
      break;
    }
    const pauseMs = wasReady ? timing.probeMs : Math.min(timing.probeMs, startProbeMs);
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
  }
  if (!over.signal.aborted) {
    // Others start a new pod from here on, where one is wanted.
    if (ending.aborted) record.change({ phase: 'ending' });
    await agent.stop(timing.graceMs);
  }
  return agent.ended;
}

/**
 * Reads the desired state at each change of the deployment's folder, and periodically, because a change can be missed.
 *
 * @returns Why the pod must end; null if the signal was aborted first.
 */
async function lookUntilUnwanted(
  folder: string,
  podId: string,
  record: PodRecord,
  lookMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  let changed = new AbortController();
  const watcher = (() => {
    try {
      // An error ends the watcher, not the looking.
      return watch(folder, () => changed.abort()).on('error', () => undefined);
    } catch {
      return null;
    }
  })();
  try {
    while (!signal.aborted) {
      const reason = await whyUnwanted(folder, podId, record).catch(() => null);
      if (reason !== null) return reason;
      await record.flush();
      await delay(lookMs, undefined, { signal: AbortSignal.any([signal, changed.signal]) }).catch(() => undefined);
      changed = new AbortController();
    }
    return null;
  } finally {
    watcher?.close();
  }
}

async function whyUnwanted(folder: string, podId: string, record: PodRecord): Promise<string | null> {
  const spec = await readSpec(folder);
  if (spec === null || (await isRemoving(folder))) return 'The deployment is removed.';
  if (spec.podId === podId) return null;
  if (spec.podId === null) return 'The deployment has no replicas.';
  const current = await readPodStatus(podFolderOf(folder, spec.podId));
  return current?.ready || !record.status().ready ? 'Another revision takes its place.' : null;
}
