import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeProcessesOf } from '../test/support/process-cost.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Whether processes can be kept apart: the servers on core 1, load and PostgreSQL on core 0. */
export const canPin = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0;

/** Keeps this process, and whatever it starts from now on, on core 0. */
export function pinSelf(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)]);
}

export interface ServerProcess {
  readonly port: number;
  /** Of the process that was started; it may leave the work to others. */
  readonly pid: number;
  /** Seconds of CPU that it has used, user and system, all threads; NaN where the system does not tell. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** What a child inherits: nothing that a developer's shell may hold. */
const bareEnvironment = {
  PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: process.env.HOME ?? '/',
  NODE_ENV: 'production',
};

/** The folder of `--profile=folder`, where each server leaves a CPU profile when it stops (for a browser's developer tools). */
const profileFolder = process.argv.find((argument) => argument.startsWith('--profile='))?.slice('--profile='.length);
const profiling = profileFolder
  ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(path.resolve(profileFolder))}` }
  : {};

/** Starts a program of the project on core 1. */
export function startOnServerCore(file: string, args: string[], environment: Record<string, string>): ChildProcess {
  const node = path.join(root, 'node_modules/.bin/node');
  const command = [...(canPin ? ['taskset', '-c', '1'] : []), realNode(node), file, ...args];
  return spawn(command[0] as string, command.slice(1), {
    cwd: root,
    env: { ...bareEnvironment, ...profiling, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** The program behind npm's link: a wrapper would be the process that is measured. */
function realNode(node: string): string {
  return spawnSync(node, ['-p', 'process.execPath'], { encoding: 'utf8' }).stdout.trim() || process.execPath;
}

/**
 * Starts a server on a free port and waits until it accepts connections.
 *
 * @throws {Error} with what it wrote, when it ends instead.
 */
export async function startServerProcess(
  file: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const child = startOnServerCore(file, [], { ...environment, PORT: String(port) });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-10_000);
    });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}: ${output}`);
    await delay(50);
  }
  return {
    port,
    pid: child.pid as number,
    cpuSeconds: () => cpuSecondsOf(child.pid as number),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

/** Of a process and its descendants that run Node: the process that is started may leave the work to others. */
export function cpuSecondsOf(pid: number): number {
  try {
    return nodeProcessesOf(pid).reduce((sum, each) => sum + cpuSecondsOfOne(each), 0);
  } catch {
    return Number.NaN;
  }
}

function cpuSecondsOfOne(pid: number): number {
  // The name, which stands in brackets, may hold spaces.
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
