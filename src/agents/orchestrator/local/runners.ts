import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../../platform/logger.ts';
import { isRemoving, podFolderOf, readSpec, writeRunner } from './deployment-folder.ts';
import type { PodSettings } from './pod.ts';

const program = fileURLToPath(new URL('./runner.ts', import.meta.url));
/** After the grace period of its agent, a runner has so long to end by itself. */
export const runnerGraceMs = 5_000;

/** The runners that this process has started. They end with it. */
export interface Runners {
  /**
   * Starts the runner of a pod. One that ends while its pod is wanted is started again.
   *
   * @throws {Error} when it cannot be started; nothing of it is left then.
   */
  start(folder: string, podId: string, settings: PodSettings): Promise<void>;
  /** Ends all of them with their agents. */
  close(): Promise<void>;
}

export function createRunners(log: Logger): Runners {
  const living = new Map<ChildProcess, PodSettings>();
  const closing = new AbortController();

  async function start(folder: string, podId: string, settings: PodSettings, pauseMs: number): Promise<void> {
    const podFolder = podFolderOf(folder, podId);
    const errors = openSync(path.join(podFolder, 'errors'), 'a', 0o600);
    const { PATH = '', NODE_COMPILE_CACHE } = process.env;
    // A session of its own: Ctrl-C on our terminal must not end the agent before we do.
    const child = spawn(process.execPath, [program, folder, podId], {
      cwd: '/',
      env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) },
      stdio: ['pipe', 'ignore', errors],
      detached: true,
    });
    closeSync(errors);
    child.unref();
    // It may have ended: its exit tells.
    child.stdin?.on('error', () => undefined);
    await once(child, 'spawn');
    living.set(child, settings);
    child.once('exit', () => {
      living.delete(child);
      void replace(folder, podId, settings, pauseMs);
    });
    try {
      await writeRunner(podFolder, child.pid as number);
    } catch (error) {
      living.delete(child);
      child.removeAllListeners('exit').kill('SIGKILL');
      throw error;
    }
    child.stdin?.write(`${JSON.stringify(settings)}\n`);
  }

  /** Starts another runner in place of one that ended, if its pod is still wanted. */
  async function replace(folder: string, podId: string, settings: PodSettings, pauseMs: number): Promise<void> {
    try {
      if (!(await isWanted(folder, podId))) return;
      log.warn({ podId, pauseMs }, 'the runner of a local agent ended; another takes its place');
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false });
      if (!(await isWanted(folder, podId))) return;
      await start(folder, podId, settings, Math.min(settings.timing.longestPauseMs, pauseMs * 2));
    } catch (error) {
      if (!closing.signal.aborted) log.error({ error, podId }, 'the runner of a local agent could not be replaced');
    }
  }

  const isWanted = async (folder: string, podId: string) =>
    !closing.signal.aborted && (await readSpec(folder))?.podId === podId && !(await isRemoving(folder));

  return {
    start: (folder, podId, settings) => start(folder, podId, settings, settings.timing.firstPauseMs),
    async close() {
      closing.abort();
      await Promise.all(
        [...living].map(async ([child, { timing }]) => {
          const ended = once(child, 'exit');
          child.stdin?.end();
          const harder = setTimeout(() => kill(-(child.pid as number)), timing.graceMs + runnerGraceMs);
          await ended;
          clearTimeout(harder);
        }),
      );
    },
  };
}

/** Ends a process, or with a negative id a group of them, if it has not ended yet. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
