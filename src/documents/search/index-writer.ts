import { setImmediate as breathe } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.ts';
import type { EmbeddingProvider } from '../embedding/provider.ts';
import * as statements from './index-statements.ts';
import { type IndexedChunk, type Section, sectionsOf } from './sections.ts';

export interface DocumentIndexDependencies {
  readonly provider: EmbeddingProvider;
}

/** The parts of a version that are indexed. */
export interface IndexedVersion {
  readonly versionId: bigint;
  readonly documentUuid: string;
  readonly profileUuid: string;
  /** The text of the version, as `document_texts` has it. */
  readonly text: string;
  /** In the order of the text, without overlaps. */
  readonly chunks: readonly IndexedChunk[];
  /** One vector per passage; null to be found by words alone. */
  readonly embeddings: readonly Float32Array[] | null;
}

type Transaction = Pick<Database, 'query'>;

export type DocumentIndexWriter = ReturnType<typeof createDocumentIndex>;

/**
 * Writes the index that `search` reads. Changes of one profile's index wait for each other, so that its counts are right; those of
 * different profiles do not.
 */
export function createDocumentIndex({ provider }: DocumentIndexDependencies) {
  /**
   * Puts the current version of a document into the index, in place of what the index has of the document.
   *
   * @param tx The transaction that makes the version the current one.
   * @throws {ApiError} `UNAVAILABLE` when another change of the index takes too long: try again.
   */
  async function write(tx: Transaction, version: IndexedVersion): Promise<void> {
    const { versionId, documentUuid, profileUuid, text, chunks, embeddings } = version;
    const { language, sections } = await sectionsOf(text, chunks);
    const indexId = await heldIndex(tx, profileUuid, language);
    await remove(tx, { documentUuid });
    const chunkIds = await writeChunks(tx, version, sections);
    const words = sections.reduce((sum, { length }) => sum + length, 0);
    const termIds = await writeTerms(tx, indexId, versionId, sections);
    await tx.query(
      statements.addVersion({ versionId, indexId, documentUuid, sections: sections.length, words, termIds }),
    );
    await tx.query(statements.addToIndex(indexId, sections.length, words));
    if (embeddings === null) return;
    await putVectors(
      tx,
      provider,
      chunkIds.map((chunkId, ordinal) => ({ chunkId, vector: embeddings[ordinal] as Float32Array })),
    );
  }

  /** Takes a document out of the index, with its passages and vectors. Again changes nothing. */
  async function remove(tx: Transaction, { documentUuid }: { readonly documentUuid: string }): Promise<void> {
    await tx.query(statements.removeWords(documentUuid));
    await tx.query(statements.removeChunks(documentUuid));
  }

  /** The vectors of passages, made before the transaction that writes them. */
  const embed = (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> =>
    provider.embed(texts, signal);

  return { write, remove, embed };
}

async function heldIndex(tx: Transaction, profileUuid: string, language: string): Promise<number> {
  const [index] = await tx.query<{ id: number }>(statements.holdIndex(profileUuid, language));
  return (index as { id: number }).id;
}

/** @returns The ids of the passages, in their order. */
async function writeChunks(tx: Transaction, version: IndexedVersion, sections: readonly Section[]): Promise<string[]> {
  const rows = sections.flatMap(({ first, end }) =>
    version.chunks.slice(first, end).map((chunk, index) => ({
      ...chunk,
      ordinal: first + index,
      section: first,
      text: version.text.slice(chunk.start, chunk.end),
    })),
  );
  const ids: string[] = [];
  for (const part of parts(rows, statements.rowsAtOnce))
    for (const { id, ordinal } of await tx.query<{ id: string; ordinal: number }>(statements.addChunks(version, part)))
      ids[ordinal] = id;
  return ids;
}

/** @returns The ids of the terms of the version. */
async function writeTerms(
  tx: Transaction,
  indexId: number,
  versionId: bigint,
  sections: readonly Section[],
): Promise<string[]> {
  const postings = new Map<string, string[]>();
  for (const [place, { first, terms, length }] of sections.entries()) {
    if (place % sectionsPerTurn === sectionsPerTurn - 1) await breathe();
    for (const [term, times] of terms) {
      const places = postings.get(term) ?? [];
      places.push(packed(first, times, length));
      postings.set(term, places);
    }
  }
  const ids: string[] = [];
  for (const part of parts([...postings.keys()].sort(), statements.rowsAtOnce)) {
    const known = await tx.query<{ id: string; term: string }>(
      statements.countTermsOf(
        indexId,
        part,
        part.map((term) => postings.get(term)?.length ?? 0),
      ),
    );
    await tx.query(
      statements.addPostings(
        versionId,
        known.map(({ id }) => id),
        known.map(({ term }) => `{${postings.get(term)?.join(',')}}`),
      ),
    );
    for (const { id } of known) ids.push(id);
  }
  return ids;
}

/** Sections after which other work of the process has its turn. */
const sectionsPerTurn = 200;

/** The most that fits into 16 bits. */
const countMax = 0xffff;

/** A section in a posting: its ordinal, how often the term is there, and how many words it has. */
const packed = (first: number, times: number, length: number): string =>
  String(first * 2 ** 32 + Math.min(times, countMax >> 1) * 2 ** 16 + Math.min(length, countMax));

/** Stores vectors beside the name of their model. */
export async function putVectors(
  tx: Transaction,
  { id, dims }: Pick<EmbeddingProvider, 'id' | 'dims'>,
  rows: readonly statements.VectorRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const [model] = await tx.query<{ id: number }>(statements.enterModel(id, dims));
  for (const part of parts(rows, statements.vectorsAtOnce))
    await tx.query(statements.putVectors((model as { id: number }).id, part));
}

function* parts<Row>(rows: readonly Row[], size: number): Iterable<readonly Row[]> {
  for (let first = 0; first < rows.length; first += size) yield rows.slice(first, first + size);
}
