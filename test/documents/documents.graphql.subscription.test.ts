import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { openEventStream } from '../support/event-stream.ts';
import type { TestServer } from '../support/server.ts';
import { libraryOf, startDocumentServer } from './document-stage.ts';

let server: TestServer;
let own: Awaited<ReturnType<typeof libraryOf>>;
let other: Awaited<ReturnType<typeof libraryOf>>;

beforeAll(async () => {
  server = await startDocumentServer();
  [own, other] = [await libraryOf(server), await libraryOf(server)];
});

const follow = (secret: string, args = '') =>
  openEventStream(
    server.base,
    `subscription { documentProgress${args} { documentUuid status progress document { title } } }`,
    { Authorization: `Bearer ${secret}` },
  );

describe('documentProgress', () => {
  it(
    'reports the progress of the caller’s own documents, and of no others',
    verifies('documents.progress', 'access.tenants'),
    async () => {
      const stream = await follow(own.secret);
      await other.upload('Of another profile.', { title: 'canary' });
      const { documentId } = (await own.upload('Words.', { title: 'mine' })).body;
      await server.services.documents.ingestion.settle(documentId);
      const seen: [string, number][] = [];
      for (;;) {
        const event = await stream.next();
        const { documentProgress } = (event as { data: { data: Record<string, Record<string, unknown>> } }).data.data;
        expect(documentProgress).toMatchObject({ documentUuid: documentId, document: { title: 'mine' } });
        seen.push([String(documentProgress?.status), Number(documentProgress?.progress)]);
        if (documentProgress?.status === 'READY') break;
      }
      expect(seen[0]).toEqual(['RECEIVED', 0]);
      expect(seen.at(-1)).toEqual(['READY', 100]);
      const percents = seen.map(([, percent]) => percent);
      expect(percents).toEqual([...percents].sort((a, b) => a - b));
      stream.close();
    },
  );

  it(
    "of another profile's document is answered like that of one that does not exist",
    verifies('everywhere.foreign-ids'),
    async () => {
      const { documentId } = (await other.upload('Theirs.')).body;
      const ask = async (id: string) =>
        (
          await own.call(
            'POST',
            '/graphql',
            { query: `subscription { documentProgress(documentUuid: "${id}") { progress } }` },
            { Accept: 'text/event-stream' },
          )
        ).text;
      const answer = await ask(documentId);
      expect(answer).toContain('Document not found');
      expect(answer).toBe(await ask('b0b0b0b0-0000-4000-8000-000000000000'));
    },
  );
});
