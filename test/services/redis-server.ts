import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { eventually, patienceMs, within } from '../support/deadline.ts';
import { freePort } from './free-port.ts';
import { pathOf } from './programs.ts';

/** A Redis of one's own, to be harmed. */
export interface RedisServer {
  readonly url: string;
  /** Runs it again, on the same port and empty: it keeps nothing on disk. */
  start(): Promise<void>;
  /** Ends it at once, as the kernel does for want of memory. */
  kill(): Promise<void>;
  /** It keeps its connections and takes new ones, and answers nothing. */
  pause(): void;
  resume(): void;
  /** Runs one command, as an administrator does. */
  command(name: string, ...parameters: (string | number)[]): Promise<unknown>;
  close(): Promise<void>;
}

export async function startRedisServer(): Promise<RedisServer> {
  const dir = await mkdtemp(path.join(tmpdir(), 'patchbay-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;

  async function command(name: string, ...parameters: (string | number)[]): Promise<unknown> {
    const client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0, lazyConnect: true });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...parameters);
    } finally {
      client.disconnect();
    }
  }

  async function start(): Promise<void> {
    const settings = { port, bind: '127.0.0.1', dir, save: '', appendonly: 'no', daemonize: 'no' };
    const parameters = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    child = spawn(pathOf('redis-server'), parameters, { stdio: 'ignore' });
    await eventually('Redis answers', () => command('PING').catch(() => null));
  }

  async function kill(): Promise<void> {
    const killed = child;
    child = null;
    if (killed === null || killed.exitCode !== null) return;
    const exit = once(killed, 'exit');
    killed.kill('SIGKILL');
    await within('the end of Redis', patienceMs, exit);
  }

  // A test run that breaks off takes its server along.
  const abandon = () => void child?.kill('SIGKILL');
  process.once('exit', abandon);
  await start();
  return {
    url,
    start,
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    command,
    async close() {
      process.off('exit', abandon);
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
