import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createStorage, type Storage, type StorageSettings } from '../../src/documents/storage/storage.ts';
import { verifies } from '../requirements.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { quickFolder } from '../support/quick-folder.ts';
import { filesBelow, startS3Server } from '../support/s3-server.ts';

const key = (name: string) => `${name.slice(0, 2)}/${name}`;
const written = (storage: Storage, name: string, content: string | Buffer) =>
  storage.write(key(name), Readable.from([Buffer.from(content)]));

async function keysOf(storage: Storage, part: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key: listed, modifiedAt } of storage.list(part)) {
    keys.push(listed);
    expect(Number.isNaN(modifiedAt.getTime())).toBe(false);
  }
  return keys;
}

function stage(bucket: StorageSettings['bucket']) {
  const folder = mkdtempSync(path.join(quickFolder(), 'storage-'));
  cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createManualClock();
  return { folder, clock, storage: createStorage({ folder, bucket, clock }) };
}

async function bucketStage(change: Partial<NonNullable<StorageSettings['bucket']>> = {}, isStrict = false) {
  const server = await startS3Server({ isStrict });
  const { endpoint, accessKeyId, secretAccessKey } = server;
  const bucket = { name: server.bucket, endpoint, region: 'us-east-1', accessKeyId, secretAccessKey, ...change };
  return { ...stage(bucket), server, keys: server.keys };
}

const stages = {
  'a folder': async (_isStrict = false) => {
    const { folder, ...rest } = stage(null);
    return { ...rest, folder, keys: () => filesBelow(folder) };
  },
  'a bucket': (isStrict = false) => bucketStage({}, isStrict),
};

describe.each(Object.entries(stages))('%s', verifies('documents.storage'), (_name, open) => {
  it('keeps files as they came, gives them whole and in parts, and forgets them', async () => {
    const { storage, keys } = await open();
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 251));
    await written(storage, 'aa01', bytes);
    await written(storage, 'ab02', '');
    expect(keys()).toEqual([key('aa01'), key('ab02')]);
    expect((await buffer(await storage.read(key('aa01')))).equals(bytes)).toBe(true);
    expect(await text(await storage.read(key('ab02')))).toBe('');
    const part = await buffer(await storage.read(key('aa01'), { start: 100_000, end: 100_009 }));
    expect(part.equals(bytes.subarray(100_000, 100_010))).toBe(true);
    const first = await buffer(await storage.read(key('aa01'), { start: 0, end: 1 }));
    expect([...first]).toEqual([0, 7]);
    await storage.remove(key('aa01'));
    await storage.remove(key('aa01'));
    await storage.remove(key('zz99'));
    expect(keys()).toEqual([key('ab02')]);
  });

  it('signs what it asks for a file', async () => {
    const { storage } = await open(true);
    await written(storage, 'aa01', 'content');
    expect([await storage.exists(key('aa01')), await text(await storage.read(key('aa01')))]).toEqual([true, 'content']);
    await storage.remove(key('aa01'));
    expect(await storage.exists(key('aa01'))).toBe(false);
  });

  it('lists the files of a part', async () => {
    const { storage } = await open();
    const names = Array.from({ length: 5 }, (_, index) => `aa${index}`);
    for (const name of [...names, 'ab01']) await written(storage, name, 'x');
    const listed = await keysOf(storage, 'aa');
    expect(listed.sort()).toEqual(names.map(key).sort());
    expect(await keysOf(storage, 'ff')).toEqual([]);
  });

  it('fails for a file that does not exist', async () => {
    const { storage } = await open();
    await expect(storage.read(key('aa01')).then((content) => text(content))).rejects.toThrow();
    await expect(storage.withFile(key('aa01'), async () => 'read')).rejects.toThrow();
  });

  it('leaves nothing of a file whose content ends with an error, once it is removed', async () => {
    const { storage, keys, folder } = await open();
    const broken = async function* () {
      yield Buffer.alloc(100_000, 'x');
      throw new Error('the client went away');
    };
    await expect(storage.write(key('aa01'), Readable.from(broken()))).rejects.toThrow();
    await storage.remove(key('aa01'));
    expect(keys()).toEqual([]);
    expect(filesBelow(folder)).toEqual([]);
  });

  it('shows a file in the folder of the reader while it is worked on, and no other', async () => {
    const { storage, folder } = await open();
    await written(storage, 'aa01', 'content');
    await written(storage, 'aa02', 'another');
    const seen = await storage.withFile(key('aa01'), async (file) => {
      expect(path.dirname(file)).toBe(storage.readingFolder);
      return { names: readdirSync(storage.readingFolder), content: readFileSync(file, 'utf8') };
    });
    expect([seen.names.length, seen.content]).toEqual([1, 'content']);
    await expect(storage.withFile(key('aa02'), () => Promise.reject(new Error('bad file')))).rejects.toThrow(
      'bad file',
    );
    expect(readdirSync(storage.readingFolder)).toEqual([]);
    expect(path.relative(folder, storage.readingFolder)).toBe('reading');
    expect(await text(await storage.read(key('aa01')))).toBe('content');
  });

  it('removes what a killed process has left in the folder of the reader, after a day', async () => {
    const { storage, clock } = await open();
    await written(storage, 'aa01', 'content');
    await storage.withFile(key('aa01'), async () => undefined);
    const left = path.join(storage.readingFolder, `${clock.now().getTime()}-${crypto.randomUUID()}`);
    writeFileSync(left, 'left');
    // A link has the times of the file that it leads to.
    utimesSync(left, new Date(0), new Date(0));
    clock.advance(86_399_000);
    await storage.withFile(key('aa01'), async () => undefined);
    expect(existsSync(left)).toBe(true);
    clock.advance(3_601_000);
    await storage.withFile(key('aa01'), async () => undefined);
    expect(readdirSync(storage.readingFolder)).toEqual([]);
  });
});

