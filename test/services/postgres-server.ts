import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { eventually, patienceMs, within } from '../support/deadline.ts';
import { quickFolder } from '../support/quick-folder.ts';
import { freePort } from './free-port.ts';
import { pathOf } from './programs.ts';

/** A PostgreSQL that is not the product's own, to be harmed. */
export interface PostgresServer {
  /** Its version as it says it, such as 15.14. */
  readonly version: string;
  /** Makes a database whose owner is an ordinary user. @returns The URL for that user. */
  createDatabase(name: string): Promise<string>;
  /** Runs it again, on the same port and data. */
  start(): Promise<void>;
  /** Ends the server and all of its connections at once. */
  kill(): Promise<void>;
  /** The server and all of its connections hang. */
  pause(): void;
  resume(): void;
  /** Runs statements as the superuser, in a database; with none, in `postgres`. */
  administer(statement: string, database?: string): Promise<unknown[]>;
  close(): Promise<void>;
}

/** The user of the server if the tests run as root, which it refuses. */
const nobody = { uid: 65534, gid: 65534 };

const maxConnections = 40;

/**
 * @param options.bin Holds `initdb` and `postgres`; Debian's if left out.
 * @param options.settings Take the place of those for tests, which lose data in a crash and use little memory.
 * @param options.certificate In PEM, for TLS; it has none if left out.
 */
export async function startPostgresServer({
  bin,
  settings: given = {},
  certificate,
}: {
  bin?: string;
  settings?: Readonly<Record<string, string>>;
  certificate?: { readonly cert: string; readonly key: string };
} = {}): Promise<PostgresServer> {
  const programOf = (name: 'initdb' | 'postgres') => (bin === undefined ? pathOf(name) : path.join(bin, name));
  const user = process.geteuid?.() === 0 ? nobody : undefined;
  const folder = await mkdtemp(path.join(quickFolder(), 'patchbay-postgres-'));
  await chmod(folder, 0o755);
  const data = path.join(folder, 'data');
  if (user) await chown(folder, user.uid, user.gid);
  const port = await freePort();
  const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const initial = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
  execFileSync(programOf('initdb'), initial, { ...user, cwd: '/', env: environment, stdio: 'ignore' });
  if (certificate)
    for (const [name, text] of [
      ['server.crt', certificate.cert],
      ['server.key', certificate.key],
    ] as const) {
      await writeFile(path.join(data, name), text, { mode: 0o600 });
      if (user) await chown(path.join(data, name), user.uid, user.gid);
    }
  let child: ChildProcess | null = null;

  const urlOf = (name: string, role: string) => `postgres://${role}@127.0.0.1:${port}/${name}`;

  async function administer(statement: string, database = 'postgres'): Promise<unknown[]> {
    const client = new Client({ connectionString: urlOf(database, 'postgres'), connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(statement)).rows ?? [];
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      max_connections: maxConnections,
      fsync: 'off',
      shared_buffers: '32MB',
      ssl: certificate ? 'on' : 'off',
      ...given,
    };
    const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const attempt = async () => {
      // After a kill the last of its processes may hold the memory a moment longer; it refuses to start until then.
      if (child === null || child.exitCode !== null)
        child = spawn(programOf('postgres'), ['-D', data, ...parameters], {
          ...user,
          cwd: '/',
          env: environment,
          stdio: 'ignore',
        });
      return administer('SELECT 1').catch(() => null);
    };
    await eventually('PostgreSQL answers', attempt, { everyMs: 50 });
  }

  /** The server and the processes of its connections and chores. */
  function processes(): number[] {
    const pid = child?.pid;
    if (pid === undefined) return [];
    return [pid, ...childrenOf(pid)];
  }

  function signal(name: NodeJS.Signals): void {
    for (const pid of processes()) {
      try {
        process.kill(pid, name);
      } catch {
        // It ended by itself.
      }
    }
  }

  async function kill(): Promise<void> {
    const killed = child;
    if (killed === null || killed.exitCode !== null || killed.signalCode !== null) return;
    const exit = once(killed, 'exit');
    signal('SIGKILL');
    await within('the end of PostgreSQL', patienceMs, exit);
    child = null;
  }

  // A test run that breaks off takes its server along.
  const abandon = () => signal('SIGKILL');
  process.once('exit', abandon);
  await start();
  const [row] = (await administer('SHOW server_version')) as { server_version: string }[];
  return {
    version: row?.server_version.split(' ')[0] ?? '',
    start,
    kill,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    administer,
    async createDatabase(name) {
      await administer(`CREATE ROLE ${name} LOGIN`);
      await administer(`CREATE DATABASE ${name} OWNER ${name}`);
      return urlOf(name, name);
    },
    async close() {
      process.off('exit', abandon);
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    // The name in parentheses may hold spaces; state and parent follow it.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(parent);
  } catch {
    return null;
  }
}
