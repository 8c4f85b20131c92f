import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { BucketSettings, Storage } from './file-storage.ts';

export type { ByteRange, Storage } from './file-storage.ts';

export interface StorageSettings {
  /** A folder of this machine: the storage itself, or with a bucket the place of files on their way to and from it. */
  readonly folder: string;
  readonly bucket: BucketSettings | null;
}

/** A local folder, or a bucket where one is configured, whose client is loaded when it is first used. */
export function createStorage({ folder, bucket }: StorageSettings): Storage {
  if (bucket === null) return createLocalStorage(path.resolve(folder));
  let opening: Promise<Storage> | null = null;
  const opened = () => {
    opening ??= import('./bucket.ts').then(({ createBucketStorage }) =>
      createBucketStorage({ folder: path.resolve(folder), bucket }),
    );
    return opening;
  };
  return {
    write: async (key, content) => (await opened()).write(key, content),
    read: async (key, range) => (await opened()).read(key, range),
    remove: async (key) => (await opened()).remove(key),
    withFile: async (key, work) => (await opened()).withFile(key, work),
  };
}

function createLocalStorage(folder: string): Storage {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  const fileOf = (key: string) => path.join(folder, key);
  return {
    async write(key, content) {
      await disk.putStream(key, content);
      await synced(fileOf(key));
      await synced(path.dirname(fileOf(key)));
    },
    read: async (key, range) => createReadStream(fileOf(key), range),
    remove: (key) => disk.delete(key),
    withFile: (key, work) => work(fileOf(key)),
  };
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
