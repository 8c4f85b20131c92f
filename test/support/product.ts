import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { eventually, patienceMs, within } from './deadline.ts';
import { quickFolder } from './quick-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The product as `npm start` runs it, in a process of its own. */
export interface Product {
  readonly child: ChildProcess;
  readonly base: string;
  readonly dataDir: string;
  /** Lines of the standard output so far. */
  readonly lines: string[];
  /** The standard error so far. */
  stderr(): string;
  /** The key that the first start left in the data folder. */
  demoKey(): string;
  /** The ids of its web processes that run. */
  webProcesses(): number[];
  /** Ends all its processes at once, as a power cut does; its database goes on. */
  kill(): Promise<void>;
  /** Asks it to stop. @returns Its exit code. */
  terminate(): Promise<number | null>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a child inherits: nothing that a developer's shell may hold. */
export const bareEnvironment = {
  // Set by the configuration of Vitest. Programs that do not set it themselves start in half of the CPU.
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: process.env.HOME ?? '/',
};

const programs = { start: 'src/cli/start.ts', 'web-process': 'src/main/process/web-process.ts' };

function spawned(
  dataDir: string,
  environment: Record<string, string>,
  program: keyof typeof programs = 'start',
): ChildProcess {
  return spawn(path.join(root, 'node_modules/.bin/node'), [programs[program]], {
    cwd: root,
    env: {
      ...bareEnvironment,
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMITS: '{"*":"off"}',
      SAMPLE_DATA: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * Starts the product and waits until it is ready.
 *
 * @param program `web-process` for one of several web processes by itself, over a database that is ready.
 */
export async function startProduct(
  dataDir: string,
  environment: Record<string, string> = {},
  program: keyof typeof programs = 'start',
): Promise<Product> {
  const child = spawned(dataDir, environment, program);
  const lines: string[] = [];
  let text = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
    const complete = text.split('\n');
    text = complete.pop() ?? '';
    lines.push(...complete);
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ready = await eventually('the product is ready', () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${stderr}${lines.join('\n')}`);
    return lines.find((line) => line.includes(program === 'start' ? '"msg":"ready"' : '"msg":"web process ready"'));
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const { port } = JSON.parse(ready) as { port: number };
  const webProcesses = () =>
    processes()
      .filter(({ parent, command }) => parent === child.pid && command.includes('web-process'))
      .map(({ pid }) => pid);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.kill(signal);
      await within(`the end after ${signal}`, patienceMs, exit);
    }
    return child.exitCode;
  };
  return {
    child,
    lines,
    stderr: () => stderr,
    dataDir,
    base: `http://127.0.0.1:${port}`,
    demoKey: () => readFileSync(path.join(dataDir, 'demo-api-key'), 'utf8').trim(),
    webProcesses,
    async kill() {
      const pids = webProcesses();
      await end('SIGKILL');
      for (const pid of pids) signal(pid, 'SIGKILL');
      await eventually('the end of the web processes', () => !pids.some(isWebProcess));
    },
    terminate: () => end('SIGTERM'),
  };
}

interface SystemProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All processes of the machine, without those that have ended. */
function processes(): SystemProcess[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith('Z'))
    .map(([pid, parent, , ...command]) => ({
      pid: Number(pid),
      parent: Number(parent),
      command: command.join(' '),
    }));
}

/** The ids of a process and of all that it has started, directly or not, and that run. */
export function familyOf(pid: number): number[] {
  const all = processes();
  const family = all.some((each) => each.pid === pid) ? [pid] : [];
  for (const one of family) family.push(...all.filter(({ parent }) => parent === one).map((each) => each.pid));
  return family;
}

/** Whether the process with this id is a web process that runs. */
export const isWebProcess = (pid: number): boolean =>
  processes().some((each) => each.pid === pid && each.command.includes('web-process'));

/** Signals a process that may have ended already. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

/** Starts the product where it cannot run, and waits for its end. */
export async function endOfProduct(
  dataDir: string,
  environment: Record<string, string> = {},
  onStart: (child: ChildProcess) => void = () => {},
): Promise<Ended> {
  const child = spawned(dataDir, environment);
  onStart(child);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  try {
    const [code] = (await within('the end of a product that cannot run', patienceMs, once(child, 'close'))) as [
      number | null,
    ];
    return { code, stdout, stderr };
  } finally {
    child.kill('SIGKILL');
  }
}

/**
 * What to start the product with, so that it runs this code in itself at SIGUSR2: a mistake that it does not make by itself.
 *
 * @param code One statement of JavaScript.
 * @param options More options of Node.
 */
export const onSigusr2 = (code: string, options = ''): Record<string, string> => ({
  NODE_OPTIONS: `${options} --import data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} })`)}`,
});

/** Of the embedded database of a data folder. */
export function databaseUrlOf(dataDir: string): string {
  const password = readFileSync(path.join(dataDir, 'postgres-password'), 'utf8').trim();
  const [, , , port] = readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  return `postgres://patchbay:${password}@127.0.0.1:${port}/patchbay`;
}

/** Works on the embedded database of a data folder, beside the product. */
export async function withDatabase<Result>(
  dataDir: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: databaseUrlOf(dataDir) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The process of the database in a data folder; null when there is none. */
export function postmasterOf(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

/**
 * An empty folder that the database's own user may pass through, as a data folder must allow.
 *
 * @param parent Where it lies; in memory by default, where there is room.
 */
export async function newDataDir(parent = quickFolder()): Promise<string> {
  const dataDir = await mkdtemp(path.join(parent, 'patchbay-product-'));
  await chmod(dataDir, 0o711);
  return dataDir;
}

/** A copy of a data folder whose product is stopped: starting anew takes most of two seconds. */
export async function copyOfDataDir(dataDir: string, parent?: string): Promise<string> {
  const copy = await newDataDir(parent);
  await promisify(execFile)('cp', ['-a', `${dataDir}/.`, copy]);
  await chmod(copy, 0o711);
  return copy;
}

/** Removes a data folder, and ends its database if that was left behind. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const pid = postmasterOf(dataDir);
  if (pid !== null) {
    process.kill(pid, 'SIGQUIT');
    await eventually('the end of the database', () => postmasterOf(dataDir) === null);
  }
  await rm(dataDir, { recursive: true, force: true });
}
