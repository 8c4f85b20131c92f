import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { hitsIn } from '../support/canaries.ts';
import { ingest, libraryOf, storages } from './document-stage.ts';
import { docxFiles, paragraph, zip } from './made-archives.ts';
import { pdf } from './made-pdfs.ts';

/** A word that search finds, too: no digits. */
const canary = () =>
  `canary${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => String.fromCharCode(97 + (byte % 26))).join('')}`;

describe.each(storages)('what documents hold, over %s', (_name, start) => {
  it(
    'stands in no log, no metric and no answer to another profile',
    verifies('documents.canaries', 'access.tenants'),
    async () => {
      const server = await start();
      const secrets = new Map(
        ['text', 'title', 'description', 'tag', 'file name', 'name in an archive', 'question', 'refused'].map(
          (name) => [name, canary()],
        ),
      );
      const of = (name: string) => secrets.get(name) as string;
      const [own, other] = [await libraryOf(server), await libraryOf(server)];
      const fields = { title: of('title'), description: of('description'), tags: of('tag'), visibility: 'private' };
      const named = { fileName: `${of('file name')}.txt` };
      const good = await own.upload(`The word is ${of('text')}.`, fields, named);
      expect(good.status).toBe(200);
      const id = good.body.documentId;
      const archive = (files: Record<string, string>) => zip({ ...docxFiles(paragraph(of('text'))), ...files });
      const broken = [
        archive({ [`../${of('name in an archive')}`]: 'x' }),
        archive({ 'word/document.xml': `<!DOCTYPE ${of('text')}><w:document>` }),
        archive({ 'word/document.xml': `<w:document><${of('text')}></w:oops>` }),
        Buffer.concat([Buffer.from(`%PDF-1.7 ${of('text')}`), pdf([[of('text')]]).subarray(200, 700)]),
        Buffer.from(`\u0000\u0001${of('text')}`),
      ];
      for (const bytes of broken) expect((await own.upload(bytes, fields, named)).status).toBe(200);
      expect(
        (await own.upload(`${of('refused')}`, { visibility: of('refused'), tags: `${of('refused')}${'x'.repeat(60)}` }))
          .status,
      ).toBe(400);
      expect((await own.upload('x', {}, { field: of('refused') })).status).toBe(400);
      const ai = { title: of('title'), content: of('text'), model: { provider: of('tag'), name: of('tag') } };
      expect((await own.call('POST', '/api/documents/ai', ai)).status).toBe(201);
      await ingest(server);
      expect((await own.call('GET', `/api/documents/${id}`)).body.document.status).toBe('ready');
      const statuses = (await own.call('GET', '/api/documents')).body.documents.map(
        ({ status }: { status: string }) => status,
      );
      expect(statuses.filter((status: string) => status === 'failed').length).toBeGreaterThan(3);

      const asked = [
        ['GET', `/api/documents?search=${of('question')}`],
        ['POST', '/api/documents/search', { query: `${of('question')} ${of('text')}` }],
        ['POST', '/api/rag/query', { query: of('question') }],
        ['GET', `/api/documents/grep?pattern=${of('question')}(`],
        ['GET', `/api/documents/grep?pattern=${of('text')}`],
        ['GET', `/api/documents/${id}/text`],
        ['PATCH', `/api/documents/${id}`, { title: of('title'), visibility: of('refused') }],
        ['GET', `/api/library/download/${id}`],
      ] as const;
      for (const [method, path, body] of asked) await own.call(method, path, body);
      const answers: [place: string, text: string][] = [];
      // The question is the other's own: it may stand in the answer.
      for (const [method, path, body] of asked.filter(([, path]) => path.includes(id)))
        answers.push([`${method} ${path}`, (await other.call(method, path, body && { title: 'x' })).text]);
      for (const path of [
        '/api/documents',
        '/api/documents?isDeleted=true',
        '/api/notifications',
        '/api/documents/grep?pattern=canary',
        '/api/rag/storage-stats',
      ])
        answers.push([path, (await other.call('GET', path)).text]);
      for (const path of ['/api/documents/search', '/api/rag/query'])
        answers.push([path, (await other.call('POST', path, { query: 'the word is canary' })).text]);
      const twin = await other.upload(`The word is ${of('text')}.`, {}, { fileName: 'twin.txt' });
      expect(twin.body.duplicateOf).toBeNull();
      answers.push(['the same content', twin.text]);
      const update = `mutation { documentUpdate(input: {uuid: "${id}", title: "x"}) { document { title } } }`;
      answers.push(['the graph', JSON.stringify(await other.graphql(update))]);

      // Faults: a table is away, then the storage.
      await server.database.query({ text: 'ALTER TABLE document_versions RENAME TO document_versions_gone' });
      for (const tenant of [own, other])
        answers.push(['without a table', (await tenant.upload(of('refused'), fields, named)).text]);
      expect((await own.call('POST', '/api/documents/ai', ai)).status).toBe(500);
      await server.database.query({ text: 'ALTER TABLE document_versions_gone RENAME TO document_versions' });
      await server.breakStorage();
      expect((await own.upload(of('refused'), fields, named)).status).toBe(503);
      expect((await own.call('GET', `/api/library/download/${id}`)).status).toBe(503);
      await own.call('POST', `/api/documents/${id}/reindex`);
      await ingest(server);
      await own.call('DELETE', `/api/documents/${id}?permanent=true`);
      const metrics = await (await fetch(`${server.base}/metrics`)).text();
      expect(metrics).toContain('patchbay_document_ingestions_total');
      expect(server.logged.join('')).toContain('a document could not be read');
      const places = [...answers, ['the log', server.logged.join('')], ['the metrics', metrics]] as const;
      expect(hitsIn(places, secrets)).toEqual([]);
    },
  );
});
