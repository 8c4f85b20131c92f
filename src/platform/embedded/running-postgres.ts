import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { isAlive } from './cluster.ts';
import { EmbeddedPostgresError, hasCode, orElsewhere } from './embedded-postgres-error.ts';
import { ownerApplicationName } from './owner-lock.ts';
import {
  isPostmaster,
  type Launched,
  type LaunchOptions,
  launch,
  type PostmasterFile,
  readPostmasterFile,
  removeStalePostmasterFile,
} from './postmaster.ts';

export interface ServerOptions extends LaunchOptions {
  readonly dataDir: string;
  readonly password: string;
}

/** A server that answers, and our connection to it. */
export interface RunningPostgres {
  readonly pid: number;
  readonly port: number;
  /** True if it ran before we came. */
  readonly adopted: boolean;
  /** To the database `postgres`, because a connection to `patchbay` would keep it from being copied as a template. */
  readonly connection: Client;
  /** Resolves when the connection is lost. */
  readonly disconnected: Promise<void>;
}

/**
 * Finds the cluster's server or starts it, and waits until it answers.
 *
 * @param fixedPort The port that clients know already; without it a free one is chosen.
 * @param timeoutMs How long crash recovery, and orphans that still hold the shared memory, may take.
 * @throws {EmbeddedPostgresError} It does not start, or does not answer in time.
 */
export async function runningServer(
  options: ServerOptions,
  { fixedPort, timeoutMs }: { fixedPort?: number; timeoutMs: number },
): Promise<RunningPostgres> {
  const deadline = performance.now() + timeoutMs;
  let launched: Launched | undefined;
  let portWasTaken = false;
  let reason = 'it did not answer';
  while (performance.now() < deadline) {
    const file = await readPostmasterFile(options.cluster);
    if (file !== undefined && (await isPostmaster(file.pid, options.cluster))) {
      const connected = file.ready ? await connect(options, file.port) : undefined;
      if (connected instanceof Error) reason = connected.message;
      else if (connected !== undefined)
        return { ...connected, pid: file.pid, port: file.port, adopted: file.pid !== launched?.pid };
      await delay(10);
      continue;
    }
    const lastWords = launched?.lastWords();
    if (launched !== undefined && lastWords === undefined) {
      await delay(5);
      continue;
    }
    if (lastWords !== undefined) {
      reason = obstacleIn(lastWords, options);
      portWasTaken = /could not bind|could not create any TCP/.test(lastWords);
      await delay(100);
    }
    // PostgreSQL recovers from a dead process's file itself, and needs it to find the orphans of that process.
    if (file !== undefined ? isAlive(file.pid) : lastWords?.includes('is empty')) {
      await removeStalePostmasterFile(options.cluster);
    }
    const port = fixedPort ?? (await freePort(portWasTaken ? undefined : file));
    launched = await launch(options, port);
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL in ${options.dataDir} is not ready after ${Math.round(timeoutMs / 1_000)} s (${reason}): ` +
      `look into ${options.logFile}, ${orElsewhere}.`,
  );
}

/** Failures that pass by themselves: a port that is taken, a server that another process starts, orphans of a killed one. */
const passing = /could not bind|could not create any TCP|lock file "[^"]*" (already exists|is empty)|still in use/;

/** @throws {EmbeddedPostgresError} The server ended for a reason that will not pass. */
function obstacleIn(lastWords: string, { dataDir, logFile }: ServerOptions): string {
  const reason = /(?:FATAL|PANIC|error): +(.*)/.exec(lastWords)?.[1] ?? 'it stopped without a message';
  if (lastWords.includes('No space left on device')) {
    throw new EmbeddedPostgresError(
      `The disk that holds the data folder ${dataDir} is full: make room, set DATA_DIR to another folder, ${orElsewhere}.`,
      { cause: lastWords },
    );
  }
  if (passing.test(lastWords)) return reason;
  throw new EmbeddedPostgresError(
    `PostgreSQL in ${dataDir} does not start (${reason}): look into ${logFile}, ${orElsewhere}.`,
    { cause: lastWords },
  );
}

/**
 * The port of last time if it is free, otherwise any. Not from the range out of which systems give ports to outgoing
 * connections: one of those could sit on ours while the server restarts, or a pool that tries to reconnect could even
 * reach itself.
 */
async function freePort(last: PostmasterFile | undefined): Promise<number> {
  let port = last?.port || randomInt(15_000, 32_000);
  while (!(await isFree(port))) port = randomInt(15_000, 32_000);
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Connects and makes sure that it is this cluster that answers.
 *
 * @returns An error if it may answer later.
 * @throws {EmbeddedPostgresError} It never will: another password, another cluster.
 */
async function connect(
  { dataDir, cluster, password }: ServerOptions,
  port: number,
): Promise<Pick<RunningPostgres, 'connection' | 'disconnected'> | Error> {
  const connection = new Client({
    host: '127.0.0.1',
    port,
    user: 'patchbay',
    password,
    database: 'postgres',
    application_name: ownerApplicationName,
    connectionTimeoutMillis: 5_000,
  });
  const disconnected = new Promise<void>((resolve) => connection.once('end', resolve));
  // The end follows; without a listener the loss of the connection would end the process.
  connection.on('error', () => undefined);
  try {
    await connection.connect();
    const { rows } = await connection.query<{ directory: string }>(
      `select current_setting('data_directory') as directory`,
    );
    if (rows[0]?.directory === cluster) return { connection, disconnected };
  } catch (error) {
    await connection.end().catch(() => undefined);
    if (!hasCode(error, '28P01', '28000')) return error instanceof Error ? error : new Error(String(error));
    throw new EmbeddedPostgresError(
      `The password in ${dataDir}/postgres-password is not that of the database beside it: restore the file, ` +
        `set DATA_DIR to another folder, ${orElsewhere}.`,
      { cause: error },
    );
  }
  await connection.end();
  throw new EmbeddedPostgresError(
    `The server on port ${port} that ${dataDir} names serves another folder (was it moved?): stop that server first.`,
  );
}
