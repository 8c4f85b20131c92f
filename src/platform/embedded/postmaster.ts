import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { open, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine } from '../command-line.ts';
import { isAlive } from './cluster.ts';
import { hasCode } from './embedded-postgres-error.ts';
import { type ServerUser, serverEnvironment } from './server-user.ts';

/** The content of postmaster.pid; the file outlives a server that was killed. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

const postmasterFile = (cluster: string) => path.join(cluster, 'postmaster.pid');

/** The record of a running server; undefined if there is none, or it is not complete yet. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterFile(cluster), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]) || 0, ready: lines[7]?.trim() === 'ready' };
}

/**
 * True if the process is the postmaster of this cluster. After a restart of the machine or container the number in
 * postmaster.pid may belong to any process, and a zombie still counts as alive to PostgreSQL.
 */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandLine(pid);
  if (command.includes(`\0-D${cluster}\0`)) return true;
  // Its folder was renamed while it ran. Root may be forbidden to look here, so this comes second.
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return directory === cluster && command.includes('\0-D');
}

/**
 * Removes a postmaster.pid that PostgreSQL would take for a running server's, although it is none. Who else recovers the
 * cluster at this moment has replaced it, so it is read again; and PostgreSQL's shared memory keeps a second server out.
 */
export async function removeStalePostmasterFile(cluster: string): Promise<void> {
  const found = await readPostmasterFile(cluster);
  if (found !== undefined && (await isPostmaster(found.pid, cluster))) return;
  await rm(postmasterFile(cluster), { force: true });
}

export interface LaunchOptions {
  readonly postgres: string;
  readonly cluster: string;
  readonly user: ServerUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** A postmaster that we started. */
export interface Launched {
  readonly pid: number | undefined;
  /** Its last output before it ended; undefined while it runs. */
  readonly lastWords: () => string | undefined;
}

const logBytesMax = 1_000_000;

/**
 * Starts a postmaster that outlives this process, so that no write is lost with it; its log goes to a file, of which one
 * predecessor is kept.
 */
export async function launch(options: LaunchOptions, port: number): Promise<Launched> {
  const { postgres, cluster, user, settings, logFile } = options;
  const logged = await stat(logFile).catch(() => undefined);
  if (logged !== undefined && logged.size > logBytesMax) await rename(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  const start = fstatSync(log).size;
  const args = [
    `-D${cluster}`,
    ...Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  // A separate session: Ctrl-C on our terminal must not reach it before we have finished our work.
  const child = spawn(postgres, args, {
    ...user,
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let lastWords: string | undefined;
  child.on('error', (error) => (lastWords = `FATAL:  ${error.message}`));
  child.on('exit', async () => (lastWords ??= await textFrom(logFile, start)));
  return { pid: child.pid, lastWords: () => lastWords };
}

async function textFrom(file: string, start: number): Promise<string> {
  try {
    await using handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64_000), 0, 64_000, start);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    return `FATAL:  ${error}`;
  }
}

/** How long each way of stopping may take before the next, harder one. */
const stopMs = 8_000;

/** Ends the server: disconnect everybody and write everything out, else let the next start recover. */
export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = performance.now() + stopMs;
    while (await isPostmaster(pid, cluster)) {
      // Sent again: a server that is just starting may lose the first one.
      if (performance.now() > deadline) break;
      send(pid, signal);
      const next = performance.now() + 1_000;
      while (performance.now() < next && (await isPostmaster(pid, cluster))) await delay(10);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
