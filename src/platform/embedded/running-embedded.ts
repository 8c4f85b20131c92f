import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { clusterPath } from './cluster.ts';
import { isPostmaster, readPostmasterFile } from './postmaster.ts';

/**
 * Address of the embedded PostgreSQL of a data folder that the product is running, for a command beside it. A
 * connection does not make the command its owner.
 *
 * @returns null if it does not run.
 */
export async function runningEmbeddedUrl(dataDir: string): Promise<string | null> {
  const cluster = await realpath(clusterPath(path.resolve(dataDir))).catch(() => null);
  if (cluster === null) return null;
  const file = await readPostmasterFile(cluster);
  if (!file?.ready || !(await isPostmaster(file.pid, cluster))) return null;
  const password = (await readFile(path.join(dataDir, 'postgres-password'), 'utf8')).trim();
  return `postgres://patchbay:${password}@127.0.0.1:${file.port}/patchbay`;
}
