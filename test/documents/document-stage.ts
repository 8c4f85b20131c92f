import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createStorage, type Storage } from '../../src/documents/storage/storage.ts';
import { cleanUp } from '../support/cleanup.ts';
import { filesBelow, startS3Server } from '../support/s3-server.ts';
import { type Answer, startTestServer, type TestServer, tenantOf } from '../support/server.ts';

export interface DocumentServer extends TestServer {
  /** Of its data. */
  readonly folder: string;
  /** The storage itself, beside the server. */
  readonly storage: Storage;
  /** The keys of all stored files. */
  keys(): string[];
  /** From now on no file can be stored or read. */
  breakStorage(): Promise<void>;
}

type Options = Parameters<typeof startTestServer>[2];

/** A server whose files are in a folder of their own, which goes with the test. */
export async function startDocumentServer(
  environment: Record<string, string> = {},
  options: Options = {},
): Promise<DocumentServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'patchbay-documents-'));
  cleanUp(async () => rmSync(folder, { recursive: true, force: true }));
  const documents = path.join(folder, 'documents');
  const server = await startTestServer({ DATA_DIR: folder, ...environment }, undefined, options);
  return {
    ...server,
    folder,
    storage: createStorage({ folder: documents, bucket: null, clock: server.clock }),
    keys: () => filesBelow(documents),
    async breakStorage() {
      // Where the folder of the storage belongs lies a file.
      rmSync(documents, { recursive: true, force: true });
      writeFileSync(documents, '');
    },
  };
}

/** A server whose files are in a bucket of its own. */
async function startBucketDocumentServer(
  environment: Record<string, string> = {},
  options: Options = {},
): Promise<DocumentServer> {
  const bucket = await startS3Server();
  const server = await startDocumentServer({ ...bucket.environment, ...environment }, options);
  const { endpoint, accessKeyId, secretAccessKey } = bucket;
  const storage = createStorage({
    folder: path.join(server.folder, 'beside'),
    bucket: { name: bucket.bucket, endpoint, region: 'us-east-1', accessKeyId, secretAccessKey },
    clock: server.clock,
  });
  return { ...server, storage, keys: bucket.keys, breakStorage: bucket.stop };
}

/** What must hold wherever the files are: for `describe.each`. */
export const storages = [
  ['a folder', startDocumentServer],
  ['a bucket', startBucketDocumentServer],
] as const;

export type Upload = (
  content: string | Buffer,
  fields?: Record<string, string>,
  options?: {
    fileName?: string;
    path?: string;
    method?: string;
    field?: string;
    type?: string;
    headers?: Record<string, string>;
  },
) => Promise<Answer>;

/** Uploads files as a browser does. */
export function uploaderOf({ base }: Pick<TestServer, 'base'>, secret: string | null): Upload {
  return async (content, fields = {}, options = {}) => {
    const { fileName = 'notes.txt', path: where = '/api/documents/upload', method = 'POST', field = 'file' } = options;
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(field, new Blob([Buffer.from(content)], { type: options.type ?? 'text/plain' }), fileName);
    const response = await fetch(base + where, {
      method,
      body: form,
      headers: { ...(secret !== null && { Authorization: `Bearer ${secret}` }), ...options.headers },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined, text };
  };
}

/** A tenant that uploads. */
export async function libraryOf(server: TestServer, key: Parameters<typeof tenantOf>[1] = {}) {
  const tenant = await tenantOf(server, key);
  return { ...tenant, upload: uploaderOf(server, tenant.secret) };
}

/** Reads all documents that are due, as a worker does. */
export async function ingest(server: Pick<TestServer, 'services' | 'database'>): Promise<void> {
  const rows = await server.database.query<{ document_uuid: string }>({
    text: 'SELECT DISTINCT document_uuid FROM document_versions WHERE due_at IS NOT NULL',
  });
  for (const { document_uuid } of rows) await server.services.documents.ingestion.settle(document_uuid);
}
