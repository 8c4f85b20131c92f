import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import type { Call, TestServer } from '../support/server.ts';
import { ingest, libraryOf, startDocumentServer, type Upload } from './document-stage.ts';

let server: TestServer;
let call: Call;
let upload: Upload;

beforeAll(async () => {
  server = await startDocumentServer();
  ({ call, upload } = await libraryOf(server));
});

const search = async (body: object) => (await call('POST', '/api/documents/search', body)).body;

describe('an uploaded document', () => {
  it(
    'is found by its words, cited word by word, and gone when it is deleted',
    verifies('documents.search'),
    async () => {
      const text = '# Leave\n\nEach year has thirty days of leave.\n\n# Travel\n\nThe cheapest train is booked.\n';
      const { documentId } = (await upload(text, { title: 'Handbook' }, { fileName: 'handbook.md' })).body;
      expect((await search({ query: 'days of leave' })).results).toEqual([]);
      await ingest(server);
      const { results, ...page } = await search({ query: 'days of leave' });
      expect(page).toEqual({ total: 1, limit: 10, offset: 0, hasMore: false });
      expect(results).toEqual([
        {
          id: documentId,
          title: 'Handbook',
          description: null,
          snippet: expect.stringContaining('thirty days'),
          highlights: expect.any(Array),
          relevanceScore: expect.any(Number),
          source: 'upload',
          tags: [],
          visibility: 'private',
          createdAt: server.clock.now().toISOString(),
          modelAttributions: [],
          citations: expect.any(Array),
        },
      ]);
      const [citation] = results[0].citations;
      expect(text.slice(citation.start, citation.end)).toBe(citation.text);
      const { passages } = (await call('POST', '/api/rag/query', { query: 'days of leave', limit: 1 })).body;
      expect(passages).toMatchObject([{ documentId, version: 1, text: citation.text }]);

      await call('DELETE', `/api/documents/${documentId}`);
      expect((await search({ query: 'days of leave' })).results).toEqual([]);
      await server.services.documents.ingestion.sendOverdue();
      await server.services.documents.ingestion.settle(documentId);
      const [left] = await server.database.query<{ count: number }>({
        text: 'SELECT count(*)::int AS count FROM document_chunks WHERE document_uuid = $1',
        values: [documentId],
      });
      expect(left?.count).toBe(0);

      const restored = await call('POST', `/api/documents/${documentId}/restore`);
      expect(restored.body.document).toMatchObject({ status: 'received', deletedAt: null });
      await ingest(server);
      expect((await search({ query: 'days of leave' })).results).toHaveLength(1);
    },
  );

  it(
    'keeps its old version in search until the new one is ready, and publishes it',
    verifies('documents.versions'),
    async () => {
      const { call, upload } = await libraryOf(server);
      const found = async (query: string) => {
        const { passages } = (await call('POST', '/api/rag/query', { query })).body;
        return passages.map(({ version, text }: Record<string, unknown>) => [version, text]);
      };
      const { documentId } = (await upload('Badgers live in setts.')).body;
      await ingest(server);
      const path = `/api/documents/${documentId}/file`;
      const replaced = await upload('Otters live in holts.', {}, { path, method: 'PUT' });
      expect(replaced.body.document).toMatchObject({ version: 2, indexedVersion: 1, status: 'received' });
      expect(await found('badgers')).toEqual([[1, 'Badgers live in setts.']]);
      await ingest(server);
      expect(await found('otters')).toEqual([[2, 'Otters live in holts.']]);
      const events = await server.database.query<{ data: unknown }>({
        text: `SELECT data FROM outbox_events WHERE type = 'document.updated'`,
      });
      expect(events.map(({ data }) => JSON.parse(String(data)))).toEqual([
        {
          document_id: documentId,
          profile_uuid: expect.any(String),
          version: 2,
          previous_version: 1,
        },
      ]);
      const { versions } = (await call('GET', `/api/documents/${documentId}/versions`)).body;
      expect(
        versions.map(({ version, status, isCurrent }: Record<string, unknown>) => [version, status, isCurrent]),
      ).toEqual([
        [2, 'ready', true],
        [1, 'ready', false],
      ]);
      const restored = await call('POST', `/api/documents/${documentId}/versions/1/restore`);
      expect(restored.body.document).toMatchObject({ version: 3, fileName: 'notes.txt', status: 'received' });
      await ingest(server);
      expect(await found('badgers')).toEqual([[3, 'Badgers live in setts.']]);
      const used = (await call('GET', '/api/rag/storage-stats')).body;
      await call('DELETE', `/api/documents/${documentId}?permanent=true`);
      const left = (await call('GET', '/api/rag/storage-stats')).body;
      expect([used.documents - left.documents, used.bytes - left.bytes]).toEqual([1, 43]);
      expect((await call('GET', `/api/documents/${documentId}`)).status).toBe(404);
    },
  );

  it('names the wrong field of a search (H09)', verifies('documents.search'), async () => {
    const filters = { dateFrom: '2026-02-31', dateTo: "' OR 1=1", source: 'x' };
    const { status, body } = await call('POST', '/api/documents/search', { query: '', filters, limit: 51 });
    expect(status).toBe(400);
    expect(Object.keys(body.error.details).sort()).toEqual([
      'filters.dateFrom',
      'filters.dateTo',
      'filters.source',
      'limit',
      'query',
    ]);
  });
});
