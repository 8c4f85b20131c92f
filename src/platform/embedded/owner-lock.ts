import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { isAlive } from './cluster.ts';
import { EmbeddedPostgresError, orElsewhere } from './embedded-postgres-error.ts';

/** Two arbitrary numbers that nothing else locks in the database `postgres`. */
const lockKey = [20546, 1] as const;

const applicationPrefix = 'patchbay owner ';
/** How an owner's connection presents itself, so that a second owner can name the first one's process. */
export const ownerApplicationName = `${applicationPrefix}${process.pid}`;

/** After an owner was killed, the server needs a moment to notice. */
const releaseMs = 5_000;

/**
 * Makes this process the cluster's owner for as long as the connection lives.
 *
 * @throws {EmbeddedPostgresError} Another living process owns it.
 */
export async function takeOwnerLock(connection: Client, dataDir: string): Promise<void> {
  const deadline = performance.now() + releaseMs;
  while (true) {
    const { rows } = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
      ...lockKey,
    ]);
    if (rows[0]?.taken) return;
    const holder = await holderOf(connection);
    const gone = holder === undefined || (holder.process !== undefined && !isAlive(holder.process));
    if (!gone || performance.now() > deadline) throw apiError(dataDir, holder?.process);
    await delay(20);
  }
}

async function holderOf(connection: Client): Promise<{ process: number | undefined } | undefined> {
  const { rows } = await connection.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and objsubid = 2 and granted`,
    [...lockKey],
  );
  const name = rows[0]?.name;
  if (name === undefined) return undefined;
  const process = name.startsWith(applicationPrefix) ? Number(name.slice(applicationPrefix.length)) : Number.NaN;
  return { process: Number.isInteger(process) ? process : undefined };
}

function apiError(dataDir: string, holder: number | undefined): EmbeddedPostgresError {
  const who = holder === undefined ? 'another process' : `process ${holder}`;
  return new EmbeddedPostgresError(
    `The data folder ${dataDir} is in use by ${who}: stop that one, set DATA_DIR to another folder, ${orElsewhere}.`,
  );
}
