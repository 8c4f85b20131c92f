import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Disk } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
import type { BucketSettings, ByteRange, Storage } from './file-storage.ts';

/**
 * A bucket of an S3-compatible storage. Files pass through a folder of this machine: a bucket takes no file of unknown length, and
 * readers of documents need a path.
 */
export function createBucketStorage({ folder, bucket }: { folder: string; bucket: BucketSettings }): Storage {
  const { name, endpoint, region, accessKeyId, secretAccessKey } = bucket;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Other storages know neither host names of buckets nor the newer checksums.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const disk = new Disk(new S3Driver({ client, bucket: name, visibility: 'private', supportsACL: false }));

  /** Runs work on a new file of this machine, which is removed afterwards. */
  async function withNewFile<Result>(work: (file: string) => Promise<Result>): Promise<Result> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, randomUUID());
    try {
      return await work(file);
    } finally {
      await rm(file, { force: true });
    }
  }

  async function read(key: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      Bucket: name,
      Key: key,
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    });
    return (await client.send(command)).Body as Readable;
  }

  return {
    write: (key, content) =>
      withNewFile(async (file) => {
        await pipeline(content, createWriteStream(file, { mode: 0o600 }));
        const { size } = await stat(file);
        await disk.putStream(key, createReadStream(file), { contentLength: size });
      }),
    read,
    remove: (key) => disk.delete(key),
    withFile: (key, work) =>
      withNewFile(async (file) => {
        await pipeline(await read(key), createWriteStream(file, { mode: 0o600 }));
        return work(file);
      }),
  };
}
