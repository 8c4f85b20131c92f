import { randomUUID } from 'node:crypto';
import type { Caller } from '../../src/platform/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';

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
  await database.prisma.documentChunk.deleteMany({ where: { documentUuid: uuid } });
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
  for (let part = 0; part * 65_536 < text.length; part++)
    await database.prisma.documentText.create({
      data: { versionId, part, start: part * 65_536, text: text.slice(part * 65_536, (part + 1) * 65_536) },
    });
  let start = 0;
  for (const [ordinal, paragraph] of text.split('\n\n').entries()) {
    const place = { versionId, documentUuid: uuid, profileUuid, ordinal, start, end: start + paragraph.length };
    if (paragraph !== '')
      await database.prisma.documentChunk.create({ data: { ...place, page: null, heading: null, text: paragraph } });
    start += paragraph.length + 2;
  }
  return { uuid, version, title, text };
}
