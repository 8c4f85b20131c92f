import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresError, hasCode, orElsewhere } from './embedded-postgres-error.ts';
import { runAs, type ServerUser } from './server-user.ts';

/** A folder for files that the unprivileged user must reach, for projects below a private folder. */
export const reachableHome = '/var/lib/patchbay';

export type EmbeddedLog = (level: 'info' | 'warn', message: string, fields?: object) => void;

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Of PostgreSQL, such as 18.4. */
  readonly version: string;
}

/**
 * PostgreSQL's programs out of the npm package of this platform, in a place where `user` can run them. If that is not
 * where npm put them, they are copied once to /var/lib/patchbay.
 *
 * @throws {EmbeddedPostgresError} This platform has no package, it is not installed, or its programs do not run.
 */
export async function postgresBinaries(user: ServerUser | undefined, log: EmbeddedLog): Promise<PostgresBinaries> {
  const packaged = packageFolder();
  const inPlace = await usable(packaged.native, user);
  if (inPlace.binaries !== undefined) return inPlace.binaries;
  const forRoot = user === undefined ? inPlace : await usable(packaged.native, undefined);
  // They run for root and not for the server's user: they are sound, but out of its reach.
  if (user !== undefined && forRoot.binaries !== undefined) {
    const copy = path.join(reachableHome, `postgresql-${packaged.version}`);
    if (!existsSync(copy)) {
      log(
        'info',
        `PostgreSQL cannot run as root, and user ${user.uid} cannot reach ${packaged.native}: copying it to ${copy}`,
      );
      await copyReadable(packaged.native, copy);
    }
    const copied = await usable(copy, user);
    if (copied.binaries !== undefined) return copied.binaries;
    throw new EmbeddedPostgresError(`User ${user.uid} cannot run ${copy}/bin/postgres (${copied.problem}): ${orElse}.`);
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${packaged.native} does not run (${forRoot.problem}): ` +
      `run \`npm rebuild ${packaged.name}\`, ${orElsewhere}.`,
  );
}

const orElse = 'start Patchbay as an ordinary user, or set DATABASE_URL to use another PostgreSQL';

function packageFolder(): { name: string; native: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package exports nothing but dist/index.js, which lies beside native/.
    const root = path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { name, native: path.join(root, 'native'), version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} here (package ${name}): ` +
        'run `npm install` without --omit=optional, or set DATABASE_URL to use another PostgreSQL.',
      { cause: error },
    );
  }
}

async function usable(
  native: string,
  user: ServerUser | undefined,
): Promise<{ binaries?: PostgresBinaries; problem?: string }> {
  const postgres = path.join(native, 'bin', 'postgres');
  const { code, output, errors } = await runAs(user, postgres, ['--version']);
  const version = /PostgreSQL\) (\S+)/.exec(output)?.[1];
  if (code !== 0 || version === undefined) return { problem: errors || `exit code ${code}` };
  return { binaries: { postgres, initdb: path.join(native, 'bin', 'initdb'), version } };
}

/** Copies a folder so that everybody may read it, whatever our umask is; it appears complete or not at all. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await chmod(path.dirname(to), 0o755);
  const staging = `${to}.${randomBytes(4).toString('hex')}`;
  try {
    await cp(from, staging, { recursive: true, verbatimSymlinks: true });
    await chmod(staging, 0o755);
    for (const entry of await readdir(staging, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) continue;
      const executable = entry.isDirectory() || ((await stat(file)).mode & 0o100) !== 0;
      await chmod(file, executable ? 0o755 : 0o644);
    }
    await rename(staging, to);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another process was faster.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}
