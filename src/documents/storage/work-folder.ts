import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../platform/clock.ts';

/** No work on a file takes so long. */
const workMsMax = 86_400_000;
const sweepEveryMs = 3_600_000;

export type WorkFolder = ReturnType<typeof createWorkFolder>;

/**
 * A folder of this machine for files that exist only while something works on them. Several processes may share it. What a killed process
 * has left there is removed when it is older than a day and the folder is next used.
 */
export function createWorkFolder({ folder, clock }: { folder: string; clock: Clock }) {
  let sweptAt = Number.NEGATIVE_INFINITY;

  /** Runs work on a path that no file has yet. A file that the work leaves there is removed. */
  async function withPath<Result>(work: (file: string) => Promise<Result>): Promise<Result> {
    const now = clock.now().getTime();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (now - sweptAt >= sweepEveryMs) {
      sweptAt = now;
      await removeLeft(now - workMsMax);
    }
    const file = path.join(folder, `${now}-${randomUUID()}`);
    try {
      return await work(file);
    } finally {
      await rm(file, { force: true });
    }
  }

  /** By the time in the name: a link has the times of the file that it leads to. */
  async function removeLeft(before: number): Promise<void> {
    for (const name of await readdir(folder))
      if (/^\d+-[0-9a-f-]{36}$/.test(name) && Number.parseInt(name, 10) <= before)
        await rm(path.join(folder, name), { force: true });
  }

  return { folder, withPath };
}
