import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { podFolderOf, writeRunner } from './deployment-folder.ts';
import type { PodSettings } from './pod.ts';

const program = fileURLToPath(new URL('./runner.ts', import.meta.url));
/** After the grace period of its agent, a runner has so long to end by itself. */
export const runnerGraceMs = 5_000;

/** The runners that this process has started. They end with it. */
export interface Runners {
  /**
   * Starts the runner of a pod. It does nothing before it has its settings.
   *
   * @throws {Error} when it cannot be started; nothing of it is left then.
   */
  start(folder: string, podId: string): Promise<StartedRunner>;
  /** Ends all of them with their agents. */
  close(): Promise<void>;
}

export interface StartedRunner {
  /** Sends the settings, over the pipe whose end also ends the runner. */
  begin(settings: PodSettings): void;
  /** Ends it before it has its settings. */
  abandon(): void;
}

/** @param graceMs Of an agent, between SIGTERM and SIGKILL. */
export function createRunners(graceMs: number): Runners {
  const living = new Set<ChildProcess>();

  return {
    async start(folder, podId) {
      const podFolder = podFolderOf(folder, podId);
      const errors = openSync(path.join(podFolder, 'errors'), 'a', 0o600);
      const { PATH = '', NODE_COMPILE_CACHE } = process.env;
      // A separate session: Ctrl-C on our terminal must not end the agent before we do.
      const child = spawn(process.execPath, [program, folder, podId], {
        cwd: '/',
        env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) },
        stdio: ['pipe', 'ignore', errors],
        detached: true,
      });
      closeSync(errors);
      child.unref();
      // It may have ended; then its pod is seen to be gone.
      child.stdin?.on('error', () => undefined);
      await once(child, 'spawn');
      living.add(child);
      child.once('exit', () => living.delete(child));
      try {
        await writeRunner(podFolder, child.pid as number);
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
      return {
        begin: (settings) => void child.stdin?.write(`${JSON.stringify(settings)}\n`),
        abandon: () => void child.kill('SIGKILL'),
      };
    },
    async close() {
      await Promise.all(
        [...living].map(async (child) => {
          const ended = once(child, 'exit');
          child.stdin?.end();
          const harder = setTimeout(() => kill(-(child.pid as number)), graceMs + runnerGraceMs);
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
