import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The programs of these suites that npm does not bring, each with the Debian package that does. */
const packages = {
  'redis-server': 'redis-server',
  chromium: 'chromium',
  initdb: 'postgresql',
  postgres: 'postgresql',
  python3: 'python3',
  openssl: 'openssl',
} as const;

export type Program = keyof typeof packages;

/** The oldest PostgreSQL that the product promises to run on. */
const postgresMin = 15;

/** Where Debian keeps the programs of its PostgreSQL servers, which are not on the PATH: the oldest that is good enough. */
function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).map(Number);
  return versions
    .filter((version) => version >= postgresMin)
    .sort((a, b) => a - b)
    .map((version) => path.join(root, String(version), 'bin'));
}

function find(program: Program): string | undefined {
  const folders = [...(packages[program] === 'postgresql' ? postgresFolders() : []), ...pathFolders()];
  return folders.map((folder) => path.join(folder, program)).find(isExecutable);
}

const pathFolders = () => (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const sentence = (program: string, debianPackage: string) =>
  `These suites need the program ${program}: install the Debian package ${debianPackage} (apt-get install ${debianPackage}).`;

/** What is missing, a sentence for each. */
export const missingPrograms = (): string[] =>
  Object.entries(packages)
    .filter(([program]) => find(program as Program) === undefined)
    .map(([program, debianPackage]) => sentence(program, debianPackage));

/** @throws {Error} with a sentence that names the package, where the program is missing. */
export function pathOf(program: Program): string {
  const file = find(program);
  if (file === undefined) throw new Error(sentence(program, packages[program]));
  return file;
}

export const has = (program: Program): boolean => find(program) !== undefined;
