import { createHash, randomUUID } from 'node:crypto';
import type { createDocumentIndex } from '../../src/documents/search/index-writer.ts';
import type { IndexedChunk } from '../../src/documents/search/sections.ts';
import type { Database } from '../../src/platform/database/database.ts';

export interface Given {
  readonly profileUuid: string;
  readonly text: string;
  readonly title?: string;
  readonly chunks?: readonly IndexedChunk[];
  readonly source?: string;
  readonly tags?: readonly string[];
  readonly createdAt?: Date;
  /** Without vectors. */
  readonly isByWordsAlone?: boolean;
}

/** The whole text as one passage. */
const whole = (text: string): IndexedChunk[] => [{ start: 0, end: text.length, page: null, heading: null }];

/** Stores a document with one version, and indexes it. */
export async function addDocument(
  { database, index }: { database: Database; index: ReturnType<typeof createDocumentIndex> },
  given: Given,
): Promise<{ documentUuid: string; versionId: bigint }> {
  const { profileUuid, text, title = 'Untitled', chunks = whole(text), source = 'upload', tags = [] } = given;
  const documentUuid = randomUUID();
  const createdAt = given.createdAt ?? new Date('2026-01-15T12:00:00Z');
  const embeddings = given.isByWordsAlone
    ? null
    : await index.embed(chunks.map(({ start, end }) => text.slice(start, end)));
  const versionId = await database.transaction(async (tx) => {
    await tx.prisma.document.create({
      data: {
        uuid: documentUuid,
        profileUuid,
        title,
        source,
        tags: [...tags],
        visibility: 'private',
        createdAt,
        updatedAt: createdAt,
      },
    });
    const version = await tx.prisma.documentVersion.create({
      data: {
        documentUuid,
        profileUuid,
        version: 1,
        fileName: 'a.txt',
        fileSize: text.length,
        mimeType: 'text/plain',
        contentHash: createHash('sha256').update(text).digest(),
        storageKey: randomUUID(),
        status: 'ready',
        textLength: text.length,
        pageStarts: [],
        createdAt,
        readyAt: createdAt,
      },
    });
    await index.write(tx, { versionId: version.id, documentUuid, profileUuid, text, chunks, embeddings });
    return version.id;
  });
  return { documentUuid, versionId };
}
