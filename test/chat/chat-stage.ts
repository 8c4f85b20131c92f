import { randomUUID } from 'node:crypto';
import { createDocumentIndex } from '../../src/documents/search/index-writer.ts';
import { textPartsOf } from '../../src/documents/text-parts.ts';
import type { Caller } from '../../src/platform/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** By words alone. */
const index = createDocumentIndex({
  provider: {
    id: 'none',
    dims: 1,
    maxTokens: 1,
    embed: () => Promise.reject(new Error('there is no model')),
    close: async () => {},
  },
});

export const path = '/api/embedded-chat';

/** What a test stores of a document. */
export interface StoredDocument {
  readonly uuid: string;
  readonly version: number;
  readonly title: string;
  readonly text: string;
}

/** Stores a version of a document with one passage for each paragraph, as ingestion leaves it. */
export async function storeDocument(
  database: Database,
  owner: Caller,
  given: { uuid?: string; version?: number; title?: string; text: string },
): Promise<StoredDocument> {
  const { uuid = randomUUID(), version = 1, title = 'Contract', text } = given;
  const profileUuid = owner.principal?.profileUuid as string;
  const now = new Date('2026-01-01T00:00:00Z');
  const document = {
    title,
    source: 'upload',
    tags: [],
    visibility: 'private',
    version,
    createdAt: now,
    updatedAt: now,
  };
  await database.prisma.document.upsert({
    where: { uuid },
    create: { ...document, uuid, profileUuid },
    update: { version, title },
  });
  const { id: versionId } = await database.prisma.documentVersion.create({
    data: {
      documentUuid: uuid,
      profileUuid,
      version,
      fileName: 'contract.txt',
      fileSize: BigInt(text.length),
      mimeType: 'text/plain',
      contentHash: new Uint8Array(32),
      storageKey: randomUUID(),
      status: 'ready',
      textLength: text.length,
      pageStarts: [],
      createdAt: now,
    },
  });
  const parts = textPartsOf(text).map((part) => ({ ...part, versionId }));
  await database.prisma.documentText.createMany({ data: parts });
  let start = 0;
  const chunks = text.split('\n\n').map((paragraph) => {
    const place = { start, end: start + paragraph.length, page: null, heading: null };
    start += paragraph.length + 2;
    return place;
  });
  await database.transaction(async (tx) => {
    await index.remove(tx, { documentUuid: uuid });
    await index.write(tx, { versionId, documentUuid: uuid, profileUuid, text, chunks, embeddings: null });
  });
  return { uuid, version, title, text };
}

/** Reads the server-sent events of an answer over REST. @param lastEventId The last one that was read; from the first if left out. */
export async function openAnswer(base: string, secret: string, uuid: string, lastEventId?: string) {
  const stop = new AbortController();
  const response = await fetch(`${base}${path}/messages/${uuid}/stream`, {
    headers: { Authorization: `Bearer ${secret}`, ...(lastEventId && { 'Last-Event-ID': lastEventId }) },
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<{ id: string; event: string; data: Record<string, never> } | null> {
    for (let end = text.indexOf('\n\n'); ; end = text.indexOf('\n\n')) {
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const [, id = '', event = '', data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (id !== '') return { id, event, data: JSON.parse(data) };
        continue;
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return null;
      text += chunk.value;
    }
  }
  return { status: response.status, headers: response.headers, next, close: () => stop.abort() };
}
