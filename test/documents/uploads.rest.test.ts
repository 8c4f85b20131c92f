import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { formWithFile } from '../support/route-requests.ts';
import type { Call } from '../support/server.ts';
import { type DocumentServer, libraryOf, storages, type Upload, uploaderOf } from './document-stage.ts';

describe.each(storages)('over %s', (_name, start) => {
  let server: DocumentServer;
  let call: Call;
  let upload: Upload;
  let secret: string;

  beforeAll(async () => {
    server = await start({ DOCUMENT_STORAGE_MB: '1' });
    ({ call, upload, secret } = await libraryOf(server));
  });

  const stored = () => server.keys();

  const rows = async (of = server) =>
    (await of.database.query<{ count: number }>({ text: 'SELECT count(*)::int AS count FROM document_files' }))[0]
      ?.count;

  const send = (body: BodyInit, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${server.base}/api/documents/upload`, {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${secret}`, ...headers },
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      ...(signal && { signal }),
    } as RequestInit);

  const multipart = { 'Content-Type': 'multipart/form-data; boundary=limit' };
  const head = '--limit\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\n';

  describe('an upload that cannot be taken', () => {
    it('names its mistakes, and leaves nothing (H06)', verifies('documents.upload.input'), async () => {
      const before = [stored().length, await rows()];
      const wrong = { title: ' ', tags: 'x'.repeat(60), visibility: 'x' };
      const refused = await upload('x', wrong);
      expect([refused.status, Object.keys(refused.body.error.details).sort()]).toEqual([
        400,
        ['tags.0', 'title', 'visibility'],
      ]);
      expect((await upload('x', {}, { field: 'avatar' })).body.error.details).toEqual({
        avatar: 'The file must be the field "file"',
      });
      const none = await send(
        formWithFile({}).body.replaceAll('name="file"; filename="x.txt"', 'name="other"'),
        multipart,
      );
      expect((await none.json()).error.details).toEqual({ file: 'file is required' });
      const two = formWithFile({}).body.replace(
        '--limit--',
        `${head.slice(2)}x\r\n--limit--`.replace('limit', '--limit'),
      );
      expect((await send(two, multipart)).status).toBe(400);
      expect((await send('{}', { 'Content-Type': 'application/json' })).status).toBe(415);
      expect((await send('x', multipart)).status).toBe(400);
      const nul = formWithFile({}).body.replace('x.txt', 'x\u0000.txt');
      expect((await send(nul, multipart)).status).toBe(400);
      expect((await upload('x', { documentId: 'x' })).status).toBe(404);
      expect((await upload('x', {}, { path: '/api/documents/x/file', method: 'PUT' })).status).toBe(404);
      expect([stored().length, await rows()]).toEqual(before);
    });

    it(
      'is refused before its body is read: without a key, or with one that may only read',
      verifies('documents.upload.input'),
      async () => {
        const { secret: reading } = await libraryOf(server, { scopes: ['read'] });
        let pulled = 0;
        const endless = () =>
          new ReadableStream({
            async pull(controller) {
              pulled += 1;
              if (pulled > 200) return controller.close();
              controller.enqueue(Buffer.alloc(64 * 1024, 'x'));
              await delay(1);
            },
          });
        for (const [key, status] of [
          ['pbk_wrong', 401],
          [reading, 403],
        ] as const) {
          const response = await send(endless(), { ...multipart, Authorization: `Bearer ${key}` });
          expect(response.status).toBe(status);
          await response.text();
        }
        expect(await rows()).toBe(stored().length);
      },
    );

    it(
      'is refused when the storage of the profile is full, before its body is read',
      verifies('documents.quota'),
      async () => {
        const { upload: other, call: ask } = await libraryOf(server);
        const first = await other(Buffer.alloc(900_000, 'x'));
        expect(first.status).toBe(200);
        const refused = await other(Buffer.alloc(200_000, 'y'));
        expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT']);
        await ask('DELETE', `/api/documents/${first.body.documentId}`);
        expect((await other(Buffer.alloc(200_000, 'y'))).status).toBe(409);
        await ask('DELETE', `/api/documents/${first.body.documentId}?permanent=true`);
        expect((await other(Buffer.alloc(200_000, 'y'))).status).toBe(200);
        expect((await ask('GET', '/api/rag/storage-stats')).body).toMatchObject({
          documents: 1,
          bytes: 200_000,
          bytesMax: 1_000_000,
        });
      },
    );

    it(
      'is refused over the number of documents, and over the bytes also by uploads at once',
      verifies('documents.quota'),
      async () => {
        const small = await start({ DOCUMENT_STORAGE_MB: '1', DOCUMENTS_MAX: '2' });
        const { upload: other, call: ask } = await libraryOf(small);
        const large = Array.from({ length: 3 }, (_, index) => other(Buffer.alloc(400_000, String(index))));
        expect((await Promise.all(large)).map(({ status }) => status).sort()).toEqual([200, 200, 409]);
        const refused = await other('x');
        expect([refused.status, refused.body.error.message]).toEqual([
          409,
          'A profile can have at most 2 documents; delete some permanently',
        ]);
        const { total, documents } = (await ask('GET', '/api/documents')).body;
        expect(total).toBe(2);
        // A version of a document is no document more.
        expect(await other('y', { documentId: documents[0].id })).toMatchObject({
          status: 200,
          body: { document: { version: 2 } },
        });
        const third = await libraryOf(small);
        const wide = Array.from({ length: 2 }, (_, index) => third.upload(Buffer.alloc(600_000, String(index))));
        expect((await Promise.all(wide)).map(({ status }) => status).sort()).toEqual([200, 409]);
        expect(small.keys()).toHaveLength(4);
      },
    );

    it(
      'is refused by its announced size, before a byte of its body is sent',
      verifies('documents.upload.input', 'documents.quota'),
      async () => {
        const { port } = new URL(server.base);
        const { secret: reading } = await libraryOf(server, { scopes: ['read'] });
        for (const [key, bytes, status, code] of [
          [secret, 101 * 1024 * 1024, 413, 'TOO_LARGE'],
          [secret, 2_000_000, 409, 'CONFLICT'],
          [reading, 1_000, 403, 'FORBIDDEN'],
        ] as const) {
          const headers = { Authorization: `Bearer ${key}`, ...multipart, 'Content-Length': bytes };
          const sending = request({ port, method: 'POST', path: '/api/documents/upload', headers });
          sending.on('error', () => undefined);
          sending.flushHeaders();
          const [response] = (await once(sending, 'response')) as [IncomingMessage];
          expect([response.statusCode, await json(response)]).toMatchObject([status, { error: { code } }]);
          sending.destroy();
        }
      },
    );

    it('leaves no file when its client goes away (H08)', verifies('documents.orphans'), async () => {
      const before = [stored().length, await rows()];
      const abort = new AbortController();
      const body = new ReadableStream({
        async start(controller) {
          controller.enqueue(Buffer.from(head));
          for (let part = 0; part < 5; part++) controller.enqueue(Buffer.alloc(60_000, 'x'));
          await delay(200);
          abort.abort();
        },
      });
      await expect(send(body, multipart, abort.signal)).rejects.toThrow();
      await expect.poll(async () => [stored().length, await rows()], { timeout: 10_000 }).toEqual(before);
    });

    it('is 503 when it cannot be stored, and leaves no row (H08)', verifies('documents.orphans'), async () => {
      const broken = await start();
      await broken.breakStorage();
      const { upload: other } = await libraryOf(broken);
      const { status, body } = await other('x'.repeat(100_000));
      expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
      const events = await broken.database.query({ text: "SELECT 1 FROM outbox_events WHERE type LIKE 'document.%'" });
      expect(events).toEqual([]);
    });

    it(
      'that a crash left behind is removed by the job after an hour (H08)',
      verifies('documents.orphans'),
      async () => {
        const { caller } = await libraryOf(server);
        const before = stored().length;
        const { documents } = server.services;
        await documents.uploads.receive(caller, { fileName: 'x.txt', content: Readable.from([Buffer.from('x')]) });
        expect(stored().length).toBe(before + 1);
        expect(await documents.files.removeUnused()).toBe(0);
        server.clock.advance(3_600_001);
        expect(await documents.files.removeUnused()).toBe(1);
        expect(stored().length).toBe(before);
        expect(await rows()).toBe(before);
      },
    );
  });

  describe('a received file', () => {
    it(
      'becomes one document, of the profile that has sent it',
      verifies('documents.upload.input', 'access.tenants'),
      async () => {
        const [own, other] = [await libraryOf(server), await libraryOf(server)];
        const { fileUuid } = (await own.upload('x', {}, { path: '/api/documents/files' })).body;
        const { uploads } = server.services.documents;
        await expect(uploads.create(other.caller, { fileUuid })).rejects.toMatchObject({
          details: { fileUuid: 'fileUuid is not a received file' },
        });
        const both = await Promise.allSettled([
          uploads.create(own.caller, { fileUuid }),
          uploads.create(own.caller, { fileUuid }),
        ]);
        expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect((await own.call('GET', '/api/documents')).body.total).toBe(1);
      },
    );

    it('that a version has is not removed, even where it is marked for it', verifies('documents.orphans'), async () => {
      const tenant = await libraryOf(server);
      const { documentId } = (await tenant.upload('kept')).body;
      await server.database.query({ text: "UPDATE document_files SET removable_at = '-infinity'" });
      await server.services.documents.files.removeUnused();
      expect((await tenant.call('GET', `/api/library/download/${documentId}`)).text).toBe('kept');
    });

    it('stays as a row until it is removed, also when the storage fails', verifies('documents.orphans'), async () => {
      const broken = await start();
      const { caller } = await libraryOf(broken);
      const { documents } = broken.services;
      await documents.uploads.receive(caller, { fileName: 'x.txt', content: Readable.from([Buffer.from('x')]) });
      await broken.breakStorage();
      broken.clock.advance(3_600_001);
      expect(await documents.files.removeUnused()).toBe(0);
      expect(await rows(broken)).toBe(1);
    });
  });

  describe('the name of a file', () => {
    it.each([
      ['../../etc/passwd', '../../etc/passwd'],
      ['a\tb\u2028c.txt', 'a b c.txt'],
      ['<b>.md', '<b>.md'],
      [`${'n'.repeat(5_000)}.txt`, `${'n'.repeat(250)}….txt`],
      ['..', '..'],
    ])('is data and no path: %j (H06)', verifies('documents.names'), async (given, shown) => {
      const body = formWithFile({}).body.replace('filename="x.txt"', `filename="${given}"`);
      const response = await send(body, multipart);
      const { document } = await response.json();
      expect([response.status, document?.fileName]).toEqual([200, shown]);
      for (const key of stored()) expect(key).toMatch(/^([0-9a-f]{2})\/\1[0-9a-f]{38}$/);
      const file = await fetch(`${server.base}/api/library/download/${document.id}`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      expect(file.headers.get('content-disposition')).not.toMatch(/[/\\]|filename="\./);
      expect(await file.text()).toBe('The first line.');
    });
  });

  describe('a file that cannot be read', () => {
    it(
      'is kept with a reason, notifies the profile, and delays no other (H06)',
      verifies('documents.failed'),
      async () => {
        const tenant = await libraryOf(server);
        const bad = (await tenant.upload(Buffer.from([0, 1, 2, 3, 250, 0, 0, 9]), {}, { fileName: 'x.pdf' })).body
          .documentId;
        const empty = (await tenant.upload('')).body.documentId;
        const good = (await tenant.upload('Words.')).body.documentId;
        for (const id of [bad, empty, good]) await server.services.documents.ingestion.settle(id);
        const of = async (id: string) => (await tenant.call('GET', `/api/documents/${id}`)).body.document;
        expect(await of(bad)).toMatchObject({ status: 'failed', failureReason: expect.stringMatching(/\.$/) });
        expect(await of(empty)).toMatchObject({ status: 'failed', failureCode: 'EMPTY' });
        expect(await of(good)).toMatchObject({ status: 'ready', failureReason: null });
        const { notifications } = (await tenant.call('GET', '/api/notifications')).body;
        expect(notifications.map(({ type }: { type: string }) => type)).toEqual([
          'document_rag_failed',
          'document_rag_failed',
        ]);
        const download = await tenant.call('GET', `/api/library/download/${bad}`);
        expect(download.status).toBe(200);
        await tenant.call('POST', `/api/documents/${bad}/reindex`);
        expect(await of(bad)).toMatchObject({ status: 'received', failureReason: null });
      },
    );
  });

  describe('the same content again', () => {
    it('is stored, and the older document is named', verifies('documents.duplicates'), async () => {
      const tenant = await libraryOf(server);
      const first = (await tenant.upload('The same.')).body;
      expect(first.duplicateOf).toBeNull();
      expect((await tenant.upload('The same.')).body.duplicateOf).toBe(first.documentId);
      expect((await upload('The same.')).body.duplicateOf).toBeNull();
    });
  });

  describe('a profile that is deleted', () => {
    it('takes its files along', verifies('documents.removal'), async () => {
      const { user } = await libraryOf(server);
      const { auth } = server.services;
      const profile = await auth.profiles.create(user, { name: 'short-lived' });
      const { secret: key } = await auth.apiKeys.create(user, { name: 'x', profileUuid: profile.uuid });
      const before = stored().length;
      await uploaderOf(server, key)('x');
      expect(stored().length).toBe(before + 1);
      await auth.removal.removeProfile(user, { uuid: profile.uuid });
      expect(stored().length).toBe(before);
      expect(await call('GET', '/api/documents')).toBeDefined();
    });
  });
});
