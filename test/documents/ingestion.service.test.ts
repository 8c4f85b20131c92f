import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import type { TestServer } from '../support/server.ts';
import { libraryOf, startDocumentServer } from './document-stage.ts';

let server: TestServer & { folder: string };
let tenant: Awaited<ReturnType<typeof libraryOf>>;

beforeAll(async () => {
  server = await startDocumentServer();
  tenant = await libraryOf(server);
});

const statusOf = async (id: string) => (await tenant.call('GET', `/api/documents/${id}`)).body.document;
const uploaded = async (text = 'Words of a document.') => (await tenant.upload(text)).body.documentId as string;
const versionsOf = (id: string) =>
  server.database.query<{ attempts: number; due_at: Date | null }>({
    text: 'SELECT attempts, due_at FROM document_versions WHERE document_uuid = $1',
    values: [id],
  });

/** Runs work while the storage is away. */
async function withoutStorage(work: () => Promise<void>): Promise<void> {
  const folder = path.join(server.folder, 'documents');
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, '');
  await work();
  rmSync(folder);
  renameSync(`${folder}-away`, folder);
}

describe('the ingestion of a document', () => {
  it('is tried again with growing pauses after a fault of the platform', verifies('documents.ingestion'), async () => {
    const { ingestion } = server.services.documents;
    const id = await uploaded();
    await withoutStorage(async () => {
      await ingestion.settle(id);
      const [first] = await versionsOf(id);
      expect([first?.attempts, Number(first?.due_at) - server.clock.now().getTime()]).toEqual([1, 10_000]);
      expect(await statusOf(id)).toMatchObject({ status: 'received', failureReason: expect.any(String) });
      // Not before it is due.
      await ingestion.settle(id);
      expect((await versionsOf(id))[0]?.attempts).toBe(1);
      server.clock.advance(10_000);
      await ingestion.settle(id);
      const [second] = await versionsOf(id);
      expect([second?.attempts, Number(second?.due_at) - server.clock.now().getTime()]).toEqual([2, 20_000]);
    });
    server.clock.advance(20_000);
    await ingestion.settle(id);
    expect(await statusOf(id)).toMatchObject({ status: 'ready', failureReason: null });
  });

  it('fails in the end, keeps its file, and can be started again', verifies('documents.ingestion'), async () => {
    const { ingestion } = server.services.documents;
    const id = await uploaded();
    await withoutStorage(async () => {
      for (let attempt = 0; attempt < 8; attempt++) {
        await ingestion.settle(id);
        server.clock.advance(3_600_000);
      }
    });
    expect(await statusOf(id)).toMatchObject({ status: 'failed', failureCode: 'UNAVAILABLE' });
    await tenant.call('POST', `/api/documents/${id}/reindex`);
    await ingestion.settle(id);
    expect(await statusOf(id)).toMatchObject({ status: 'ready' });
  });

  it('is taken up by another worker when its worker has ended', verifies('documents.ingestion'), async () => {
    const { ingestion } = server.services.documents;
    const id = await uploaded();
    // As a worker leaves it that is killed: taken for a minute.
    const taken = new Date(server.clock.now().getTime() + 60_000);
    await server.database.query({
      text: `UPDATE document_versions SET status = 'indexing', started_at = $2, due_at = $3 WHERE document_uuid = $1`,
      values: [id, server.clock.now(), taken],
    });
    await ingestion.settle(id);
    expect(await ingestion.sendOverdue()).toBe(0);
    expect(await statusOf(id)).toMatchObject({ status: 'indexing' });
    server.clock.advance(60_000);
    expect(await ingestion.sendOverdue()).toBe(1);
    await ingestion.settle(id);
    expect(await statusOf(id)).toMatchObject({ status: 'ready' });
  });

  it('is done once by two workers at a time', verifies('documents.ingestion'), async () => {
    const { ingestion } = server.services.documents;
    const id = await uploaded();
    await Promise.all([ingestion.settle(id), ingestion.settle(id)]);
    expect((await versionsOf(id))[0]).toEqual({ attempts: 0, due_at: null });
    const [texts] = await server.database.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM document_texts t JOIN document_versions v ON v.id = t.version_id WHERE v.document_uuid = $1`,
      values: [id],
    });
    expect(texts?.count).toBe(1);
  });
});

describe('a deleted document', () => {
  it('can be restored for 30 days, and is then removed with its file', verifies('documents.deletion'), async () => {
    const { changes } = server.services.documents;
    const id = await uploaded();
    await tenant.call('DELETE', `/api/documents/${id}`);
    for (const gone of [`/api/documents/${id}`, `/api/library/download/${id}`, `/api/documents/${id}/versions`])
      expect((await tenant.call('GET', gone)).status, gone).toBe(404);
    const deleted = (await tenant.call('GET', '/api/documents?isDeleted=true')).body.documents;
    expect(deleted).toMatchObject([{ id, deletedAt: server.clock.now().toISOString() }]);
    server.clock.advance(30 * 86_400_000 - 1);
    expect(await changes.purge()).toBe(0);
    server.clock.advance(1);
    expect((await tenant.call('POST', `/api/documents/${id}/restore`)).status).toBe(404);
    expect(await changes.purge()).toBe(1);
    expect((await tenant.call('GET', `/api/documents/${id}`)).status).toBe(404);
    const files = await server.database.query({
      text: 'SELECT 1 FROM document_files f WHERE NOT EXISTS (SELECT FROM document_versions v WHERE v.storage_key = f.storage_key)',
    });
    expect(files).toEqual([]);
  });

  it('is an event, as its creation was', verifies('documents.deletion'), async () => {
    const id = await uploaded();
    await tenant.call('DELETE', `/api/documents/${id}`);
    const rows = await server.database.query<{ type: string; data: string }>({
      text: `SELECT type, data FROM outbox_events WHERE type LIKE 'document.%' AND data LIKE '%' || $1 || '%' ORDER BY seq`,
      values: [id],
    });
    expect(rows.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
      ['document.created', { document_id: id, profile_uuid: tenant.caller.principal?.profileUuid }],
      ['document.deleted', { document_id: id }],
    ]);
  });
});
