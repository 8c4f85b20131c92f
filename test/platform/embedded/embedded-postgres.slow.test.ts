import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/embedded/embedded.ts';
import { verifies } from '../../requirements.ts';

const root = path.resolve(import.meta.dirname, '../../..');
/** fsync matters only where a power cut is survived, not a killed process. */
const settings = { fsync: 'off' };

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A data folder with a stopped server, used by one test after the other: making a cluster takes most of a second. */
let directory: string;

beforeAll(async () => {
  directory = await emptyDataDir();
  undo.length = 0;
  await (await startEmbeddedPostgres({ dataDir: directory, settings })).stop();
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** A new folder that the unprivileged user can reach, as a data folder must be. */
async function emptyDataDir(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-postgres-'));
  await chmod(directory, 0o711);
  undo.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function start(directory: string, more: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: directory, settings: { ...settings, ...more } });
  undo.push(() => server.stop());
  return server;
}

/** The last words of a child that owns or tries to own the folder: what it started, or its error. */
interface Report {
  url: string;
  adopted: boolean;
  error?: string;
}

/** Another process that starts the embedded server, reports and then stays. */
async function otherOwner(directory: string): Promise<{ child: ChildProcess; report: Report }> {
  const module = path.join(root, 'src/platform/embedded/embedded.ts');
  const code = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    try {
      const server = await startEmbeddedPostgres(${JSON.stringify({ dataDir: directory, settings })});
      console.log(JSON.stringify(server));
      setInterval(() => {}, 1000);
    } catch (error) {
      console.log(JSON.stringify({ error: error.name + ': ' + error.message }));
    }`;
  const child = spawn(path.join(root, 'node_modules/.bin/node'), ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  undo.push(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, report: JSON.parse(line.toString()) as Report };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function sql<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Asks until the answer comes; the deadline is the test's own. */
async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  while (true) {
    try {
      return await ask();
    } catch {
      await delay(20);
    }
  }
}

async function postmasterOf(directory: string): Promise<number> {
  return Number((await readFile(path.join(directory, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

describe('a new data folder', () => {
  it('gets a UTF-8 database with a private password, reachable on the loopback address only', async () => {
    const directory = await emptyDataDir();
    const server = await start(directory);
    expect(server).toMatchObject({ adopted: false, version: expect.stringMatching(/^18\./) });
    expect(server.url).toMatch(/^postgres:\/\/patchbay:[0-9a-f]{48}@127\.0\.0\.1:\d+\/patchbay$/);
    expect((await stat(path.join(directory, 'postgres-password'))).mode & 0o777).toBe(0o600);
    const [facts] = await sql<Record<string, string>>(
      server.url,
      `select current_setting('server_encoding') as encoding, current_setting('listen_addresses') as addresses,
              current_setting('unix_socket_directories') as sockets, current_setting('synchronous_commit') as sync,
              current_setting('max_connections') as connections, upper('straße é') as upper,
              (select datlocale from pg_database where datname = 'patchbay') as locale`,
    );
    expect(facts).toEqual({
      encoding: 'UTF8',
      addresses: '127.0.0.1',
      sockets: '',
      sync: 'on',
      connections: '100',
      upper: 'STRAßE É',
      locale: 'C.UTF-8',
    });
    const wrong = sql(server.url.replace(/:[0-9a-f]{48}@/, ':wrong@'), 'select 1');
    await expect(wrong).rejects.toThrow('password authentication failed');
  });

  it('keeps its data, password and port over a stop, which may be called twice', async () => {
    const first = await start(directory);
    await sql(first.url, 'drop table if exists kept; create table kept as select 1 as value');
    await Promise.all([first.stop(), first.stop()]);
    await expect(sql(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    const second = await start(directory);
    expect(second.adopted).toBe(false);
    expect(await sql(second.url, 'select * from kept')).toEqual([{ value: 1 }]);
  });

  it('is initialised once when two processes start at the same time, and has one owner', async () => {
    const directory = await emptyDataDir();
    const owners = await Promise.all([otherOwner(directory), otherOwner(directory)]);
    const reports = owners.map(({ report }) => report);
    expect(reports.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(reports.find(({ error }) => error !== undefined)?.error).toMatch(/is in use by process \d+/);
    expect(await readdir(directory)).toEqual(['postgres', 'postgres-password', 'postgres.log']);
    for (const { child } of owners) await kill(child);
    expect((await start(directory)).adopted).toBe(true);
  });

  it('takes nothing that a dead initialisation left for a cluster, and removes it', async () => {
    const directory = await emptyDataDir();
    const dead = spawn('/bin/true');
    await once(dead, 'exit');
    const leftover = path.join(directory, `postgres.init-${dead.pid}-0badcafe`);
    await mkdir(path.join(leftover, 'cluster'), { recursive: true });
    await writeFile(path.join(leftover, 'cluster/PG_VERSION'), '18\n');
    await start(directory);
    expect(await readdir(directory)).toEqual(['postgres', 'postgres-password', 'postgres.log']);
  });
});

describe('an owner that was killed', () => {
  it('leaves its server running; the next owner adopts it and can stop it', verifies('platform.embedded'), async () => {
    const { child, report } = await otherOwner(directory);
    const pid = await postmasterOf(directory);
    await sql(report.url, 'drop table if exists kept; create table kept as select 1 as value');
    await kill(child);
    const server = await start(directory);
    expect(server).toMatchObject({ adopted: true, url: report.url });
    expect(await postmasterOf(directory)).toBe(pid);
    expect(await sql(server.url, 'select * from kept')).toEqual([{ value: 1 }]);
    await server.stop();
    await expect(sql(report.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('together with its server loses no acknowledged write', async () => {
    const { child, report } = await otherOwner(directory);
    await sql(report.url, 'drop table if exists kept; create table kept as select 1 as value');
    const pid = await postmasterOf(directory);
    await kill(child);
    process.kill(pid, 'SIGKILL');
    const server = await start(directory);
    expect(server.adopted).toBe(false);
    expect(await sql(server.url, 'select * from kept')).toEqual([{ value: 1 }]);
  });
});

describe('a second owner', () => {
  it(
    'is refused by name of the folder and the process, and the server does not notice',
    verifies('platform.embedded', 'platform.one-owner'),
    async () => {
      const server = await start(directory);
      const session = new Client({ connectionString: server.url });
      await session.connect();
      undo.push(() => session.end());
      const { report } = await otherOwner(directory);
      expect(report.error).toContain(
        `EmbeddedPostgresError: The data folder ${directory} is in use by process ${process.pid}`,
      );
      await expect(startEmbeddedPostgres({ dataDir: directory, settings })).rejects.toThrow('is in use by process');
      expect((await session.query('select 1 as value')).rows).toEqual([{ value: 1 }]);
    },
  );
});

describe('a server that dies', () => {
  it(
    'comes back on the same port with every acknowledged write, and a pool recovers by itself',
    verifies('platform.embedded'),
    async () => {
      const server = await start(directory);
      const pool = new Pool({ connectionString: server.url });
      pool.on('error', () => undefined);
      undo.push(() => pool.end());
      await pool.query('drop table if exists kept; create table kept (value int)');
      for (const value of [1, 2, 3]) {
        await pool.query('insert into kept values ($1)', [value]);
        const pid = await postmasterOf(directory);
        process.kill(pid, 'SIGKILL');
        // A backend of the dead one may answer for a moment.
        await eventually(async () => expect([pid, Number.NaN]).not.toContain(await postmasterOf(directory)));
        const { rows } = await eventually(() => pool.query('select count(*)::int as count from kept'));
        expect(rows).toEqual([{ count: value }]);
      }
      // The lock was taken again.
      expect((await eventually(() => otherOwner(directory))).report.error).toMatch(/is in use by process/);
    },
  );

  it('comes back also if it was adopted', async () => {
    const { child } = await otherOwner(directory);
    await kill(child);
    const server = await start(directory);
    expect(server.adopted).toBe(true);
    const pid = await postmasterOf(directory);
    process.kill(pid, 'SIGKILL');
    await eventually(() => sql(server.url, 'select 1'));
    expect(await postmasterOf(directory)).not.toBe(pid);
  });

  it('waits for orphans that still hold its shared memory', async () => {
    const server = await start(directory);
    const session = new Client({ connectionString: server.url });
    session.on('error', () => undefined);
    await session.connect();
    const backend = (await session.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
    const log = path.join(directory, 'postgres.log');
    const said = (await readFile(log, 'utf8')).length;
    process.kill(backend, 'SIGSTOP');
    process.kill(await postmasterOf(directory), 'SIGKILL');
    await eventually(async () => expect((await readFile(log, 'utf8')).slice(said)).toContain('is still in use'));
    process.kill(backend, 'SIGCONT');
    await eventually(() => sql(server.url, 'select 1'));
  });

  it('is not started again after stop, even in the middle of a recovery', async () => {
    const server = await start(directory);
    process.kill(await postmasterOf(directory), 'SIGKILL');
    await server.stop();
    await expect(sql(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  });

  it('is recovered when its number now belongs to a process that is none of ours', async () => {
    const server = await start(directory);
    const file = path.join(directory, 'postgres/postmaster.pid');
    const text = await readFile(file, 'utf8');
    await server.stop();
    await writeFile(file, text.replace(/^\d+/, String(process.pid)));
    expect((await start(directory)).adopted).toBe(false);
  });
});

describe('a data folder that cannot be used', () => {
  it('is refused if another major version made it', async () => {
    const server = await start(directory);
    await server.stop();
    const file = path.join(directory, 'postgres/PG_VERSION');
    await writeFile(file, '17\n');
    undo.push(() => writeFile(file, '18\n'));
    await expect(start(directory)).rejects.toThrow(
      /was made by PostgreSQL 17 and this is PostgreSQL 18: .*DATABASE_URL/,
    );
  });

  it('is refused if its password is lost or wrong', async () => {
    const server = await start(directory);
    await server.stop();
    const file = path.join(directory, 'postgres-password');
    const password = await readFile(file);
    await rm(file);
    await expect(start(directory)).rejects.toThrow(/is lost: restore the file/);
    await writeFile(file, 'wrong');
    await expect(start(directory)).rejects.toThrow(/is not that of the database/);
    await writeFile(file, password);
    expect((await start(directory)).adopted).toBe(true);
  });

  it('is refused if something else is in the way', async () => {
    const directory = await emptyDataDir();
    await mkdir(path.join(directory, 'postgres'));
    await writeFile(path.join(directory, 'postgres/notes.txt'), 'mine');
    await expect(start(directory)).rejects.toThrow('holds no PostgreSQL cluster');
    const file = path.join(directory, 'file');
    await writeFile(file, '');
    await expect(start(file)).rejects.toThrow(/is not a folder: .*DATABASE_URL/);
  });

  it('is refused with the words of PostgreSQL if a setting is wrong', async () => {
    await expect(start(directory, { max_connections: 'many' })).rejects.toThrow(/does not start \(.*max_connections/);
  });
});

/** Root alone needs the detour over /var/lib/patchbay. */
describe.runIf(process.geteuid?.() === 0)('root with a data folder that no other user can reach', () => {
  it('puts the cluster below /var/lib/patchbay, says so, and finds it again through the link', async () => {
    const directory = await emptyDataDir();
    await chmod(directory, 0o700);
    const said: string[] = [];
    const log = (_level: string, message: string) => void said.push(message);
    const server = await startEmbeddedPostgres({ dataDir: directory, settings, log });
    undo.push(() => rm(server.location, { recursive: true, force: true }));
    undo.push(() => server.stop());
    expect(server.location).toMatch(/^\/var\/lib\/patchbay\/[0-9a-f]{12}$/);
    expect(said.join()).toContain(`cannot reach ${directory}: the database goes to ${server.location}`);
    await sql(server.url, 'drop table if exists kept; create table kept as select 1 as value');
    await server.stop();
    await chmod(directory, 0o711);
    const again = await start(directory);
    expect(again.location).toBe(server.location);
    expect(await sql(again.url, 'select * from kept')).toEqual([{ value: 1 }]);
  });
});
