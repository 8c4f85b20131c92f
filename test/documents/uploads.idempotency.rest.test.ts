import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { libraryOf, storages } from './document-stage.ts';

describe.each(storages)(
  'an upload with an Idempotency-Key, over %s',
  verifies('documents.upload.idempotency'),
  (_name, start) => {
    async function stage(environment: Record<string, string> = {}) {
      const server = await start(environment);
      const tenant = await libraryOf(server);
      const keyed = (key: string, more = {}) => ({ headers: { 'Idempotency-Key': key }, ...more });
      /** Documents, rows of files, and stored files. */
      const counts = async () => [
        (await tenant.call('GET', '/api/documents')).body.total,
        (await server.database.query({ text: 'SELECT FROM document_files' })).length,
        server.keys().length,
      ];
      return { server, ...tenant, keyed, counts };
    }

    it('is stored once for the same file and fields, and answered alike', async () => {
      const { upload, keyed, counts } = await stage();
      const first = await upload('The text.', { title: 'Notes' }, keyed('a'));
      expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
      const again = await upload('The text.', { title: 'Notes' }, keyed('a'));
      expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([200, 'true', first.text]);
      expect(await counts()).toEqual([1, 1, 1]);
      expect((await upload('The text.', { title: 'Notes' }, keyed('b'))).body.documentId).not.toBe(
        first.body.documentId,
      );
      expect(await counts()).toEqual([2, 2, 2]);
    });

    it('is 422 for other bytes, another name of the file, or other fields, and leaves nothing of them', async () => {
      const { upload, keyed, counts } = await stage();
      await upload('The text.', {}, keyed('a'));
      for (const other of [
        await upload('The tixt.', {}, keyed('a')),
        await upload('The text.', {}, keyed('a', { fileName: 'other.txt' })),
        await upload('The text.', { title: 'Notes' }, keyed('a')),
      ])
        expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(await counts()).toEqual([1, 1, 1]);
    });

    it('is answered alike when the storage is full meanwhile; a new one is 409 and leaves nothing', async () => {
      const { upload, keyed, counts } = await stage({ DOCUMENT_STORAGE_MB: '1' });
      const large = Buffer.alloc(900_000, 'x');
      const first = await upload(large, {}, keyed('a'));
      expect((await upload(large, {}, keyed('a'))).text).toBe(first.text);
      const refused = await upload(large, {}, keyed('b'));
      expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT']);
      expect(await counts()).toEqual([1, 1, 1]);
    });

    it('may be tried again with its key after a refusal, and after one that is still running', async () => {
      const { upload, keyed, counts } = await stage();
      expect((await upload('x', { title: ' ' }, keyed('a'))).status).toBe(400);
      const both = await Promise.all([upload('x', {}, keyed('a')), upload('x', {}, keyed('a'))]);
      for (const { status } of both) expect([200, 409]).toContain(status);
      const last = await upload('x', {}, keyed('a'));
      expect([last.status, last.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(await counts()).toEqual([1, 1, 1]);
      expect((await upload('x', {}, keyed('two words'))).status).toBe(400);
      expect(await counts()).toEqual([1, 1, 1]);
    });

    it('leaves neither file nor row of a text whose document could not be made', async () => {
      const { server, call, keyed, counts } = await stage();
      await server.database.query({ text: 'ALTER TABLE document_versions RENAME TO document_versions_gone' });
      const text = { title: 'Notes', content: 'The text.' };
      expect((await call('POST', '/api/documents/ai', text, keyed('a').headers)).status).toBe(500);
      await server.database.query({ text: 'ALTER TABLE document_versions_gone RENAME TO document_versions' });
      expect(await counts()).toEqual([0, 0, 0]);
      expect((await call('POST', '/api/documents/ai', text, keyed('a').headers)).status).toBe(201);
    });

    it('makes one version, and one received file', async () => {
      const { upload, call, keyed, counts } = await stage();
      const { documentId } = (await upload('one')).body;
      const version = keyed('a', { path: `/api/documents/${documentId}/file`, method: 'PUT' });
      const first = await upload('two', {}, version);
      expect((await upload('two', {}, version)).text).toBe(first.text);
      expect((await call('GET', `/api/documents/${documentId}/versions`)).body.versions).toHaveLength(2);
      const file = keyed('a', { path: '/api/documents/files' });
      const received = await upload('three', {}, file);
      expect((await upload('three', {}, file)).text).toBe(received.text);
      expect(await counts()).toEqual([1, 3, 3]);
    });
  },
);

describe.each(storages)('a file, over %s', verifies('documents.orphans'), (_name, start) => {
  it('that a document has is not discarded, also when the answer to its commit was lost', async () => {
    const server = await start();
    const { caller } = await libraryOf(server);
    const { uploads, downloads } = server.services.documents;
    const file = await uploads.receive(caller, { fileName: 'x.txt', content: Readable.from([Buffer.from('x')]) });
    const { document } = await uploads.create(caller, { fileUuid: file.uuid });
    await uploads.discard(caller, file);
    const content = await downloads.open(caller, { uuid: document.uuid, version: null });
    expect(String(await content.toArray())).toBe('x');
  });
});
