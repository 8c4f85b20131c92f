import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { libraryOf, storages } from './document-stage.ts';

/** How often a kind of difference was counted. */
async function metricOf({ base }: { base: string }, kind: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(
    new RegExp(`^patchbay_document_storage_differences_total\\{kind="${kind}"\\} (\\d+)`, 'm').exec(text)?.[1],
  );
}

const dayMs = 86_400_000;
const strange = `aa/aa${'0'.repeat(37)}1`;

describe.each(storages)('the comparison of the storage, over %s', verifies('documents.comparison'), (_name, start) => {
  async function stage() {
    const server = await start();
    const { documents } = server.services;
    const tenant = await libraryOf(server);
    const write = (key: string) => server.storage.write(key, Readable.from([Buffer.from('x')]));
    /** Compares all parts. */
    const compareAll = async () => {
      let differences = 0;
      for (let part = 0; part < 256; part++)
        differences += await documents.files.compare(part.toString(16).padStart(2, '0'));
      return differences;
    };
    /** From now on files that are stored now are older than a day. The storage has a clock of its own. */
    const age = async (milliseconds = dayMs + 60_000) => {
      await write('aa/now');
      for await (const { key, modifiedAt } of server.storage.list('aa'))
        if (key === 'aa/now') server.clock.set(new Date(modifiedAt.getTime() + milliseconds));
      await server.storage.remove('aa/now');
    };
    return { server, documents, tenant, write, compareAll, age };
  }

  it('removes a file without a row after a day, and leaves all others', async () => {
    const { server, tenant, write, compareAll, age } = await stage();
    const { documentId } = (await tenant.upload('The text.')).body;
    await write(strange);
    await write('aa/readme');
    await age(dayMs - 60_000);
    expect(await compareAll()).toBe(0);
    expect(server.keys()).toContain(strange);
    await age();
    expect(await compareAll()).toBe(1);
    expect(server.keys()).not.toContain(strange);
    expect(server.keys()).toContain('aa/readme');
    expect((await tenant.call('GET', `/api/library/download/${documentId}`)).status).toBe(200);
    expect(await compareAll()).toBe(0);
    expect(await metricOf(server, 'file_without_row')).toBe(1);
  });

  it('marks the versions of a row without a file after a day, once, and says so to the profile', async () => {
    const { server, tenant, documents, compareAll } = await stage();
    const { documentId } = (await tenant.upload('The text.')).body;
    await documents.ingestion.settle(documentId);
    const [key = ''] = server.keys();
    await server.storage.remove(key);
    server.clock.advance(dayMs - 1);
    expect(await compareAll()).toBe(0);
    server.clock.advance(1);
    expect(await compareAll()).toBe(1);
    expect(await compareAll()).toBe(0);
    expect((await tenant.call('GET', `/api/documents/${documentId}`)).body.document).toMatchObject({
      status: 'failed',
      failureCode: 'FILE_MISSING',
      failureReason: 'The file of the document is missing from the storage. Upload it again.',
      indexedVersion: 1,
    });
    const download = await tenant.call('GET', `/api/library/download/${documentId}`);
    expect([download.status, download.body.error.message]).toEqual([
      404,
      'The file of the document is missing from the storage. Upload it again.',
    ]);
    const { notifications } = (await tenant.call('GET', '/api/notifications')).body;
    expect(notifications).toMatchObject([{ type: 'document_rag_failed', metadata: { code: 'FILE_MISSING' } }]);
    const events = await server.database.query({
      text: "SELECT 1 FROM outbox_events WHERE type = 'document.failed'",
    });
    expect(events).toHaveLength(1);
    expect(await metricOf(server, 'row_without_file')).toBe(1);
    const again = await tenant.upload('Again.', {}, { path: `/api/documents/${documentId}/file`, method: 'PUT' });
    expect(again.status).toBe(200);
    await documents.ingestion.settle(documentId);
    expect((await tenant.call('GET', `/api/documents/${documentId}`)).body.document.status).toBe('ready');
  });

  it('does nothing in the storage of another installation, nor where the mark is gone', async () => {
    const { server, tenant, write, compareAll, age } = await stage();
    await tenant.upload('The text.');
    await write(strange);
    expect(await compareAll()).toBe(0);
    await age();
    await server.storage.remove('installation');
    const before = server.keys();
    expect(await compareAll()).toBe(0);
    expect(server.keys()).toEqual(before);
    await write('installation');
    expect(await compareAll()).toBe(0);
    expect(server.keys()).toEqual([...before, 'installation'].sort());
    expect(await metricOf(server, 'other_installation')).toBe(512);
    expect((await tenant.call('GET', '/api/documents')).body.documents).toMatchObject([{ failureCode: null }]);
  });

  it('comes to every part within a day', async () => {
    const { server, documents, tenant, write, age } = await stage();
    await tenant.upload('The text.');
    await write(strange);
    await age();
    const times = (dayMs - 1) / 300_000;
    for (let time = 0; time < times; time++) {
      await documents.files.compare();
      server.clock.advance(300_000);
    }
    expect(server.keys()).not.toContain(strange);
  });
});
