import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, hasCode, orElsewhere } from './embedded-postgres-error.ts';
import { type EmbeddedLog, type PostgresBinaries, reachableHome } from './postgres-binaries.ts';
import { canEnter, runAs, type ServerUser } from './server-user.ts';

export interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries: PostgresBinaries;
  readonly user: ServerUser | undefined;
  /** False skips the flush to disk at the end of initdb. */
  readonly fsync: boolean;
  readonly log: EmbeddedLog;
}

export interface Cluster {
  /** The real folder, after symbolic links. */
  readonly directory: string;
  /** Of the role `patchbay`. */
  readonly password: string;
}

/** The data folder's absolute, real path; it is made if it does not exist. */
export async function openDataDir(directory: string): Promise<string> {
  const dataDir = path.resolve(directory);
  if ((await mkdir(dataDir, { recursive: true })) !== undefined) {
    // Root's server runs as another user, who must pass through; everybody else keeps the folder private.
    await chmod(dataDir, process.geteuid?.() === 0 ? 0o711 : 0o700);
  }
  return realpath(dataDir);
}

/** The name under which the cluster is found: a folder, or a symbolic link to one below /var/lib/patchbay. */
export const clusterPath = (dataDir: string): string => path.join(dataDir, 'postgres');

/**
 * The cluster of a data folder, created if there is none. A cluster appears complete or not at all: initdb works in a
 * folder beside it, which is then renamed. If two processes do this at once, the second uses the cluster of the first.
 *
 * @throws {EmbeddedPostgresError} Another major version, a folder that is not a cluster, a lost password, a failing
 * initdb.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, user } = options;
  await removeLeftovers(dataDir, 'postgres');
  const place = clusterPath(dataDir);
  const exists = await isCluster(place);
  const password = await passwordOf(dataDir, exists);
  if (!exists) await createCluster(options, password);
  const directory = await realpath(place);
  await assertSameMajor(directory, options.binaries);
  if (!(await canEnter(user, directory))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot run as root, and user ${user?.uid} cannot reach the database in ${directory}: make the folders ` +
        `above it accessible (chmod o+x), or move it below ${reachableHome} and leave a symbolic link.`,
    );
  }
  return { directory, password };
}

async function isCluster(directory: string): Promise<boolean> {
  return (await stat(path.join(directory, 'PG_VERSION')).catch(() => undefined)) !== undefined;
}

async function assertSameMajor(directory: string, binaries: PostgresBinaries): Promise<void> {
  const found = (await readFile(path.join(directory, 'PG_VERSION'), 'utf8')).trim();
  const wanted = binaries.version.split('.')[0];
  if (found === wanted) return;
  throw new EmbeddedPostgresError(
    `The database in ${directory} was made by PostgreSQL ${found} and this is PostgreSQL ${wanted}: ` +
      `carry it over with pg_dump, set DATA_DIR to another folder, ${orElsewhere}.`,
  );
}

/** Reads the password, or makes one for a cluster to come: complete on the disk or not there at all. */
async function passwordOf(dataDir: string, clusterExists: boolean): Promise<string> {
  const file = path.join(dataDir, 'postgres-password');
  const existing = await readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
  if (existing !== '') return existing.trim();
  if (clusterExists) {
    throw new EmbeddedPostgresError(
      `The password of the database in ${dataDir} is lost: restore the file ${file}, ` +
        `set DATA_DIR to another folder, ${orElsewhere}.`,
    );
  }
  const staging = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(staging, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true });
    await link(staging, file);
  } catch (error) {
    // Another process was faster: its result counts.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(staging, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}

async function createCluster(options: ClusterOptions, password: string): Promise<void> {
  const { dataDir, user, log } = options;
  const place = clusterPath(dataDir);
  let target = await linkTarget(place);
  if (target === undefined && !(await isPassable(dataDir, user))) {
    target = await linkedTarget(dataDir);
    log(
      'info',
      `PostgreSQL cannot run as root, and user ${user?.uid} cannot reach ${dataDir}: the database goes to ${target}`,
    );
  }
  await initialize(target ?? place, options, password);
}

/** Where the symbolic link points to, undefined if there is none. */
async function linkTarget(place: string): Promise<string | undefined> {
  const found = await lstat(place).catch(() => undefined);
  return found?.isSymbolicLink() ? path.resolve(path.dirname(place), await readlink(place)) : undefined;
}

/** Tried with a folder of the user's own, as the cluster will be one. */
async function isPassable(dataDir: string, user: ServerUser | undefined): Promise<boolean> {
  const probe = stagingFolder(clusterPath(dataDir));
  await mkdir(probe, { mode: 0o700 });
  try {
    if (user !== undefined) await chown(probe, user.uid, user.gid);
    return await canEnter(user, probe);
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/**
 * Chooses a place below /var/lib/patchbay and links to it. The link comes first: who finds it dangling knows where the
 * cluster must be made, and a folder without a link belongs to a data folder that was deleted, so it is never reused.
 */
async function linkedTarget(dataDir: string): Promise<string> {
  await mkdir(reachableHome, { recursive: true });
  await chmod(reachableHome, 0o755);
  const name = path.join(reachableHome, createHash('sha256').update(dataDir).digest('hex').slice(0, 12));
  let target = name;
  for (let number = 2; (await lstat(target).catch(() => undefined)) !== undefined; number += 1) {
    target = `${name}-${number}`;
  }
  await symlink(target, clusterPath(dataDir)).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  return (await linkTarget(clusterPath(dataDir))) ?? target;
}

async function initialize(target: string, options: ClusterOptions, password: string): Promise<void> {
  const { binaries, user, fsync, dataDir } = options;
  await removeLeftovers(path.dirname(target), path.basename(target));
  const staging = stagingFolder(target);
  const passwordFile = path.join(staging, 'password');
  await mkdir(staging, { mode: 0o700 });
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user !== undefined) for (const file of [passwordFile, staging]) await chown(file, user.uid, user.gid);
    const cluster = path.join(staging, 'cluster');
    const { code, errors } = await runAs(user, binaries.initdb, [
      `--pgdata=${cluster}`,
      '--username=patchbay',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // PostgreSQL's own locale: sorts by code point and knows Unicode's case mapping, the same on every machine.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      ...(fsync ? [] : ['--no-sync']),
    ]);
    if (code !== 0) throw initdbError(errors, dataDir);
    await rename(cluster, target);
    await flushFolder(path.dirname(target));
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error;
    // Another process was faster, or another program has taken the place.
    if (!(await isCluster(target))) {
      throw new EmbeddedPostgresError(
        `${target} is in the way and holds no PostgreSQL cluster: move it away, or set DATA_DIR to another folder.`,
        { cause: error },
      );
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function initdbError(errors: string, dataDir: string): EmbeddedPostgresError {
  if (errors.includes('No space left on device')) {
    return new EmbeddedPostgresError(
      `The disk that holds the data folder ${dataDir} is full: make room, set DATA_DIR to another folder, ${orElsewhere}.`,
    );
  }
  if (errors.includes('could not look up effective user ID')) {
    return new EmbeddedPostgresError(
      `User ${process.geteuid?.()} has no name in /etc/passwd, without which PostgreSQL makes no database: ` +
        `add one, start Patchbay as another user, ${orElsewhere}.`,
      { cause: errors },
    );
  }
  const reason = /(?:error|FATAL|PANIC): +(.*)/.exec(errors)?.[1] ?? errors;
  return new EmbeddedPostgresError(
    `PostgreSQL could not make a database in ${dataDir} (initdb: ${reason}): set DATA_DIR to another folder, ${orElsewhere}.`,
    { cause: errors },
  );
}

/** A rename is on the disk when its folder is. */
async function flushFolder(directory: string): Promise<void> {
  await using handle = await open(directory, 'r');
  await handle.sync();
}

const stagingFolder = (target: string): string => `${target}.init-${process.pid}-${randomBytes(4).toString('hex')}`;

/** Removes what initialisations left that died half-way. */
async function removeLeftovers(parent: string, name: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    const pid = entry.startsWith(`${name}.init-`) ? Number(/\.init-(\d+)-/.exec(entry)?.[1]) : Number.NaN;
    const file = path.join(parent, entry);
    if (!Number.isNaN(pid) && (await isLeftover(file, pid))) await rm(file, { recursive: true, force: true });
  }
}

/** In a container every start may have the same pid, so ours can also be the pid of one that died. */
async function isLeftover(file: string, pid: number): Promise<boolean> {
  const made = (await stat(file).catch(() => undefined))?.mtimeMs;
  if (made === undefined) return false;
  if (pid === process.pid) return made < performance.timeOrigin;
  const tenMinutesAgo = performance.timeOrigin + performance.now() - 600_000;
  return made < tenMinutesAgo || !isAlive(pid);
}

/** True if there is a process with this id, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
