import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import type { Call } from '../support/server.ts';
import { type DocumentServer, ingest, libraryOf, storages, type Upload } from './document-stage.ts';

describe.each(storages)('over %s', (_name, start) => {
  let server: DocumentServer;
  let call: Call;
  let upload: Upload;
  let secret: string;

  beforeAll(async () => {
    server = await start();
    ({ call, upload, secret } = await libraryOf(server));
  });

  const download = (id: string, headers: Record<string, string> = {}, query = '') =>
    fetch(`${server.base}/api/library/download/${id}${query}`, {
      headers: { Authorization: `Bearer ${secret}`, ...headers },
    });

  describe('a document', () => {
    it(
      'is uploaded, listed, read, and downloaded as it came',
      verifies('documents.upload', 'documents.list', 'documents.download'),
      async () => {
        const { status, body } = await upload('The first line.\nThe second line.\n', { title: 'Notes', tags: 'a, b' });
        expect(status, JSON.stringify(body)).toBe(200);
        expect(body).toEqual({
          success: true,
          documentId: body.document.id,
          duplicateOf: null,
          document: {
            id: expect.any(String),
            title: 'Notes',
            description: null,
            fileName: 'notes.txt',
            fileSize: 33,
            mimeType: 'text/plain',
            source: 'upload',
            tags: ['a', 'b'],
            visibility: 'private',
            version: 1,
            indexedVersion: null,
            status: 'received',
            failureCode: null,
            failureReason: null,
            progress: 0,
            remainingSeconds: 3,
            createdAt: server.clock.now().toISOString(),
            updatedAt: server.clock.now().toISOString(),
            deletedAt: null,
            modelAttributions: [],
          },
        });
        const id = body.documentId;
        const list = (await call('GET', '/api/documents')).body;
        expect(list).toEqual({ documents: [body.document], total: 1, limit: 20, offset: 0 });
        expect((await call('GET', `/api/documents/${id}`)).body).toEqual({ success: true, document: body.document });
        const response = await download(id);
        expect(response.status).toBe(200);
        expect(await response.text()).toBe('The first line.\nThe second line.\n');
        await ingest(server);
        expect((await call('GET', `/api/documents/${id}`)).body.document).toMatchObject({
          status: 'ready',
          progress: 100,
          indexedVersion: 1,
          remainingSeconds: null,
        });
      },
    );

    it(
      'is downloaded in parts, as an attachment that no browser shows (H07)',
      verifies('documents.download'),
      async () => {
        const html = '<script>alert(1)</script>';
        const { documentId } = (await upload(html, {}, { fileName: 'página "x".html', type: 'text/html' })).body;
        const whole = await download(documentId);
        expect(Object.fromEntries(whole.headers)).toMatchObject({
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="p_gina _x_.html"; filename*=UTF-8''p%C3%A1gina%20%22x%22.html`,
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'accept-ranges': 'bytes',
          'content-length': String(html.length),
          etag: `"${createHash('sha256').update(html).digest('hex')}"`,
        });
        const etag = String(whole.headers.get('etag'));
        const part = await download(documentId, { Range: 'bytes=1-6' });
        expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
          206,
          `bytes 1-6/${html.length}`,
          'script',
        ]);
        expect(await (await download(documentId, { Range: 'bytes=-9' })).text()).toBe('</script>');
        const beyond = await download(documentId, { Range: 'bytes=100-' });
        expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${html.length}`]);
        expect((await download(documentId, { 'If-None-Match': etag })).status).toBe(304);
        expect((await download(documentId, { Range: 'bytes=0-0', 'If-Range': '"other"' })).status).toBe(200);
        const { call: other } = await libraryOf(server);
        const foreign = await other('GET', `/api/library/download/${documentId}`);
        expect([foreign.status, foreign.body]).toEqual([
          404,
          { error: { code: 'NOT_FOUND', message: 'Document not found' } },
        ]);
      },
    );

    it(
      'shows others what its visibility says, and its file to none of them',
      verifies('documents.visibility'),
      async () => {
        const { documentId } = (await upload('x', { title: 'Shared' })).body;
        const other = await libraryOf(server);
        const path = `/api/documents/${documentId}`;
        expect((await other.call('GET', path)).status).toBe(404);
        await call('PATCH', path, { visibility: 'workspace' });
        expect((await other.call('GET', path)).status).toBe(404);
        await call('PATCH', path, { visibility: 'public' });
        expect((await other.call('GET', path)).body.document).toMatchObject({ title: 'Shared', visibility: 'public' });
        for (const hidden of [`/api/library/download/${documentId}`, `${path}/versions`])
          expect((await other.call('GET', hidden)).status, hidden).toBe(404);
        for (const [method, body] of [
          ['PATCH', { title: 'taken' }],
          ['DELETE', undefined],
        ] as const)
          expect((await other.call(method, path, body)).status, method).toBe(404);
        expect((await other.call('GET', '/api/documents')).body.total).toBe(0);
      },
    );

    it('of an AI model has an attribution, is 201, and the profile is notified', verifies('documents.ai'), async () => {
      const tenant = await libraryOf(server);
      const model = { provider: 'example', name: 'example-model' };
      const answer = await tenant.call('POST', '/api/documents/ai', { title: 'Notes', content: '# Notes', model });
      expect(answer.status).toBe(201);
      expect(answer.body.document).toMatchObject({
        source: 'ai_generated',
        fileName: 'Notes.md',
        mimeType: 'text/markdown',
        modelAttributions: [{ modelProvider: 'example', modelName: 'example-model', contribution: 'created' }],
      });
      const { notifications } = (await tenant.call('GET', '/api/notifications')).body;
      expect(notifications).toMatchObject([
        { type: 'document_created_ai', metadata: { document_id: answer.body.documentId } },
      ]);
      const found = (await tenant.call('GET', '/api/documents?source=ai_generated&search=NOTES')).body;
      expect(found.total).toBe(1);
      expect((await tenant.call('GET', '/api/documents?source=upload')).body.total).toBe(0);
      expect((await tenant.call('GET', '/api/documents?search=other')).body.total).toBe(0);
    });
  });
});
