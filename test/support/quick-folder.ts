import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** In bytes: what the largest suites write, several times over. */
const roomNeeded = 4 * 1024 ** 3;

/**
 * Where databases of tests lie: in memory where there is room, because a database of 300 files is made, copied and dropped again for nearly
 * every test file. What must be seen on a disk uses `tmpdir()`.
 */
export function quickFolder(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > roomNeeded ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
