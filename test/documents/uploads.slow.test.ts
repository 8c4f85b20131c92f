import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/deadline.ts';
import { type Product, startProduct } from '../support/product.ts';
import { filesBelow, startS3Server } from '../support/s3-server.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { encryptionKeys } from '../support/services.ts';

const mb = 1024 * 1024;
const head = '--limit\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\n';
const tail = '\r\n--limit--\r\n';

/** The highest resident memory of a process so far, in MB. Linux alone says so. */
const peakOf = ({ child }: Product) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024;

/** A web process over a storage, and a server over the same database and files by whose clock the jobs run. */
async function stage(environment: Record<string, string>) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'patchbay-uploads-'));
  cleanUp(() => rmSync(dataDir, { recursive: true, force: true }));
  const url = await createTestDatabase();
  const server = await startTestServer({ DATA_DIR: dataDir, ...environment }, url);
  const settings = { DATABASE_URL: url, ENCRYPTION_KEYS: encryptionKeys, WORKERS: 'separate', ...environment };
  const product = await startProduct(dataDir, settings, 'web-process');
  cleanUp(() => product.kill());
  const { secret } = await tenantOf(server);
  /** Sends the body of a form. @param pause What is waited for before the last half of it. */
  async function send(size: number, pause?: Promise<unknown>) {
    const hash = createHash('sha256');
    async function* content() {
      yield Buffer.from(head);
      for (let part = 0; part < size / mb; part++) {
        if (part === size / mb / 2) await pause;
        const bytes = Buffer.alloc(mb, `${part} `);
        hash.update(bytes);
        yield bytes;
      }
      yield Buffer.from(tail);
    }
    const response = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'multipart/form-data; boundary=limit' };
      const sending = request(`${product.base}/api/documents/upload`, { method: 'POST', headers }, (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (text) => (body += text));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body })).on('error', reject);
      });
      sending.on('error', reject);
      Readable.from(content()).on('error', reject).pipe(sending);
    });
    return { ...response, sha256: hash.digest('hex') };
  }
  return { dataDir, server, product, secret, send };
}

const storages = {
  'a folder': async () => {
    const set = await stage({});
    return { ...set, keys: () => filesBelow(path.join(set.dataDir, 'documents')) };
  },
  'a bucket': async () => {
    const bucket = await startS3Server();
    return { ...(await stage(bucket.environment)), keys: bucket.keys };
  },
};

describe.each(Object.entries(storages))('over %s', (_name, open) => {
  it(
    'a file of 100 MB goes in and out in memory that does not depend on its size',
    verifies('documents.storage'),
    async () => {
      const { product, secret, send } = await open();
      // What is compiled and allocated for any file.
      expect((await send(32 * mb)).status).toBe(200);
      const before = peakOf(product);
      const { status, body, sha256 } = await send(100 * mb);
      expect(status, body).toBe(200);
      const { documentId, document } = JSON.parse(body);
      expect(document.fileSize).toBe(100 * mb);
      const response = await fetch(`${product.base}/api/library/download/${documentId}`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      const hash = createHash('sha256');
      for await (const bytes of response.body ?? []) hash.update(bytes);
      expect(hash.digest('hex')).toBe(sha256);
      const grown = peakOf(product) - before;
      process.stdout.write(`memory grew by ${grown.toFixed(0)} MB, from ${before.toFixed(0)} MB\n`);
      expect(grown).toBeLessThan(80);
    },
  );

  it(
    'a crash in the middle of an upload leaves a row and a part of a file, which the job removes (H08)',
    verifies('documents.orphans'),
    async () => {
      const { product, server, dataDir, send, keys } = await open();
      const folder = path.join(dataDir, 'documents');
      const crash = eventually('a part of the file', () => filesBelow(folder).length > 0).then(() => product.kill());
      await expect(send(8 * mb, crash)).rejects.toThrow();
      const rows = () => server.database.query<{ created_at: Date }>({ text: 'SELECT created_at FROM document_files' });
      const left = await rows();
      for (const row of left) server.clock.set(row.created_at);
      expect([left.length, filesBelow(folder).length]).toEqual([1, 1]);
      const { documents } = server.services;
      expect(await documents.files.removeUnused()).toBe(0);
      server.clock.advance(3_600_001);
      expect(await documents.files.removeUnused()).toBe(1);
      expect([await rows(), keys()]).toEqual([[], []]);
      // What was on its way to a bucket goes with the next upload, a day later.
      server.clock.advance(86_400_000);
      const { caller } = await tenantOf(server);
      await documents.uploads.receive(caller, { fileName: 'x.txt', content: Readable.from([Buffer.from('x')]) });
      expect([keys().length, filesBelow(folder).filter((file) => !keys().includes(file))]).toEqual([1, []]);
    },
  );
});
