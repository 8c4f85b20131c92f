import { createReadStream } from 'node:fs';
import { copyFile, link, open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Clock } from '../../platform/clock.ts';
import type { BucketSettings, Storage } from './file-storage.ts';
import { createWorkFolder, type WorkFolder } from './work-folder.ts';

export type { ByteRange, Storage } from './file-storage.ts';

export interface StorageSettings {
  /** A folder of this machine: the storage itself, or with a bucket the place of files on their way to and from it. */
  readonly folder: string;
  readonly bucket: BucketSettings | null;
  readonly clock: Clock;
}

/** A local folder, or a bucket where one is configured, whose client is loaded when it is first used. */
export function createStorage({ folder, bucket, clock }: StorageSettings): Storage {
  const root = path.resolve(folder);
  const reading = createWorkFolder({ folder: path.join(root, 'reading'), clock });
  if (bucket === null) return createLocalStorage(root, reading);
  const sending = createWorkFolder({ folder: path.join(root, 'sending'), clock });
  let opening: Promise<Storage> | null = null;
  const opened = () => {
    opening ??= import('./bucket.ts').then(({ createBucketStorage }) =>
      createBucketStorage({ reading, sending, bucket }),
    );
    return opening;
  };
  return {
    readingFolder: reading.folder,
    write: async (key, content) => (await opened()).write(key, content),
    read: async (key, range) => (await opened()).read(key, range),
    remove: async (key) => (await opened()).remove(key),
    exists: async (key) => (await opened()).exists(key),
    async *list(part) {
      yield* (await opened()).list(part);
    },
    withFile: async (key, work) => (await opened()).withFile(key, work),
  };
}

function createLocalStorage(folder: string, reading: WorkFolder): Storage {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  const fileOf = (key: string) => path.join(folder, key);
  return {
    readingFolder: reading.folder,
    async write(key, content) {
      await disk.putStream(key, content);
      await synced(fileOf(key));
      await synced(path.dirname(fileOf(key)));
    },
    read: async (key, range) => createReadStream(fileOf(key), range),
    remove: (key) => disk.delete(key),
    exists: (key) => disk.exists(key),
    async *list(part) {
      const names = await readdir(fileOf(part)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      for (const name of names) {
        const key = `${part}/${name}`;
        const found = await stat(fileOf(key)).catch(() => null);
        if (found?.isFile()) yield { key, modifiedAt: found.mtime };
      }
    },
    withFile: (key, work) =>
      reading.withPath(async (file) => {
        await linked(fileOf(key), file);
        return work(file);
      }),
  };
}

/** Gives a file a second path; a copy where the file system knows no links. */
async function linked(file: string, second: string): Promise<void> {
  try {
    await link(file, second);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    await copyFile(file, second);
  }
}

/** Writes what the system holds of a file or a folder to the disk. */
async function synced(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
