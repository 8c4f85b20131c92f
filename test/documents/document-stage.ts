import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cleanUp } from '../support/cleanup.ts';
import { type Answer, startTestServer, type TestServer, tenantOf } from '../support/server.ts';

/** A server whose files are in a folder of their own, which goes with the test. */
export async function startDocumentServer(
  environment: Record<string, string> = {},
  options: Parameters<typeof startTestServer>[2] = {},
): Promise<TestServer & { folder: string }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'patchbay-documents-'));
  cleanUp(async () => rmSync(folder, { recursive: true, force: true }));
  return { ...(await startTestServer({ DATA_DIR: folder, ...environment }, undefined, options)), folder };
}

export type Upload = (
  content: string | Buffer,
  fields?: Record<string, string>,
  options?: { fileName?: string; path?: string; method?: string; field?: string; type?: string },
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
      headers: secret === null ? {} : { Authorization: `Bearer ${secret}` },
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
