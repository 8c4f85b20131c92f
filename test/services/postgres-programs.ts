import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { quickFolder } from '../support/quick-folder.ts';

/** Debian's PostgreSQL 15 in a folder of its own, to which extensions can be added without a right of root. */
export interface PostgresPrograms {
  /** Of `initdb` and `postgres`. */
  readonly bin: string;
  /** All of it, to be removed after use. */
  readonly folder: string;
  /** Makes the extension `vector` available, which `CREATE EXTENSION` then finds at once. */
  addVector(): void;
}

const libraries = 'lib/postgresql/15/lib';
const shared = 'share/postgresql/15';

/** The server finds its libraries and files by where its program lies: copies of the programs, links to all else. */
export function postgresPrograms(): PostgresPrograms {
  const folder = mkdtempSync(path.join(quickFolder(), 'patchbay-postgres-15-'));
  const bin = path.join(folder, 'lib/postgresql/15/bin');
  for (const name of [bin, path.join(folder, libraries), path.join(folder, shared, 'extension')])
    mkdirSync(name, { recursive: true, mode: 0o755 });
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  for (const name of ['initdb', 'postgres'])
    copyFileSync(path.join('/usr/lib/postgresql/15/bin', name), path.join(bin, name));
  for (const below of [libraries, shared, path.join(shared, 'extension')])
    for (const name of readdirSync(path.join('/usr', below)))
      if (name !== 'extension') symlinkSync(path.join('/usr', below, name), path.join(folder, below, name));
  return {
    bin,
    folder,
    addVector() {
      const built = builtVector();
      cpSync(path.join(built, 'vector.so'), path.join(folder, libraries, 'vector.so'));
      for (const name of ['vector.control', 'vector--0.8.0.sql'])
        cpSync(path.join(built, name), path.join(folder, shared, 'extension', name));
    },
  };
}

/** The folder of pgvector, which the first run builds from Debian's sources: half a minute. */
function builtVector(): string {
  const folder = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'patchbay-pgvector');
  execFileSync(path.resolve(import.meta.dirname, '../support/pgvector/build.sh'), [folder], { stdio: 'inherit' });
  return folder;
}
