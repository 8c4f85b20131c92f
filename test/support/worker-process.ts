import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { patienceMs, within } from './deadline.ts';

/** Starts a program of the project with nothing but this environment. */
export type Launch = (file: string, environment: Record<string, string>) => ChildProcess;

export interface WorkerProcess {
  readonly child: ChildProcess;
  /** Resolves once it has begun to say something, which is when it delivers. */
  readonly ready: Promise<void>;
  /** What it has said so far. */
  output(): string;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Asks it to stop. @returns Its exit code. */
  stop(): Promise<number | null>;
}

const launchHere: Launch = (file, environment) =>
  spawn(process.execPath, [file], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** A process that delivers webhooks, as `npm run worker` runs it, or a program of the tests that does the same. */
export function startWorkerProcess(
  environment: Record<string, string>,
  program = 'src/cli/worker.ts',
  launch: Launch = launchHere,
): WorkerProcess {
  const child = launch(program, environment);
  const ended = once(child, 'exit');
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      resolve();
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.once('exit', (code) => reject(new Error(`a worker ended with ${code}: ${output}`)));
  });
  // A caller that does not wait learns of the end by itself.
  ready.catch(() => undefined);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await within(`the end of a worker after ${signal}`, patienceMs, ended);
    return child.exitCode;
  };
  return {
    child,
    ready,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}
