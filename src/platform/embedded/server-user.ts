import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError, orElsewhere } from './embedded-postgres-error.ts';

/** Whom PostgreSQL runs as when this process is root, because PostgreSQL refuses root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The unprivileged user of Debian and most other systems. No account is created; the cluster is the only thing that it
 * owns.
 */
const nobody: ServerUser = { uid: 65534, gid: 65534 };

/**
 * The user to run PostgreSQL as, undefined for the user of this process.
 *
 * @param cluster The cluster's folder; who owns an existing one goes on serving it.
 * @throws {EmbeddedPostgresError} An ordinary user cannot serve a cluster that another one owns.
 */
export async function serverUser(cluster: string): Promise<ServerUser | undefined> {
  const owner = await stat(cluster).catch(() => undefined);
  const uid = process.geteuid?.();
  if (uid === 0) return owner === undefined || owner.uid === 0 ? nobody : { uid: owner.uid, gid: owner.gid };
  if (owner !== undefined && uid !== undefined && owner.uid !== uid) {
    throw new EmbeddedPostgresError(
      `The database in ${cluster} belongs to user ${owner.uid} and this process runs as user ${uid}: ` +
        `start it as root or as that user, set DATA_DIR to another folder, ${orElsewhere}.`,
    );
  }
  return undefined;
}

/**
 * What a PostgreSQL process sees of our environment: nothing that is secret, and messages in English, since we read them.
 */
export const serverEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** How a program ended; `code` is null if it could not even be started. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program to its end as the given user. */
export function runAs(user: ServerUser | undefined, program: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    // Our own working directory may be out of that user's reach.
    const child = spawn(program, args, {
      ...user,
      cwd: '/',
      env: serverEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.on('error', (error) => resolve({ code: null, output, errors: error.message }));
    child.on('close', (code) => resolve({ code: code ?? -1, output, errors: errors.trim() }));
  });
}

/**
 * True if the user gets into the folder. Tried instead of computed: access lists, mounts and modes of every parent
 * decide together.
 */
export async function canEnter(user: ServerUser | undefined, directory: string): Promise<boolean> {
  return user === undefined || (await runAs(user, '/bin/sh', ['-c', 'cd "$0"', directory])).code === 0;
}