/** An endpoint that answers as it is told. */
async function endpointThat(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    answer(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(() => {
    server.closeAllConnections();
    server.close();
  });
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const settings = (endpoint: string) => ({
  name: 'documents',
  endpoint,
  region: 'us-east-1',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
});

/** Each way to ask the storage, with the name of its error. */
async function errorsOf(storage: Storage): Promise<unknown[]> {
  const failures = await Promise.allSettled([
    written(storage, 'aa01', 'content'),
    storage.read(key('aa01')),
    storage.remove(key('aa01')),
    storage.withFile(key('aa01'), async () => undefined),
  ]);
  return failures.map((failure) => {
    const error = failure.status === 'rejected' ? failure.reason : new Error('none');
    return (error.cause ?? error).name;
  });
}

describe('a bucket that cannot be used', verifies('documents.storage'), () => {
  it.each([
    ['an unknown key', { accessKeyId: 'other' }, 'InvalidAccessKeyId'],
    ['a wrong secret', { secretAccessKey: 'other' }, 'SignatureDoesNotMatch'],
    ['no such bucket', { name: 'missing' }, 'NoSuchBucket'],
  ])('fails by name: %s', async (_name, change, error) => {
    const { storage, keys, folder } = await bucketStage(change, true);
    expect(await errorsOf(storage)).toEqual([error, error, error, error]);
    expect([keys(), filesBelow(folder)]).toEqual([[], []]);
  });

  it('fails when it is away', async () => {
    const { storage, server, folder } = await bucketStage();
    await server.stop();
    expect(await errorsOf(storage)).not.toContain('none');
    expect(filesBelow(folder)).toEqual([]);
  });

  it('fails when it accepts a request and does not answer, or stops within an answer', async () => {
    const silent = await endpointThat(() => undefined);
    const { storage, folder } = stage({ ...settings(silent.endpoint), idleMs: 50 });
    expect(await errorsOf(storage)).toEqual(Array(4).fill('TimeoutError'));
    expect(filesBelow(folder)).toEqual([]);
    const stopping = await endpointThat((_req, res) => void res.writeHead(200, { 'Content-Length': 1_000 }).write('x'));
    const stopped = stage({ ...settings(stopping.endpoint), idleMs: 50 });
    await expect(stopped.storage.read(key('aa01')).then((content) => text(content))).rejects.toThrow();
  });

  it('fails when it goes on failing', async () => {
    const { endpoint } = await endpointThat((_req, res) => void res.writeHead(503).end());
    const { storage } = stage(settings(endpoint));
    expect(await errorsOf(storage)).not.toContain('none');
  });

  it('is asked for a list page by page', async () => {
    const page = (name: string, next: string) =>
      `<ListBucketResult><Contents><Key>${key(name)}</Key><LastModified>2026-03-01T12:00:00.000Z</LastModified></Contents>${next}</ListBucketResult>`;
    const { endpoint, asked } = await endpointThat(({ url = '' }, res) => {
      const isLast = url.includes('continuation-token=next');
      const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>next</NextContinuationToken>';
      res.writeHead(200, { 'Content-Type': 'application/xml' });
      res.end(isLast ? page('aa02', '<IsTruncated>false</IsTruncated>') : page('aa01', more));
    });
    const { storage } = stage(settings(endpoint));
    expect(await keysOf(storage, 'aa')).toEqual([key('aa01'), key('aa02')]);
    expect(asked).toHaveLength(2);
  });

  it('is asked again when it has failed once', async () => {
    let failures = 0;
    const { endpoint } = await endpointThat((_req, res) => {
      failures += 1;
      if (failures === 1) return void res.writeHead(503).end();
      res.writeHead(200).end('content');
    });
    const { storage } = stage(settings(endpoint));
    expect(await text(await storage.read(key('aa01')))).toBe('content');
  });

  it('is asked at its endpoint alone: a redirect is an error', async () => {
    const elsewhere = await endpointThat((_req, res) => void res.writeHead(200).end('content'));
    const { endpoint } = await endpointThat(
      (_req, res) => void res.writeHead(307, { Location: `${elsewhere.endpoint}/documents/aa/aa01` }).end(),
    );
    const { storage } = stage(settings(endpoint));
    expect(await errorsOf(storage)).not.toContain('none');
    expect(elsewhere.asked).toEqual([]);
  });
});
