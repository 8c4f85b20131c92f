import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the programs of the control plane are kept, outside the clone, so that a new clone finds them. */
const cacheFolder = () =>
  path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'patchbay-kubernetes');

export const programsFolder = (): string => path.join(cacheFolder(), 'bin');

/**
 * Builds the programs where they are missing, or waits for a build that runs.
 *
 * @throws {Error} when they cannot be had: the suites fail then, and are never skipped.
 */
export function buildPrograms(): void {
  const script = fileURLToPath(new URL('build-control-plane.sh', import.meta.url));
  const { status, error } = spawnSync('nice', ['bash', script, cacheFolder()], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('there is no control plane to test with', { cause: error });
}
