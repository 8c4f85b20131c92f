import { createReadStream, createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { Disk } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
import type { BucketSettings, ByteRange, Storage } from './file-storage.ts';
import type { WorkFolder } from './work-folder.ts';

const connectMs = 5_000;
/** More connections than uploads, downloads and readers at a time. */
const agent = { keepAlive: true, maxSockets: 128 };
/** The errors themselves say it; without a logger the client writes to the console. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

export interface BucketStorageSettings {
  readonly bucket: BucketSettings;
  /** Of files that are read from the bucket. */
  readonly reading: WorkFolder;
  /** Of files that are sent to the bucket. */
  readonly sending: WorkFolder;
}

/**
 * A bucket of an S3-compatible storage. Files pass through folders of this machine: a bucket takes no file of unknown length, and
 * readers of documents need a path.
 */
export function createBucketStorage({ bucket, reading, sending }: BucketStorageSettings): Storage {
  const { name, endpoint, region, accessKeyId, secretAccessKey, idleMs = 30_000 } = bucket;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Other storages know neither host names of buckets nor the newer checksums.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs, httpAgent: agent, httpsAgent: agent },
    logger: silent,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const disk = new Disk(new S3Driver({ client, bucket: name, visibility: 'private', supportsACL: false }));

  async function read(key: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      Bucket: name,
      Key: key,
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    });
    return (await client.send(command)).Body as Readable;
  }

  return {
    readingFolder: reading.folder,
    write: (key, content) =>
      sending.withPath(async (file) => {
        // Content that was destroyed with the error of a full disk would look like a request that ended early.
        await writeFile(file, content.iterator({ destroyOnReturn: false }), { mode: 0o600 });
        const { size } = await stat(file);
        await disk.putStream(key, createReadStream(file), { contentLength: size });
      }),
    read,
    remove: (key) => disk.delete(key),
    exists: (key) => disk.exists(key),
    async *list(part) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: name, Prefix: `${part}/` }))
        for (const { Key, LastModified } of Contents)
          if (Key !== undefined && LastModified !== undefined) yield { key: Key, modifiedAt: LastModified };
    },
    withFile: (key, work) =>
      reading.withPath(async (file) => {
        await pipeline(await read(key), createWriteStream(file, { mode: 0o600 }));
        return work(file);
      }),
  };
}
