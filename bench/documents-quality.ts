import path from 'node:path';
import { chunksOf } from '../src/documents/chunks.ts';
import type { EmbeddingProviders } from '../src/documents/embedding/provider.ts';
import { createDocumentIndex } from '../src/documents/search/index-writer.ts';
import { narrowedTo } from '../src/documents/search/input.ts';
import { createRetrieval, type Legs } from '../src/documents/search/retrieval.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { Logger } from '../src/platform/logger.ts';
import { addDocument } from '../test/documents/indexed.ts';
import { type BeirQuery, type BeirSet, ndcgAt10, readBeirSet, recallAt10 } from './beir.ts';
import { printTable } from './measure.ts';

const legsOf: Readonly<Record<string, Legs>> = {
  BM25: { words: true, meaning: false },
  vectors: { words: false, meaning: true },
  hybrid: { words: true, meaning: true },
};

export interface QualityStage {
  readonly database: Database;
  readonly log: Logger;
  readonly providers: EmbeddingProviders;
  /** A profile without documents. */
  newProfile(): Promise<string>;
}

/** nDCG@10 and recall@10 of words, of meaning and of both, on our labelled set and on sets that are given by path. */
export async function printQuality(stage: QualityStage, paths: readonly string[]): Promise<void> {
  const own = path.resolve(import.meta.dirname, '../test/documents/labelled');
  for (const folder of [own, ...paths]) {
    const set = await readBeirSet(folder);
    const begun = performance.now();
    const { profileUuid, idOf, passages } = await indexed(stage, set);
    const seconds = (performance.now() - begun) / 1_000;
    console.log(
      `\n${set.name}: ${set.corpus.length} documents, ${passages} passages, ${set.queries.length} questions; indexed in ${Math.round(seconds)} s`,
    );
    printTable([
      ['nDCG@10 / recall@10', 'questions', ...Object.keys(legsOf)],
      ...(await rowsOf(stage, set, profileUuid, idOf)),
    ]);
  }
}

/** Puts a set into a profile of its own, each document with its title as a heading. */
async function indexed({ database, providers, newProfile }: QualityStage, { corpus }: BeirSet) {
  const profileUuid = await newProfile();
  const index = createDocumentIndex({ provider: providers.current });
  const idOf = new Map<string, string>();
  let passages = 0;
  for (const { id, title, text } of corpus) {
    const whole = title === '' ? text : `${title}\n\n${text}`;
    const headings = title === '' ? [] : [{ start: 0, level: 1, text: title }];
    const chunks = chunksOf({ text: whole, pageStarts: [], headings });
    passages += chunks.length;
    const { documentUuid } = await addDocument({ database, index }, { profileUuid, text: whole, title, chunks });
    idOf.set(documentUuid, id);
  }
  await database.query({ text: 'ANALYZE document_postings', query_timeout: 60_000 });
  return { profileUuid, idOf, passages };
}

async function rowsOf(stage: QualityStage, set: BeirSet, profileUuid: string, idOf: ReadonlyMap<string, string>) {
  const retrieve = createRetrieval(stage);
  const kinds = [...new Set(set.queries.map(({ kind }) => kind))];
  const found = new Map<string, Map<BeirQuery, string[]>>();
  for (const [name, legs] of Object.entries(legsOf)) {
    const byQuery = new Map<BeirQuery, string[]>();
    for (const query of set.queries) {
      const { passages } = await retrieve(profileUuid, query.text.slice(0, 500), narrowedTo(null), 100, legs);
      byQuery.set(query, [...new Set(passages.map(({ documentUuid }) => idOf.get(documentUuid) as string))]);
    }
    found.set(name, byQuery);
  }
  const mean = (queries: readonly BeirQuery[], figure: (query: BeirQuery) => number) =>
    (queries.reduce((sum, query) => sum + figure(query), 0) / queries.length).toFixed(3);
  const rowOf = (name: string, queries: readonly BeirQuery[]) => [
    name,
    String(queries.length),
    ...[...found.values()].map(
      (byQuery) =>
        `${mean(queries, (query) => ndcgAt10(query, byQuery.get(query) ?? []))} / ${mean(queries, (query) => recallAt10(query, byQuery.get(query) ?? []))}`,
    ),
  ];
  return [
    ...(kinds.length > 1
      ? kinds.map((kind) =>
          rowOf(
            kind ?? 'others',
            set.queries.filter((query) => query.kind === kind),
          ),
        )
      : []),
    rowOf('all', set.queries),
  ];
}
