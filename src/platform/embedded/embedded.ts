import { totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clusterPath, openCluster, openDataDir } from './cluster.ts';
import { explained } from './embedded-postgres-error.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { type EmbeddedLog, postgresBinaries } from './postgres-binaries.ts';
import { stopPostmaster } from './postmaster.ts';
import { type RunningPostgres, runningServer, type ServerOptions } from './running-postgres.ts';
import { serverUser } from './server-user.ts';

export interface EmbeddedPostgres {
  /** postgres://patchbay:<password>@127.0.0.1:<port>/patchbay; the same until `stop`, also over restarts of the server. */
  readonly url: string;
  /** Of the server, such as 18.4. */
  readonly version: string;
  /** The folder that the cluster really lies in. */
  readonly location: string;
  /** True if the server was running already: its owner had been killed. */
  readonly adopted: boolean;
  /** Ends the server, all of its connections and the ownership. */
  stop(): Promise<void>;
}

/** Crash recovery reads at most `max_wal_size`, 1 GB. */
const startTimeoutMs = 60_000;
const restartTimeoutMs = 15_000;
const restartPauseMsMax = 5_000;

/**
 * Runs an embedded PostgreSQL for one data folder, and owns it: it is started or adopted, restarted when it dies, and
 * locked against a second owner. It survives this process, and so do its acknowledged writes.
 *
 * @param options.dataDir Holds `postgres` (the cluster or a link to it), `postgres-password` and `postgres.log`.
 * @param options.settings Of PostgreSQL, over ours. They do not reach an adopted server.
 * @throws {EmbeddedPostgresError} In use by another owner, of another major version, no room, no access, no binaries.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  settings?: Record<string, string>;
  log?: EmbeddedLog;
}): Promise<EmbeddedPostgres> {
  try {
    return await start(options.dataDir, options.settings ?? {}, options.log ?? (() => undefined));
  } catch (error) {
    throw explained(error, path.resolve(options.dataDir));
  }
}

async function start(directory: string, settings: Record<string, string>, log: EmbeddedLog): Promise<EmbeddedPostgres> {
  const dataDir = await openDataDir(directory);
  const user = await serverUser(clusterPath(dataDir));
  const binaries = await postgresBinaries(user, log);
  const cluster = await openCluster({ dataDir, binaries, user, fsync: settings.fsync !== 'off', log });
  const server: ServerOptions = {
    dataDir,
    user,
    postgres: binaries.postgres,
    cluster: cluster.directory,
    password: cluster.password,
    settings: { ...defaultSettings(), ...settings },
    logFile: path.join(dataDir, 'postgres.log'),
  };
  const running = await ownedServer(server, { timeoutMs: startTimeoutMs });
  const version = await prepared(running);
  if (running.adopted) log('info', 'Adopted the PostgreSQL that a killed process left running', { pid: running.pid });
  return {
    url: `postgres://patchbay:${cluster.password}@127.0.0.1:${running.port}/patchbay`,
    version,
    location: cluster.directory,
    adopted: running.adopted,
    stop: supervise(server, running, log),
  };
}

function defaultSettings(): Record<string, string> {
  const sharedBuffersMb = Math.min(Math.max(Math.round(totalmem() / 2 ** 20 / 16), 64), 512);
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: `${sharedBuffersMb}MB`,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failed statements are reported by their callers; logged here as well they would fill the disk.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // Parameters of statements must not be logged, also not when one fails.
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  };
}

/** A running server of which we are the owner. A refusal leaves the server as it is. */
async function ownedServer(
  server: ServerOptions,
  patience: { fixedPort?: number; timeoutMs: number },
): Promise<RunningPostgres> {
  const running = await runningServer(server, patience);
  try {
    await takeOwnerLock(running.connection, server.dataDir);
    return running;
  } catch (error) {
    await running.connection.end().catch(() => undefined);
    throw error;
  }
}

/** Makes the database `patchbay` if there is none. Returns the server's version. */
async function prepared({ connection }: RunningPostgres): Promise<string> {
  const { rows } = await connection.query<{ version: string; exists: boolean }>(
    `select current_setting('server_version') as version,
            exists (select from pg_database where datname = 'patchbay') as exists`,
  );
  if (!rows[0]?.exists) await connection.query('create database patchbay');
  return rows[0]?.version ?? '';
}

/**
 * Restarts the server on the same port when it dies, so that pools recover by themselves. The owner's connection shows
 * it: it ends with the postmaster, whether that is our child or an adopted one. Returns the function that stops this.
 */
function supervise(server: ServerOptions, first: RunningPostgres, log: EmbeddedLog): () => Promise<void> {
  const stopping = new AbortController();
  let current: Promise<RunningPostgres | undefined> = Promise.resolve(first);

  function watch(running: RunningPostgres): RunningPostgres {
    void running.disconnected.then(() => {
      if (stopping.signal.aborted) return;
      log('warn', 'PostgreSQL is gone or has ended our connection; starting it again', { pid: running.pid });
      current = recovered();
    });
    return running;
  }

  async function recovered(): Promise<RunningPostgres | undefined> {
    for (let pauseMs = 50; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, restartPauseMsMax)) {
      try {
        const running = await ownedServer(server, { fixedPort: first.port, timeoutMs: restartTimeoutMs });
        log('info', 'PostgreSQL answers again', { pid: running.pid });
        return watch(running);
      } catch (error) {
        log('warn', 'PostgreSQL could not be started again; trying further', { error: String(error) });
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    // A recovery that has begun is brought to its end, or its server would be left behind.
    const running = await current;
    if (running === undefined) return;
    await stopPostmaster(running.pid, server.cluster);
    await running.connection.end().catch(() => undefined);
  }

  watch(first);
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
