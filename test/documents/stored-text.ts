import { createHash, randomUUID } from 'node:crypto';
import { textPartsOf } from '../../src/documents/text-parts.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** Stores a document whose versions have these texts; null for one that has not been read. @returns Its uuid. */
export async function storeDocument(
  database: Database,
  profileUuid: string,
  texts: readonly (string | null)[],
  given: { title?: string; createdAt?: Date; pageStarts?: number[]; deletedAt?: Date } = {},
): Promise<string> {
  const uuid = randomUUID();
  const { title = 'Untitled', createdAt = new Date('2026-01-15T12:00:00Z'), pageStarts = [], deletedAt = null } = given;
  const indexedVersion = texts.findLastIndex((text) => text !== null) + 1 || null;
  await database.prisma.document.create({
    data: {
      uuid,
      profileUuid,
      title,
      source: 'upload',
      tags: [],
      visibility: 'public',
      version: texts.length,
      indexedVersion,
      createdAt,
      updatedAt: createdAt,
      deletedAt,
    },
  });
  for (const [index, text] of texts.entries()) {
    const { id } = await database.prisma.documentVersion.create({
      data: {
        documentUuid: uuid,
        profileUuid,
        version: index + 1,
        fileName: 'a.txt',
        fileSize: 1,
        mimeType: 'text/plain',
        contentHash: createHash('sha256').update(uuid).digest(),
        storageKey: randomUUID(),
        status: text === null ? 'failed' : 'ready',
        failureReason: text === null ? 'The file is damaged.' : null,
        textLength: text === null ? null : text.length,
        pageStarts,
        createdAt,
      },
    });
    const parts = textPartsOf(text ?? '').map((part) => ({ versionId: id, ...part }));
    await database.prisma.documentText.createMany({ data: parts });
  }
  return uuid;
}
